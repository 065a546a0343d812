/* ms_generate: checks the parameters, plans, makes the edges and builds the graph. */
#include "graph/generate/family.h"

#include "base/alloc.h"
#include "base/budget.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "graph/graph.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes at the peak.  For an edge: keys and their scratch, or keys, the rows of the graph and
 * the counts of the threads that build them.  For a vertex: name, its place in the table, rows. */
#define BYTES_PER_EDGE 24u
#define BYTES_PER_VERTEX 96u

#define KEYS_PER_PIECE 65536u /* between two checks of the watch */

typedef struct family_row {
  ms_family_info info;
  ms_status (*plan)(ms_generate_plan *plan, ms_error *err);
  ms_status (*make)(const ms_generate_plan *plan, ms_edge_keys *keys, ms_error *err);
} family_row;

static const family_row families[MS_FAMILIES] = {
    [MS_FAMILY_REGULAR] = {{"regular", "every vertex has exactly `degree` neighbours",
                            MS_GEN_VERTICES | MS_GEN_DEGREE, MS_GEN_VERTICES | MS_GEN_DEGREE},
                           ms_plan_regular,
                           ms_make_regular},
    [MS_FAMILY_POWER_LAW] =
        {{"power-law",
          "degrees d, from `min_degree` (default 1) to `max_degree`, with frequency "
          "d^X;\n"
          "with `edges` or `degree`, a bound that is not given is chosen to fit",
          MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE | MS_GEN_EDGES |
              MS_GEN_DEGREE,
          MS_GEN_VERTICES | MS_GEN_EXPONENT},
         ms_plan_power_law,
         ms_make_power_law},
    [MS_FAMILY_ER] = {{"er",
                       "Erdos-Renyi: `edges` (or mean `degree`) edges, or each with "
                       "`probability`",
                       MS_GEN_VERTICES | MS_GEN_EDGES | MS_GEN_DEGREE | MS_GEN_PROBABILITY,
                       MS_GEN_VERTICES},
                      ms_plan_er,
                      ms_make_er},
    [MS_FAMILY_CLIQUE] = {{"clique", "all edges", MS_GEN_VERTICES, MS_GEN_VERTICES},
                          ms_plan_clique,
                          ms_make_clique},
    [MS_FAMILY_RMAT] = {{"rmat",
                         "2^`scale` vertices, `edges` (or mean `degree`) edges drawn from\n"
                         "`quadrants` (default 0.57,0.19,0.19,0.05)",
                         MS_GEN_SCALE | MS_GEN_EDGES | MS_GEN_DEGREE | MS_GEN_QUADRANTS,
                         MS_GEN_SCALE},
                        ms_plan_rmat,
                        ms_make_rmat},
    [MS_FAMILY_GRID] =
        {{"grid",
          "road-like: `rows` times `cols` vertices; edges `removed` (default 0.3),\n"
          "squares with a diagonal `diagonals` (default 0.05); not connected in general",
          MS_GEN_ROWS | MS_GEN_COLS | MS_GEN_REMOVED | MS_GEN_DIAGONALS, MS_GEN_ROWS | MS_GEN_COLS},
         ms_plan_grid,
         ms_make_grid},
    [MS_FAMILY_HUBS] =
        {{"hubs",
          "classes of degrees, `classes` (default 100) of them: a class of f vertices has\n"
          "degrees proportional to f^X, where f grows geometrically; repeated edges are\n"
          "drawn and left out, so that the mean degree is below `degree`",
          MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT | MS_GEN_CLASSES,
          MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT},
         ms_plan_hubs,
         ms_make_hubs},
};

static const char *const field_names[MS_GEN_FIELDS] = {
    "vertices", "degree",    "edges", "probability", "exponent", "min_degree", "max_degree",
    "scale",    "quadrants", "rows",  "cols",        "removed",  "diagonals",  "classes"};

ms_family_info ms_family_describe(ms_family family)
{
  if ((unsigned)family >= MS_FAMILIES)
    return (ms_family_info){0};
  return families[family].info;
}

const char *ms_generate_field_name(unsigned field)
{
  if (field == 0 || field >> MS_GEN_FIELDS)
    return NULL;
  return field_names[__builtin_ctz(field)];
}

/* ---- parameters ---------------------------------------------------------- */

static ms_status check_fields(const ms_generate_options *o, ms_error *err)
{
  const ms_family_info *info = &families[o->family].info;
  unsigned missing = info->needs & ~o->given, extra = o->given & ~info->takes;
  if (extra)
    return ms_fail(err, MS_ERR_USAGE, "`%s` is not a parameter of '%s'; leave it out",
                   ms_generate_field_name(extra & (0u - extra)), info->name);
  if (missing)
    return ms_fail(err, MS_ERR_USAGE, "'%s' needs `%s`; give it", info->name,
                   ms_generate_field_name(missing & (0u - missing)));
  return MS_OK;
}

static void set_defaults(ms_generate_options *o)
{
  static const double quadrants[4] = {0.57, 0.19, 0.19, 0.05};
  if (!(o->given & MS_GEN_MIN_DEGREE))
    o->min_degree = 1;
  if (!(o->given & MS_GEN_QUADRANTS))
    memcpy(o->quadrants, quadrants, sizeof quadrants);
  if (!(o->given & MS_GEN_REMOVED))
    o->removed = 0.3;
  if (!(o->given & MS_GEN_DIAGONALS))
    o->diagonals = 0.05;
  if (!(o->given & MS_GEN_CLASSES))
    o->classes = 100;
  o->run.threads = ms_threads(o->run.threads);
}

static ms_status check_memory(const ms_generate_plan *plan, ms_error *err)
{
  double bound = (double)ms_memory_bound(plan->o.run.memory);
  double wanted = (double)plan->m * BYTES_PER_EDGE + (double)plan->n * BYTES_PER_VERTEX;
  if (wanted <= bound)
    return MS_OK;
  return ms_fail(
      err, MS_ERR_MEMORY,
      "a graph of %u vertices and %llu edges takes about %.0f MiB to make, more than the "
      "bound of %.0f MiB; make it smaller, or raise `memory`",
      plan->n, (unsigned long long)plan->m, ldexp(wanted, -20), ldexp(bound, -20));
}

/* ---- building ------------------------------------------------------------ */

ms_status ms_generate_names(const ms_generate_plan *plan, ms_names **out, ms_error *err)
{
  const char *prefix = plan->o.prefix ? plan->o.prefix : "";
  size_t length = strlen(prefix);
  const char *problem = length ? ms_name_problem(prefix, length) : NULL;
  char *text = NULL;
  *out = NULL;
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "the prefix of the vertex names %s", problem);
  ms_status status = ms_names_new(out, err);
  if (status != MS_OK)
    return status;
  text = ms_alloc(length + 16, 1);
  if (!text) {
    status = ms_fail_memory(err, "vertex names");
    goto done;
  }
  memcpy(text, prefix, length);
  for (uint32_t v = 0; v < plan->n && status == MS_OK && !ms_watch_ended(plan->watch, v); v++) {
    uint32_t id;
    int digits = snprintf(text + length, 16, "%llu", (unsigned long long)plan->o.first_number + v);
    status = ms_names_add(*out, text, length + (size_t)digits, &id, err);
  }
  if (status == MS_OK)
    status = ms_generate_report(plan, err);
done:
  ms_free(text);
  if (status != MS_OK) {
    ms_names_free(*out);
    *out = NULL;
  }
  return status;
}

/* Turns keys, in place, into the pairs of their ends. */
static void keys_to_pairs(void *user, ms_range r)
{
  const ms_edge_keys *keys = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t pair[2] = {(uint32_t)(keys->key[i] >> 32), (uint32_t)keys->key[i]};
    memcpy(&keys->key[i], pair, sizeof pair);
  }
}

static ms_status build(const ms_generate_plan *plan, ms_edge_keys *keys, ms_graph **out,
                       ms_error *err)
{
  ms_names *names;
  ms_watch_loop(plan->watch, plan->o.run.threads, keys->count, KEYS_PER_PIECE, keys_to_pairs, keys);
  MS_TRY(ms_generate_names(plan, &names, err));
  const uint32_t(*edges)[2] = (const uint32_t(*)[2])(const void *)keys->key;
  /* a thread of the builder takes 8 bytes a vertex, and some for sorting: all of them together at
   * most 8 an edge */
  uint64_t most = plan->n ? keys->count / plan->n / 2 : 0;
  int threads = most < (uint64_t)plan->o.run.threads ? (int)most : plan->o.run.threads;
  return ms_graph_build(plan->n, keys->count, edges, names, threads ? threads : 1, out, err);
}

ms_status ms_generate_graph(const ms_generate_options *options, ms_graph **out, ms_error *err)
{
  ms_watch watch;
  ms_generate_plan plan = {.o = *options, .watch = &watch};
  ms_edge_keys keys = {0};
  *out = NULL;
  if ((unsigned)options->family >= MS_FAMILIES)
    return ms_fail(err, MS_ERR_USAGE, "unknown family %d; use one of ms_family",
                   (int)options->family);
  const family_row *row = &families[options->family];
  MS_TRY(check_fields(options, err));
  set_defaults(&plan.o);
  ms_watch_begin(&watch);
  /* a plan may compute every degree, so the number of vertices is checked first */
  if (options->given & MS_GEN_VERTICES && options->vertices < MS_MAX_NAMES)
    plan.n = (uint32_t)options->vertices;
  ms_status status = check_memory(&plan, err);
  if (status == MS_OK)
    status = row->plan(&plan, err);
  if (status == MS_OK)
    status = check_memory(&plan, err);
  if (status == MS_OK)
    status = row->make(&plan, &keys, err);
  if (status == MS_OK)
    status = build(&plan, &keys, out, err);
  ms_free(keys.key);
  return status;
}

ms_status ms_generate(const ms_generate_options *options, ms_graph **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  ms_generate_options o;
  MS_TRY(ms_options_take(&ms_generate_options_kind, options, &o, err));
  return ms_generate_graph(&o, out, err);
}

ms_status ms_generate_regular(uint32_t n, uint32_t d, uint64_t seed, ms_graph **out, ms_error *err)
{
  const ms_generate_options options = {.family = MS_FAMILY_REGULAR,
                                       .given = MS_GEN_VERTICES | MS_GEN_DEGREE,
                                       .vertices = n,
                                       .degree = d,
                                       .run.seed = seed};
  return ms_generate_graph(&options, out, err);
}
