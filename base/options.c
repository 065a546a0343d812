#include "base/options.h"

#include "base/status.h"

#include <string.h>

/* ---- the structs ----------------------------------------------------------- */

#define ENUM(type, member, values, most)                                                           \
  {                                                                                                \
#member, offsetof(type, member), MS_RULE_ENUM, #values, (int)(most), 0                         \
  }
#define NUMBER(type, member)                                                                       \
  {                                                                                                \
#member, offsetof(type, member), MS_RULE_NUMBER, NULL, 0, 0                                    \
  }
/* `members` has the bits of the members of ms_run_limits that the call uses. */
#define RUN(type, members) RUN_IN(type, run, members)
#define RUN_IN(type, where, members) .run = offsetof(type, where), .takes = members
#define SEED(type)                                                                                 \
  {                                                                                                \
    "seed", offsetof(type, seed), MS_RULE_SEED, NULL, 0, 0                                         \
  }
#define ARRAY(type, member, count, rule)                                                           \
  {                                                                                                \
#member, offsetof(type, member), rule, NULL, 0, offsetof(type, count)                          \
  }

#define KIND(type, macro_, members, ...)                                                           \
  static const type type##_defaults = macro_;                                                      \
  const ms_options_kind type##_kind = {.name = #type,                                              \
                                       .macro = #macro_,                                           \
                                       .size = sizeof(type),                                       \
                                       .defaults = &type##_defaults,                               \
                                       .member = members,                                          \
                                       __VA_ARGS__}

/* members of ms_run_limits */
enum {
  RUN_THREADS = 1,
  RUN_MEMORY = 2,
  RUN_STOP = 4,
  RUN_PROGRESS = 8,
  RUN_DEVICES = 16,
  RUN_ENGINE = 32,
  RUN_DIVISION = 64,
  RUN_SEED = 128,
  RUN_ANY_SEED = RUN_SEED | 256, /* even one that result files cannot state */
  RUN_SEARCH = RUN_THREADS | RUN_MEMORY | RUN_STOP | RUN_PROGRESS, /* on processors */
  RUN_ALL = RUN_SEARCH | RUN_DEVICES | RUN_ENGINE | RUN_SEED | RUN_DIVISION
};

static const ms_options_member no_members[] = {{0}};

static const ms_options_member graph_members[] = {
    ENUM(ms_graph_options, format, ms_graph_format, MS_GRAPH_FORMATS - 1),
    NUMBER(ms_graph_options, min_score),
    {0},
};
static const ms_options_member color_members[] = {
    ENUM(ms_color_options, format, ms_color_format, MS_COLORS_GMT),
    {0},
};
static const ms_options_member screen_members[] = {
    ENUM(ms_screen_options, recurrence, ms_recurrence, MS_CLASSIC),
    NUMBER(ms_screen_options, error),
    ENUM(ms_screen_options, backend, ms_backend, MS_BACKEND_BOTH),
    ENUM(ms_screen_options, method, ms_screen_method, MS_METHOD_AUTO),
    {0},
};
static const ms_options_member pattern_members[] = {
    ENUM(ms_pattern_options, order, ms_order, MS_ORDER_REUSE),
    ENUM(ms_pattern_options, screen_mode, ms_screen_mode, MS_SCREEN_NEVER),
    ENUM(ms_pattern_options, sort, ms_measure, MS_MEASURE_VERTEX_SCORE),
    ARRAY(ms_pattern_options, required, n_required, MS_RULE_STRINGS),
    {0},
};
static const ms_options_member typed_members[] = {
    ENUM(ms_typed_options, format, ms_typed_format, MS_TYPED_FORMATS - 1),
    NUMBER(ms_typed_options, min_score),
    {0},
};
static const ms_options_member typed_match_members[] = {
    ENUM(ms_typed_match_options, walk, ms_typed_walk, MS_WALK_RANDOM),
    ENUM(ms_typed_match_options, screen_mode, ms_screen_mode, MS_SCREEN_NEVER),
    ENUM(ms_typed_match_options, recurrence, ms_recurrence, MS_CLASSIC),
    ENUM(ms_typed_match_options, backend, ms_backend, MS_BACKEND_BOTH),
    NUMBER(ms_typed_match_options, error),
    ARRAY(ms_typed_match_options, required, n_required, MS_RULE_STRINGS),
    {0},
};
static const ms_options_member generate_members[] = {
    ENUM(ms_generate_options, family, ms_family, MS_FAMILIES - 1),
    NUMBER(ms_generate_options, degree),
    NUMBER(ms_generate_options, probability),
    NUMBER(ms_generate_options, exponent),
    NUMBER(ms_generate_options, quadrants[0]),
    NUMBER(ms_generate_options, quadrants[1]),
    NUMBER(ms_generate_options, quadrants[2]),
    NUMBER(ms_generate_options, quadrants[3]),
    NUMBER(ms_generate_options, removed),
    NUMBER(ms_generate_options, diagonals),
    {0},
};
static const ms_options_member shuffle_members[] = {
    ENUM(ms_shuffle_options, names, ms_new_names, MS_NAMES_KEPT),
    {0},
};
static const ms_options_member cut_members[] = {
    ENUM(ms_cut_options, density, ms_density, MS_DENSITY_DENSE),
    {0},
};
static const ms_options_member neighbor_members[] = {
    ENUM(ms_neighbor_options, rule, ms_neighbor_rule, MS_NEIGHBORS_DELAUNAY),
    NUMBER(ms_neighbor_options, radius),
    {0},
};
static const ms_options_member permutation_members[] = {
    SEED(ms_permutation_options),
    ENUM(ms_permutation_options, null_kind, ms_null_kind, MS_NULL_REWIRE_COLORS),
    ARRAY(ms_permutation_options, stratum, n_strata, MS_RULE_ARRAY),
    {0},
};
static const ms_options_member census_statistics_members[] = {
    ENUM(ms_census_statistics, sort, ms_census_order, MS_CENSUS_BY_Q_LESS),
    {0},
};
static const ms_options_member census_members[] = {
    ARRAY(ms_census_options, only, n_only, MS_RULE_ARRAY),
    {0},
};
static const ms_options_member significance_members[] = {
    SEED(ms_significance_options),
    ENUM(ms_significance_options, moments, ms_moments_choice, MS_MOMENTS_SAMPLED),
    NUMBER(ms_significance_options, min_expected),
    {0},
};
static const ms_options_member compare_members[] = {
    ARRAY(ms_compare_options, only, n_only, MS_RULE_STRINGS),
    {0},
};
static const ms_options_member list_members[] = {
    ENUM(ms_list_options, sort, ms_measure, MS_MEASURE_VERTEX_SCORE),
    NUMBER(ms_list_options, min_density),
    NUMBER(ms_list_options, min_mean_score),
    NUMBER(ms_list_options, families),
    {0},
};
static const ms_options_member division_members[] = {
    NUMBER(ms_division, checkpoint_seconds),
    {0},
};
static const ms_options_member write_members[] = {
    ENUM(ms_write_options, measures, ms_measures_choice, MS_MEASURES_SCORES),
    ENUM(ms_write_options, form, ms_form, MS_FORM_SVG),
    {0},
};

KIND(ms_graph_options, MS_GRAPH_OPTIONS_DEFAULT, graph_members,
     RUN(ms_graph_options, RUN_THREADS | RUN_MEMORY | RUN_PROGRESS));
KIND(ms_color_options, MS_COLOR_OPTIONS_DEFAULT, color_members, .part = {{0}});
KIND(ms_screen_options, MS_SCREEN_OPTIONS_DEFAULT, screen_members,
     RUN(ms_screen_options, RUN_ALL & ~RUN_ENGINE));
KIND(ms_list_options, MS_LIST_OPTIONS_DEFAULT, list_members,
     RUN_IN(ms_list_options, screen.run, RUN_ALL),
     .part = {{offsetof(ms_list_options, screen), &ms_screen_options_kind}});
KIND(ms_nearest_options, MS_NEAREST_OPTIONS_DEFAULT, no_members,
     RUN(ms_nearest_options, RUN_SEARCH));
KIND(ms_pattern_options, MS_PATTERN_OPTIONS_DEFAULT, pattern_members,
     RUN_IN(ms_pattern_options, screen.run, RUN_ALL),
     .part = {{offsetof(ms_pattern_options, screen), &ms_screen_options_kind}});
KIND(ms_clique_options, MS_CLIQUE_OPTIONS_DEFAULT, no_members, RUN(ms_clique_options, RUN_SEARCH));
KIND(ms_typed_options, MS_TYPED_OPTIONS_DEFAULT, typed_members, RUN(ms_typed_options, RUN_THREADS));
KIND(ms_typed_match_options, MS_TYPED_MATCH_OPTIONS_DEFAULT, typed_match_members,
     RUN(ms_typed_match_options, RUN_ALL));
KIND(ms_path_options, MS_PATH_OPTIONS_DEFAULT, no_members,
     RUN(ms_path_options, RUN_THREADS | RUN_STOP | RUN_PROGRESS));
KIND(ms_verify_options, MS_VERIFY_OPTIONS_DEFAULT, no_members,
     RUN(ms_verify_options, RUN_STOP | RUN_PROGRESS),
     .part = {{offsetof(ms_verify_options, graph), &ms_graph_options_kind},
              {offsetof(ms_verify_options, colors), &ms_color_options_kind},
              {offsetof(ms_verify_options, typed), &ms_typed_options_kind}});

KIND(ms_report_options, MS_REPORT_OPTIONS_DEFAULT, no_members,
     .part = {{offsetof(ms_report_options, verify), &ms_verify_options_kind}});
KIND(ms_generate_options, MS_GENERATE_OPTIONS_DEFAULT, generate_members,
     RUN(ms_generate_options, RUN_THREADS | RUN_MEMORY | RUN_ANY_SEED));
KIND(ms_plant_options, MS_PLANT_OPTIONS_DEFAULT, no_members, .part = {{0}});
KIND(ms_shuffle_options, MS_SHUFFLE_OPTIONS_DEFAULT, shuffle_members,
     RUN(ms_shuffle_options, RUN_THREADS | RUN_ANY_SEED));
KIND(ms_cut_options, MS_CUT_OPTIONS_DEFAULT, cut_members, .part = {{0}});
KIND(ms_points_options, MS_POINTS_OPTIONS_DEFAULT, no_members, RUN(ms_points_options, RUN_MEMORY));
KIND(ms_neighbor_options, MS_NEIGHBOR_OPTIONS_DEFAULT, neighbor_members,
     RUN(ms_neighbor_options, RUN_THREADS | RUN_MEMORY));
KIND(ms_mine_options, MS_MINE_OPTIONS_DEFAULT, no_members, RUN(ms_mine_options, RUN_SEARCH));
KIND(ms_census_statistics, MS_CENSUS_STATISTICS_DEFAULT, census_statistics_members, .part = {{0}});
KIND(ms_permutation_options, MS_PERMUTATION_OPTIONS_DEFAULT, permutation_members, .part = {{0}});
KIND(ms_census_options, MS_CENSUS_OPTIONS_DEFAULT, census_members,
     RUN(ms_census_options, RUN_ALL & ~RUN_SEED));
KIND(ms_significance_options, MS_SIGNIFICANCE_OPTIONS_DEFAULT, significance_members, .part = {{0}});
KIND(ms_sample_options, MS_SAMPLE_OPTIONS_DEFAULT, no_members, .part = {{0}});
KIND(ms_compare_options, MS_COMPARE_OPTIONS_DEFAULT, compare_members,
     RUN(ms_compare_options, RUN_SEARCH | RUN_SEED));
KIND(ms_write_options, MS_WRITE_OPTIONS_DEFAULT, write_members, .part = {{0}});
KIND(ms_component_options, MS_COMPONENT_OPTIONS_DEFAULT, no_members, .part = {{0}});
KIND(ms_division, MS_DIVISION_DEFAULT, division_members, .part = {{0}});
KIND(ms_merge_options, MS_MERGE_OPTIONS_DEFAULT, no_members,
     RUN(ms_merge_options, RUN_MEMORY | RUN_STOP | RUN_PROGRESS));

/* ---- checking ---------------------------------------------------------------- */

ms_status ms_check_threads(int threads, ms_error *err)
{
  if (threads >= 0 && threads <= MS_MOST_THREADS)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE, "`threads` is %d; use 1 to %d, or 0 for all processors",
                 threads, MS_MOST_THREADS);
}

ms_status ms_check_enum(const char *name, int value, const char *values, int most, ms_error *err)
{
  if (value >= 0 && value <= most)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE, "`%s` is %d, which is no value of %s; use one of them", name,
                 value, values);
}

static ms_status check_array(const char *name, const void *array, uint32_t count, ms_error *err)
{
  if (array || count == 0)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE, "`%s` is NULL, and its count is %u; give the array, or 0", name,
                 count);
}

static ms_status check_list(const ms_options_member *m, const char *options, ms_error *err)
{
  const void *array;
  uint32_t count;
  memcpy(&array, options + m->at, sizeof array);
  memcpy(&count, options + m->count, sizeof count);
  MS_TRY(check_array(m->name, array, count, err));
  for (uint32_t i = 0; m->rule == MS_RULE_STRINGS && i < count; i++)
    if (!((const char *const *)array)[i])
      return ms_fail(err, MS_ERR_USAGE, "entry %u of `%s` is NULL; give a string", i, m->name);
  return MS_OK;
}

static ms_status check_seed(const char *name, uint64_t seed, ms_error *err)
{
  if (seed <= INT64_MAX)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE, "`%s` is greater than 2^63-1; choose a smaller number", name);
}

static ms_status check_run(const ms_options_kind *kind, const char *options, ms_error *err)
{
  ms_run_limits run;
  memcpy(&run, options + kind->run, sizeof run);
  const char *useless = !(kind->takes & RUN_THREADS) && run.threads     ? "threads"
                        : !(kind->takes & RUN_MEMORY) && run.memory     ? "memory"
                        : !(kind->takes & RUN_STOP) && run.stop         ? "stop"
                        : !(kind->takes & RUN_PROGRESS) && run.progress ? "progress"
                        : !(kind->takes & RUN_DEVICES) && run.n_devices ? "devices"
                        : !(kind->takes & RUN_ENGINE) && run.engine     ? "engine"
                        : !(kind->takes & RUN_SEED) && run.seed         ? "seed"
                        : !(kind->takes & RUN_DIVISION) && run.division ? "division"
                                                                        : NULL;
  if (useless)
    return ms_fail(err, MS_ERR_USAGE, "`%s` has no effect on this call; leave it out", useless);
  MS_TRY(ms_check_threads(run.threads, err));
  if (!(kind->takes & (RUN_ANY_SEED - RUN_SEED)))
    MS_TRY(check_seed("seed", run.seed, err));
  return check_array("devices", run.devices, run.n_devices, err);
}

static ms_status check_member(const ms_options_member *m, const char *options, ms_error *err)
{
  double number;
  uint64_t seed;
  int value;
  switch (m->rule) {
  case MS_RULE_ENUM:
    memcpy(&value, options + m->at, sizeof value);
    return ms_check_enum(m->name, value, m->values, m->most, err);
  case MS_RULE_NUMBER:
    memcpy(&number, options + m->at, sizeof number);
    return number == number ? MS_OK : ms_fail(err, MS_ERR_USAGE, "`%s` is not a number", m->name);
  case MS_RULE_SEED:
    memcpy(&seed, options + m->at, sizeof seed);
    return check_seed(m->name, seed, err);
  default:
    return check_list(m, options, err);
  }
}

/* `outer` is the ms_run_limits that was checked already; the same place of a part is of the outer
 * call. */
static ms_status check_members(const ms_options_kind *kind, const char *options, const char *outer,
                               ms_error *err)
{
  const char *run = kind->takes ? options + kind->run : NULL;
  for (const ms_options_member *m = kind->member; m->name; m++)
    MS_TRY(check_member(m, options, err));
  if (run && run != outer)
    MS_TRY(check_run(kind, options, err));
  for (size_t i = 0; i < MS_MAX_OPTION_PARTS && kind->part[i].kind; i++)
    MS_TRY(check_members(kind->part[i].kind, options + kind->part[i].at, run, err));
  return MS_OK;
}

/* ---- reading ---------------------------------------------------------------- */

/* Where a struct is read and where it is written. */
typedef struct cursor {
  const char *from;
  char *to;
  size_t left, room; /* bytes that are not yet read, and not yet written */
} cursor;

static void copy(cursor *c, size_t bytes)
{
  bytes = bytes < c->left ? bytes : c->left;
  memcpy(c->to, c->from, bytes);
}

static void advance(cursor *c, size_t read, size_t written)
{
  read = read < c->left ? read : c->left;
  c->from += read;
  c->left -= read;
  c->to += written;
  c->room -= written;
}

static ms_status fail_newer(const ms_options_kind *kind, size_t size, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE,
                 "%s.size is %zu, and version %s of the library knows %zu bytes; initialise the "
                 "struct with %s, and link the library whose header the program includes",
                 kind->name, size, ms_version(), kind->size, kind->macro);
}

/* Reads a struct of which at most `most` bytes belong to the caller.  *size receives its bytes. */
static ms_status take(const ms_options_kind *kind, const char *from, size_t most, char *to,
                      size_t *size, ms_error *err)
{
  memcpy(size, from, sizeof *size);
  if (*size < sizeof *size)
    return ms_fail(err, MS_ERR_USAGE, "%s.size is %zu; initialise the struct with %s", kind->name,
                   *size, kind->macro);
  if (*size > kind->size || *size > most)
    return fail_newer(kind, *size, err);
  cursor c = {from, to, *size, kind->size};
  for (size_t i = 0; i < MS_MAX_OPTION_PARTS && kind->part[i].kind; i++) {
    const ms_options_kind *inner = kind->part[i].kind;
    size_t inner_size, before = kind->part[i].at - (kind->size - c.room);
    copy(&c, before);
    advance(&c, before, before);
    if (c.left < sizeof inner_size)
      break;
    MS_TRY(take(inner, c.from, c.left, c.to, &inner_size, err));
    advance(&c, inner_size, inner->size);
  }
  if (c.left > c.room)
    return fail_newer(kind, *size, err);
  copy(&c, c.left);
  memcpy(to, &kind->size, sizeof kind->size);
  return MS_OK;
}

ms_status ms_options_take(const ms_options_kind *kind, const void *from, void *to, ms_error *err)
{
  size_t size;
  memcpy(to, kind->defaults, kind->size);
  if (!from)
    return MS_OK;
  MS_TRY(take(kind, from, kind->size, to, &size, err));
  return check_members(kind, to, NULL, err);
}
