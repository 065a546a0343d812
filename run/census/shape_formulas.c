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
  const ms_pattern_index *index;
  ms_orbits_result *result;
  const ms_run_limits *limits;
  int32_t *factor[MS_MAX_ORBITS + 1]; /* of each size: [orbits][orbits] of r of the second one in i
                                         of the first one */
  wide *maps;                         /* [orbits of all sizes][index->n] i of each, modulo 2^128 */
} work;

/* The code of an orbit's shape with the root in front. */
static uint32_t code_of(const work *w, uint32_t size, uint32_t orbit)
{
  const ms_graphlet_orbits *o = &w->sizes->of[size];
  ms_graphlet_orders orders;
  uint32_t code;
  ms_graphlet_orders_begin(&orders, ms_graphlet_form_of(size, false), o->code[orbit], NULL);
  while (ms_graphlet_orders_next(&orders, &code))
    if (orders.order[0] == o->position[orbit])
      break;
  return code;
}

static void fill_factors(work *w, uint32_t size)
{
  const ms_graphlet_orbits *o = &w->sizes->of[size];
  uint32_t codes = 1u << ms_graphlet_bits(ms_graphlet_form_of(size, false), size);
  for (uint32_t i = 0; i < o->count; i++) {
    uint32_t code = code_of(w, size, i);
    for (uint32_t more = code; more < codes; more = (more + 1) | code)
      w->factor[size][i * o->count + o->orbit_of[more]] +=
          __builtin_popcount(more ^ code) % 2 ? -1 : 1;
  }
}

/* The automorphisms of an orbit's shape that fix the root. */
static uint32_t count_fixing(const work *w, uint32_t size, uint32_t orbit)
{
  ms_graphlet_orders orders;
  uint32_t code = code_of(w, size, orbit), other, count = 0;
  ms_graphlet_orders_begin(&orders, ms_graphlet_form_of(size, false), code, NULL);
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

/* The place of the first orbit of a size in maps[]. */
static uint32_t first_of(const work *w, uint32_t size)
{
  return w->sizes->first[size] - w->sizes->first[3];
}

/* Adds r of an orbit, numbered as in maps[], to i of all that need it, modulo 2^128: as i is at
 * most r, it has as few bits. */
static void add_numbers(void *user, uint32_t orbit, const ms_wide_size *number)
{
  work *w = user;
  uint32_t size = 3, n = w->index->n;
  while (orbit >= first_of(w, size + 1))
    size++;
  uint32_t first = first_of(w, size), orbits = w->sizes->of[size].count;
  for (uint32_t i = 0; i < orbits; i++) {
    wide *to = w->maps + (size_t)(first + i) * n;
    int32_t factor = w->factor[size][i * orbits + orbit - first];
    for (uint32_t id = 0; factor != 0 && id < n; id++)
      to[id] += (wide)factor * number[id];
  }
  ms_limits_report(w->limits, "orbits", orbit + 1, first_of(w, w->sizes->k + 1));
}

/* Turns maps into sets. */
static ms_status settle(const work *w, uint32_t size, ms_error *err)
{
  uint32_t n = w->index->n;
  for (uint32_t i = 0; i < w->sizes->of[size].count; i++) {
    const wide *maps = w->maps + (size_t)(first_of(w, size) + i) * n;
    uint32_t place = w->sizes->number[size][i], fixing = count_fixing(w, size, i);
    for (uint32_t id = 0; id < n; id++) {
      wide sets = maps[id] / fixing;
      if (sets > INT64_MAX)
        return ms_census_fail_overflow(err);
      w->result->count[(size_t)w->index->vertex[id] * w->result->orbits + place] = (uint64_t)sets;
    }
  }
  return MS_OK;
}

static ms_status count(work *w, const ms_census_options *options, ms_budget *budget, ms_error *err)
{
  uint32_t k = w->sizes->k, orbits = first_of(w, k + 1);
  ms_rooted_shape *shape = ms_alloc(orbits, sizeof *shape);
  ms_status status = shape ? MS_OK : ms_fail_memory(err, "the formulas of orbits");
  for (uint32_t size = 3; size <= k && status == MS_OK; size++) {
    uint32_t count = w->sizes->of[size].count;
    w->factor[size] = ms_calloc((size_t)count * count, sizeof **w->factor);
    if (!w->factor[size])
      status = ms_fail_memory(err, "the formulas of orbits");
    else
      fill_factors(w, size);
    for (uint32_t i = 0; i < count; i++)
      make_shape(ms_graphlet_form_of(size, false), code_of(w, size, i),
                 &shape[first_of(w, size) + i]);
  }
  if (status == MS_OK)
    status = ms_rooted_numbers_each(w->index, k, shape, orbits, &options->run, budget, add_numbers,
                                    w, err);
  for (uint32_t size = 3; size <= k && status == MS_OK; size++)
    status = settle(w, size, err);
  ms_free(shape);
  for (uint32_t size = 3; size <= k; size++)
    ms_free(w->factor[size]);
  return status;
}

static ms_status count_by_formulas(const ms_graph *graph, const ms_orbit_sizes *sizes,
                                   const ms_census_options *options, ms_budget *budget,
                                   ms_orbits_result *result, ms_error *err)
{
  ms_pattern_index *index;
  MS_TRY(ms_pattern_index_new(graph, NULL, options->run.threads, &index, err));
  work w = {.sizes = sizes, .index = index, .result = result, .limits = &options->run};
  uint64_t numbers = (uint64_t)graph->n * first_of(&w, sizes->k + 1);
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
  MS_TRY(ms_division_take(&o.run.division, &division, err));
  if (o.run.division)
    return ms_division_refuse(o.run.division, "a count of orbits", err);
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

/* Receives the numbers of a shape's maps at each vertex, whose sum is that of all maps. */
typedef struct sums {
  const ms_pattern_index *index;
  const ms_run_limits *limits;
  wide *maps; /* [shapes] */
  uint32_t shapes;
  bool exceeds;
} sums;

static void add_maps(void *user, uint32_t shape, const ms_wide_size *number)
{
  sums *s = user;
  wide sum = 0;
  for (uint32_t id = 0; id < s->index->n; id++)
    s->exceeds |= __builtin_add_overflow(sum, number[id], &sum);
  s->maps[shape] = sum;
  ms_limits_report(s->limits, "shapes", shape + 1, s->shapes);
}

/* Sets maps[classes] to the numbers of maps that keep edges, of shapes of five vertices: each is
 * counted at the vertex where that is easiest. */
static ms_status sum_maps(const ms_pattern_index *index, const ms_graphlet_classes *classes,
                          ms_graphlet_form form, const ms_run_limits *limits, ms_budget *budget,
                          wide *maps, ms_error *err)
{
  sums s = {.index = index, .limits = limits, .maps = maps, .shapes = classes->count};
  ms_rooted_shape *shape = ms_calloc(classes->count, sizeof *shape);
  if (!shape)
    return ms_fail_memory(err, "the formulas of shapes");
  for (uint32_t i = 0; i < classes->count; i++) {
    make_shape(form, classes->code[i], &shape[i]);
    while (shape[i].root + 1 < form.k && !ms_rooted_falls_apart(&shape[i].shape, shape[i].root))
      shape[i].root++;
  }
  ms_status status = ms_rooted_numbers_each(index, form.k, shape, classes->count, limits, budget,
                                            add_maps, &s, err);
  ms_free(shape);
  return status == MS_OK && s.exceeds ? ms_census_fail_overflow(err) : status;
}

/* Sets maps[classes] to the numbers of maps that keep edges. */
static ms_status count_maps(const ms_pattern_index *index, const ms_graphlet_classes *classes,
                            ms_graphlet_form form, const ms_run_limits *limits, ms_budget *budget,
                            wide *maps, ms_error *err)
{
  ms_rooted_shape *shape = ms_alloc(1, sizeof *shape);
  ms_domains *domains = ms_alloc(1, sizeof *domains);
  ms_work done = {0};
  ms_status status = shape && domains ? MS_OK : ms_fail_memory(err, "the formulas of shapes");
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
  ms_pattern_index *index = NULL;
  MS_TRY(ms_graphlet_classes_open(&classes, form, err));
  wide *maps = ms_alloc(classes.count, sizeof *maps);
  ms_status status = maps ? ms_pattern_index_new(graph, NULL, limits->threads, &index, err)
                          : ms_fail_memory(err, "the formulas of shapes");
  if (status == MS_OK) {
    bool small = k == MS_SMALL_VERTICES && ms_small_fits(index); /* few shapes are counted alone */
    if (small)
      status = sum_maps(index, &classes, form, limits, budget, maps, err);
    if (!small || status == MS_ERR_MEMORY)
      status = count_maps(index, &classes, form, limits, budget, maps, err);
  }
  if (status == MS_OK)
    status = fill_totals(&classes, form, maps, total, err);
  ms_pattern_index_free(index);
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
