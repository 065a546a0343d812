#include "census/shapes/orbits.h"

#include "base/alloc.h"
#include "base/hooks.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "census/shapes/colored_orbits.h"
#include "census/shapes/names.h"
#include "census/shapes/search.h"
#include "graph/colors.h"
#include "graph/graph.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define USUAL_K 4u
#define MOST_SETS 9e18 /* as in tables.c */

/* ---- numbers of orbits ------------------------------------------------------------------- */

/* The numbers of N. Przulj of the undirected orbits of 2 to 5 vertices, which here come in the
 * order of the codes of their shapes and of their positions. */
static const uint8_t usual_number[] = {0,  2,  1,  3,  7,  6,  5,  4,  11, 10, 9,  8,  13, 12, 14,
                                       23, 22, 21, 20, 18, 19, 33, 32, 31, 16, 17, 15, 26, 25, 24,
                                       38, 36, 37, 35, 42, 41, 40, 39, 28, 30, 29, 27, 47, 48, 46,
                                       45, 58, 57, 56, 50, 49, 55, 54, 44, 43, 34, 53, 51, 52, 61,
                                       60, 59, 63, 64, 62, 67, 66, 65, 69, 68, 71, 70, 72};

static ms_status number_orbits(ms_orbit_sizes *z, uint32_t size, ms_error *err)
{
  z->number[size] = ms_alloc(z->of[size].count, sizeof *z->number[size]);
  if (!z->number[size])
    return ms_fail_memory(err, "the orbits of shapes");
  for (uint32_t i = 0; i < z->of[size].count; i++)
    z->number[size][i] = z->directed ? z->first[size] + i : usual_number[z->first[size] + i];
  return MS_OK;
}

void ms_orbit_sizes_close(ms_orbit_sizes *z)
{
  for (uint32_t size = 2; size <= MS_MAX_ORBITS; size++) {
    ms_graphlet_orbits_close(&z->of[size]);
    ms_free(z->number[size]);
  }
}

ms_status ms_orbit_sizes_open(ms_orbit_sizes *z, uint32_t k, bool directed, ms_error *err)
{
  *z = (ms_orbit_sizes){.k = k, .directed = directed};
  for (uint32_t size = 2; size <= k; size++) {
    MS_TRY(ms_graphlet_orbits_open(&z->of[size], ms_graphlet_form_of(size, directed), err));
    z->first[size + 1] = z->first[size] + z->of[size].count;
    MS_TRY(number_orbits(z, size, err));
  }
  return MS_OK;
}

static ms_status check_size(uint32_t k, bool directed, ms_error *err)
{
  uint32_t most = directed ? MS_MAX_DIRECTED_ORBITS : MS_MAX_ORBITS;
  return k >= 2 && k <= most
             ? MS_OK
             : ms_fail(err, MS_ERR_USAGE,
                       "orbits of sets of %u vertices; for %s graphs, choose 2 to %u by `k`", k,
                       directed ? "directed" : "undirected", most);
}

ms_status ms_orbit_describe(uint32_t k, bool directed, uint32_t i, ms_orbit_info *out,
                            ms_error *err)
{
  ms_orbit_sizes z;
  MS_REQUIRE(out, err);
  *out = (ms_orbit_info){0};
  MS_TRY(check_size(k, directed, err));
  ms_status status = ms_orbit_sizes_open(&z, k, directed, err);
  bool found = false;
  for (uint32_t size = 2; status == MS_OK && size <= k; size++)
    for (uint32_t j = 0; j < z.of[size].count; j++)
      if (z.number[size][j] == i) {
        found = true;
        *out = (ms_orbit_info){.k = size,
                               .shape = z.of[size].code[j],
                               .position = z.of[size].position[j],
                               .shape_edges = ms_graphlet_edges(z.of[size].code[j])};
      }
  ms_orbit_sizes_close(&z);
  MS_TRY(status);
  if (!found)
    return ms_fail(err, MS_ERR_USAGE, "there is no orbit %u of shapes of 2 to %u vertices", i, k);
  return ms_graphlet_name(ms_graphlet_form_of(out->k, directed), out->shape, out->name, err);
}

/* ---- the search ---------------------------------------------------------------------------- */

typedef struct work {
  const ms_census_options *options;
  const ms_graph *of;
  ms_census_graph *graph;
  ms_orbit_sizes sizes;
  uint32_t size; /* of the sets that are counted */
  int threads;
  ms_budget budget;
  ms_watch watch;
  ms_graphlet_search *search; /* [threads] */
  uint64_t *total;            /* [threads][2^bits] */
  ms_orbits_result *result;
  ms_orbit_formula_fn *formula;
  bool by_formula, lacks_memory; /* lacks_memory: for formulas, which would pay */
  atomic_bool overflow;
  atomic_uint_fast64_t done; /* vertices of all sizes */
} work;

/* Counts the sets of some vertices; a loop. */
static void count_vertices(void *user, ms_range r)
{
  work *w = user;
  ms_graphlet_search *s = &w->search[r.thread];
  const ms_graphlet_orbits *orbits = &w->sizes.of[w->size];
  size_t codes = (size_t)1 << ms_graphlet_bits(s->form, w->size);
  uint64_t *total = w->total + (size_t)r.thread * codes;
  for (uint64_t rank = r.begin; rank < r.end && !s->ended; rank++) {
    uint64_t *to = w->result->count + (size_t)w->graph->vertex[rank] * w->result->orbits;
    s->sets = 0;
    ms_graphlet_search_vertex(s, (uint32_t)rank);
    memset(total, 0, codes * sizeof *total);
    ms_graphlet_search_gather(s, total);
    for (size_t code = 0; code < codes; code++)
      if (total[code] != 0)
        to[w->sizes.number[w->size][orbits->orbit_of[code]]] += total[code];
    if (s->sets > MOST_SETS)
      atomic_store(&w->overflow, true);
    uint64_t done = atomic_fetch_add(&w->done, 1) + 1;
    if (r.thread == 0)
      ms_limits_report(&w->options->run, "vertices", done,
                       (uint64_t)w->graph->n * (w->sizes.k - 1));
  }
}

/* Sets of two vertices are edges. */
static void count_edges(work *w)
{
  const ms_census_graph *g = w->graph;
  const ms_graphlet_orbits *orbits = &w->sizes.of[2];
  for (uint32_t rank = 0; rank < g->n; rank++) {
    uint64_t *to = w->result->count + (size_t)g->vertex[rank] * w->result->orbits;
    for (uint64_t e = g->offset[rank]; e < g->offset[rank + 1]; e++)
      to[w->sizes.number[2][orbits->orbit_of[g->direction ? g->direction[e] : 1]]]++;
  }
  atomic_fetch_add(&w->done, g->n);
}

static void close_search(work *w)
{
  for (int t = 0; w->search && t < w->threads; t++)
    ms_graphlet_search_close(&w->search[t], &w->budget);
  ms_free(w->search);
  ms_free(w->total);
  w->search = NULL;
  w->total = NULL;
}

/* True if the number of sets, estimated by that of walks, is large enough for formulas, whose plans
 * take some milliseconds. */
static bool wants_formula(const work *w)
{
  return w->formula && !w->sizes.directed && w->sizes.k > 2 &&
         (ms_hooks.orbit_sets == 0 ||
          ms_census_estimate_sets(w->graph, w->sizes.k - 1) > ms_hooks.orbit_sets);
}

/* Counts all sizes by formulas, where that pays and there is memory for it. */
static ms_status try_formula(work *w, ms_error *err)
{
  ms_error why;
  if (!wants_formula(w))
    return MS_OK;
  ms_status status = w->formula(w->of, &w->sizes, w->options, &w->budget, w->result, &why);
  w->by_formula = status == MS_OK;
  w->lacks_memory = status == MS_ERR_MEMORY;
  return status == MS_OK || status == MS_ERR_MEMORY ? MS_OK
                                                    : ms_fail(err, status, "%s", why.message);
}

static ms_status count_size(work *w, ms_error *err)
{
  ms_graphlet_form form = ms_graphlet_form_of(w->size, w->sizes.directed);
  w->search = ms_calloc((size_t)w->threads, sizeof *w->search);
  w->total = ms_alloc((size_t)w->threads << ms_graphlet_bits(form, w->size), sizeof *w->total);
  if (!w->search || !w->total)
    return ms_fail_memory(err, "the threads of orbits");
  for (int t = 0; t < w->threads; t++)
    MS_TRY(
        ms_graphlet_search_open(&w->search[t], w->graph, form, NULL, &w->watch, &w->budget, err));
  ms_watch_begin(&w->watch);
  ms_watch_loop(&w->watch, w->threads, w->graph->n, 1, count_vertices, w);
  MS_TRY(ms_watch_report(&w->watch, "orbits are counted", err));
  return atomic_load(&w->overflow) ? ms_census_fail_overflow(err) : MS_OK;
}

static ms_status count_all(work *w, const ms_graph *graph, ms_error *err)
{
  ms_orbits_result *r = w->result;
  r->orbits = w->sizes.first[w->sizes.k + 1];
  uint64_t numbers = (uint64_t)graph->n * r->orbits, bytes = numbers * sizeof *r->count;
  if (!ms_budget_reserve(&w->budget, bytes))
    return ms_budget_refuse(&w->budget, bytes, "the numbers of all orbits of each vertex",
                            ", or lower `k`", err);
  r->count = ms_calloc(numbers, sizeof *r->count);
  if (!r->count)
    return ms_fail_memory(err, "the numbers of orbits");
  MS_TRY(ms_census_graph_new(graph, NULL, w->options, &w->graph, err));
  count_edges(w);
  MS_TRY(try_formula(w, err));
  for (w->size = 3; !w->by_formula && w->size <= w->sizes.k; w->size++) {
    ms_status status = count_size(w, err);
    close_search(w);
    MS_TRY(status);
  }
  return MS_OK;
}

static void clear_numbers(ms_orbits_result *r)
{
  ms_free(r->count);
  ms_free(r->offset);
  ms_free(r->orbit);
  ms_free(r->described);
  r->count = r->offset = NULL;
  r->orbit = NULL;
  r->described = NULL;
}

/* Counts the vertices with a number above 0. */
static void count_found(ms_orbits_result *r)
{
  for (uint32_t v = 0; v < r->vertices; v++) {
    uint64_t i = r->colored ? r->offset[v] : (uint64_t)v * r->orbits;
    uint64_t end = r->colored ? r->offset[v + 1] : i + r->orbits;
    while (i < end && r->count[i] == 0)
      i++;
    r->found += i < end;
  }
}

static ms_status run(work *w, const ms_graph *graph, const ms_coloring *coloring, ms_error *err)
{
  ms_orbits_result *r = w->result;
  ms_stop *before = ms_stop_enter(w->options->run.stop);
  ms_status status;
  if (coloring) {
    status = ms_orbits_with_colors(graph, coloring, w->options, w->threads, &w->budget, r, err);
  } else {
    status = ms_orbit_sizes_open(&w->sizes, r->k, r->directed, err);
    if (status == MS_OK)
      status = count_all(w, graph, err);
  }
  ms_stop_leave(before);
  close_search(w);
  ms_orbit_sizes_close(&w->sizes);
  ms_census_graph_free(w->graph);
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    clear_numbers(r);
    r->orbits = coloring ? 0 : r->orbits;
    r->run.stopped = status;
    status = MS_OK;
  } else if (status == MS_OK) {
    count_found(r);
  }
  r->bytes = w->budget.peak;
  return status;
}

ms_status ms_orbits_by(const ms_graph *graph, const ms_coloring *coloring,
                       const ms_census_options *options, ms_orbit_formula_fn *formula,
                       ms_orbits_result **out, ms_error *err)
{
  ms_census_options o;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_TRY(ms_options_take(&ms_census_options_kind, options, &o, err));
  o.k = o.k ? o.k : USUAL_K;
  o.shapes = true;
  MS_TRY(check_size(o.k, graph->direction != NULL, err));
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  else if (o.n_only > 0 || o.primary)
    return ms_fail(err, MS_ERR_USAGE, "`only` and `primary` choose colours, and there are none");
  ms_census_engine engine;
  MS_TRY(ms_census_find_engine(o.run.engine, &engine, err));
  if (engine == MS_CENSUS_GPU)
    return ms_fail(err, MS_ERR_USAGE, "no engine on GPUs counts orbits; use the engine cpu");
  work w = {.options = &o, .of = graph, .formula = formula, .threads = ms_threads(o.run.threads)};
  w.result = ms_calloc(1, sizeof *w.result);
  if (!w.result)
    return ms_fail_memory(err, "the orbits of a graph");
  w.result->vertices = graph->n;
  w.result->k = o.k;
  w.result->directed = graph->direction != NULL;
  w.result->colored = coloring != NULL;
  w.result->run.engine = "cpu";
  ms_budget_open(&w.budget, o.run.memory);
  ms_status status = run(&w, graph, coloring, err);
  snprintf(w.result->run.engine_reason, sizeof w.result->run.engine_reason, "%s",
           w.by_formula     ? "by formulas, as there are many sets"
           : w.lacks_memory ? "a search from each vertex, which takes longer, as formulas need "
                              "more memory than the run may use"
                            : "a search from each vertex");
  if (status == MS_OK)
    *out = w.result;
  else
    ms_orbits_result_free(w.result);
  return status;
}

void ms_orbits_result_free(ms_orbits_result *result)
{
  if (result) {
    clear_numbers(result);
    ms_free(result);
  }
}
