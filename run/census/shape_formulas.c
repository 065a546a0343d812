/* Shapes and orbits of undirected graphs without colours, by formulas.
 *
 * For a shape S with a root, let r(v) be the number of maps of S to the graph that take the root to
 * v and keep edges, and i(v) the same of maps that keep non-edges, too.  A map of the first kind
 * keeps exactly the edges of one of the shapes T that S with further edges becomes, so that r = sum
 * of i over all T, and i = sum of (-1)^(edges of T less edges of S) r.  i(v) is the number of sets
 * in which v has the place of the root, times the automorphisms of S that fix it.  match/count
 * counts r(v), and the maps of shapes without a root, from which their sets follow in the same way.
 */
#include "run/census/shape_formulas.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "census/shapes/orbits.h"
#include "graph/graph.h"
#include "match/count/rooted_plan.h"
#include "parts/log.h"

#include <string.h>

__extension__ typedef unsigned __int128 wide;

typedef struct work {
  const ms_orbit_sizes *sizes;
  uint32_t size;
  const ms_pattern_index *index;
  ms_orbits_result *result;
  int32_t *factor; /* [orbits][orbits] of r of the second one in i of the first one */
  wide *maps;      /* [vertices][orbits] i of each, modulo 2^128 */
} work;

/* The code of an orbit's shape with the root in front. */
static uint32_t code_of(const work *w, uint32_t orbit)
{
  const ms_graphlet_orbits *o = &w->sizes->of[w->size];
  ms_graphlet_orders orders;
  uint32_t code;
  ms_graphlet_orders_begin(&orders, ms_graphlet_form_of(w->size, false), o->code[orbit], NULL);
  while (ms_graphlet_orders_next(&orders, &code))
    if (orders.order[0] == o->position[orbit])
      break;
  return code;
}

static void fill_factors(work *w)
{
  const ms_graphlet_orbits *o = &w->sizes->of[w->size];
  uint32_t codes = 1u << ms_graphlet_bits(ms_graphlet_form_of(w->size, false), w->size);
  for (uint32_t i = 0; i < o->count; i++) {
    uint32_t code = code_of(w, i);
    for (uint32_t more = code; more < codes; more = (more + 1) | code)
      w->factor[i * o->count + o->orbit_of[more]] += __builtin_popcount(more ^ code) % 2 ? -1 : 1;
  }
}

/* The automorphisms of an orbit's shape that fix the root. */
static uint32_t count_fixing(const work *w, uint32_t orbit)
{
  ms_graphlet_orders orders;
  uint32_t code = code_of(w, orbit), other, count = 0;
  ms_graphlet_orders_begin(&orders, ms_graphlet_form_of(w->size, false), code, NULL);
  while (ms_graphlet_orders_next(&orders, &other))
    count += other == code && orders.order[0] == 0;
  return count;
}

static void make_shape(ms_graphlet_form form, uint32_t code, ms_rooted_shape *out)
{
  memset(out, 0, sizeof *out);
  out->shape.n = form.k;
  for (uint32_t i = 0; i < form.k; i++) {
    out->shape.member[i] = ms_bitset_of(i);
    for (uint32_t j = 0; j < form.k; j++)
      if (i != j && ms_graphlet_pair(form, code, i, j))
        ms_bitset_add(&out->shape.out[i], j);
    out->shape.in[i] = out->shape.out[i];
  }
}

/* Adds r of an orbit to i of all that need it, modulo 2^128: as i is at most r, it has as few bits.
 */
static void add_numbers(void *user, uint32_t orbit, const ms_wide_size *number)
{
  work *w = user;
  uint32_t orbits = w->sizes->of[w->size].count;
  for (uint32_t i = 0; i < orbits; i++) {
    int32_t factor = w->factor[i * orbits + orbit];
    for (uint32_t id = 0; factor != 0 && id < w->index->n; id++)
      w->maps[(size_t)w->index->vertex[id] * orbits + i] += (wide)factor * number[id];
  }
}

/* Turns maps into sets. */
static ms_status settle(const work *w, ms_error *err)
{
  uint32_t orbits = w->sizes->of[w->size].count;
  for (uint32_t i = 0; i < orbits; i++) {
    uint32_t place = w->sizes->number[w->size][i], fixing = count_fixing(w, i);
    for (uint32_t v = 0; v < w->result->vertices; v++) {
      wide sets = w->maps[(size_t)v * orbits + i] / fixing;
      if (sets > INT64_MAX)
        return ms_census_fail_overflow(err);
      w->result->count[(size_t)v * w->result->orbits + place] = (uint64_t)sets;
    }
  }
  return MS_OK;
}

static ms_status count(work *w, const ms_census_options *options, ms_budget *budget, ms_error *err)
{
  uint32_t orbits = w->sizes->of[w->size].count;
  w->factor = ms_calloc((size_t)orbits * orbits, sizeof *w->factor);
  ms_rooted_shape *shape = ms_alloc(orbits, sizeof *shape);
  ms_status status = w->factor && shape ? MS_OK : ms_fail_memory(err, "the formulas of orbits");
  if (status == MS_OK) {
    fill_factors(w);
    for (uint32_t i = 0; i < orbits; i++)
      make_shape(ms_graphlet_form_of(w->size, false), code_of(w, i), &shape[i]);
    status = ms_rooted_numbers_each(w->index, w->size, shape, orbits, &options->run, budget,
                                    add_numbers, w, err);
  }
  if (status == MS_OK)
    status = settle(w, err);
  ms_free(shape);
  ms_free(w->factor);
  return status;
}

static ms_status count_by_formulas(const ms_graph *graph, const ms_orbit_sizes *sizes,
                                   uint32_t size, const ms_census_options *options,
                                   ms_budget *budget, ms_orbits_result *result, ms_error *err)
{
  ms_pattern_index *index;
  MS_TRY(ms_pattern_index_new(graph, NULL, options->run.threads, &index, err));
  work w = {.sizes = sizes, .size = size, .index = index, .result = result};
  uint64_t numbers = (uint64_t)graph->n * sizes->of[size].count;
  bool fits = ms_budget_reserve(budget, numbers * sizeof *w.maps);
  w.maps = fits ? ms_calloc(numbers, sizeof *w.maps) : NULL;
  ms_status status =
      w.maps ? count(&w, options, budget, err) : ms_fail_memory(err, "the numbers of orbits");
  ms_free(w.maps);
  if (fits)
    ms_budget_release(budget, numbers * sizeof *w.maps);
  ms_pattern_index_free(index);
  return status;
}

ms_status ms_orbits(const ms_graph *graph, const ms_coloring *coloring,
                    const ms_census_options *options, ms_orbits_result **out, ms_error *err)
{
  ms_census_options o;
  ms_division division;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_TRY(ms_options_take(&ms_census_options_kind, options, &o, err));
  MS_TRY(ms_division_take(&o.division, &division, err));
  if (o.division)
    return ms_division_refuse(o.division, "a count of orbits", err);
  return ms_orbits_by(graph, coloring, options, count_by_formulas, out, err);
}

/* ---- shapes -------------------------------------------------------------------------------- */

static ms_status fill_totals(const ms_graphlet_classes *classes, ms_graphlet_form form,
                             const wide *maps, uint64_t *total, ms_error *err)
{
  uint32_t codes = 1u << ms_graphlet_bits(form, form.k);
  for (uint32_t i = 0; i < classes->count; i++) {
    uint32_t code = classes->code[i];
    wide induced = 0;
    for (uint32_t more = code; more < codes; more = (more + 1) | code) {
      wide of = maps[classes->class_of[more]];
      induced += __builtin_popcount(more ^ code) % 2 ? -of : of;
    }
    induced /= classes->automorphisms[i];
    if (induced > INT64_MAX)
      return ms_census_fail_overflow(err);
    total[code] = (uint64_t)induced;
  }
  return MS_OK;
}

/* Sets maps[classes] to the numbers of maps that keep edges. */
static ms_status count_maps(const ms_graph *graph, const ms_graphlet_classes *classes,
                            ms_graphlet_form form, const ms_run_limits *limits, ms_budget *budget,
                            wide *maps, ms_error *err)
{
  ms_pattern_index *index;
  ms_rooted_shape *shape = ms_alloc(1, sizeof *shape);
  ms_domains *domains = ms_alloc(1, sizeof *domains);
  ms_work done = {0};
  ms_status status = shape && domains ? MS_OK : ms_fail_memory(err, "the formulas of shapes");
  if (status == MS_OK)
    status = ms_pattern_index_new(graph, NULL, limits->threads, &index, err);
  if (status == MS_OK) {
    const ms_count_query query = {.index = index,
                                  .domains = domains,
                                  .engine = &ms_pattern_engine_cpu,
                                  .threads = limits->threads,
                                  .stop = ms_stop_current(),
                                  .budget = budget,
                                  .work = &done};
    mpz_t count;
    mpz_init(count);
    ms_domains_of_all(index, form.k, domains);
    for (uint32_t i = 0; status == MS_OK && i < classes->count; i++) {
      make_shape(form, classes->code[i], shape);
      status = ms_count_maps(&query, &shape->shape, count, err);
      if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED)
        status = ms_fail(err, status, "stopped while shapes are counted");
      if (status == MS_OK && mpz_sizeinbase(count, 2) > 127)
        status = ms_census_fail_overflow(err);
      uint64_t words[2] = {0};
      if (status == MS_OK)
        mpz_export(words, NULL, -1, sizeof *words, 0, 0, count);
      maps[i] = (wide)words[1] << 64 | words[0];
      ms_limits_report(limits, "shapes", i + 1, classes->count);
    }
    mpz_clear(count);
    ms_pattern_index_free(index);
  }
  ms_free(shape);
  ms_free(domains);
  return status;
}

static ms_status count_shapes(const ms_graph *graph, uint32_t k, const ms_run_limits *limits,
                              ms_budget *budget, uint64_t *total, ms_error *err)
{
  ms_graphlet_form form = ms_graphlet_form_of(k, false);
  ms_graphlet_classes classes;
  MS_TRY(ms_graphlet_classes_open(&classes, form, err));
  wide *maps = ms_alloc(classes.count, sizeof *maps);
  ms_status status = maps ? count_maps(graph, &classes, form, limits, budget, maps, err)
                          : ms_fail_memory(err, "the formulas of shapes");
  if (status == MS_OK)
    status = fill_totals(&classes, form, maps, total, err);
  ms_free(maps);
  ms_graphlet_classes_close(&classes);
  return status;
}

ms_census_accelerator ms_census_helpers(void)
{
  ms_census_accelerator helpers = ms_census_gpus;
  helpers.count_shapes = count_shapes;
  return helpers;
}
