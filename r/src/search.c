/* Searches.  Each kind of query is a row of a table: the options that it takes from a list of R,
 * and its work, which searches and writes the result file that R/result.R reads. */
#include "package.h"

#include <string.h>

struct search;

/* A kind of query. */
typedef struct kind {
  const char *name;
  ms_status (*work)(struct search *s, ms_error *err); /* searches, and writes the result */
  size_t run; /* offset of the limits of the run in struct search */
  const option *table;
  size_t count;
} kind;

typedef struct search {
  const kind *kind;
  network *network;        /* NULL: of samples in files */
  ms_pattern_index *index; /* of the network, or a new one that it gets */
  const char *path;        /* of the result */
  ms_write_options write;
  ms_graph_options reading;
  ms_color_options color_reading;
  /* what is asked for; which of these count depends on the kind */
  const char *motif, *pattern, *sheet;
  ms_query *query; /* of the motif */
  const char **required, **only;
  uint32_t n_required, n_only;
  ms_screen_options screen;
  ms_list_options list;
  ms_nearest_options nearest;
  ms_pattern_options match;
  ms_census_options census;
  ms_significance_options formula;
  ms_permutation_options permuted;
  ms_census_statistics statistics;
  ms_mine_options mine;
  ms_compare_options compare;
  ms_sample_options samples;
  bool directed, significance;
  bool plain;     /* of a census: colours do not count */
  double degrees; /* share of the variance of degrees that colours explain; 0: not to be told */
} search;

/* The next step of some work, whose status is `status`. */
#define THEN(step) status = status == MS_OK ? (step) : status

/* ---- motifs --------------------------------------------------------------------------- */

static ms_status screen_work(search *s, ms_error *err)
{
  ms_screen_result *result = NULL;
  ms_status status = ms_screen(s->query, &s->screen, &result, err);
  THEN(ms_screen_write(s->query, &s->screen, result, &s->write, s->path, err));
  ms_screen_result_free(result);
  return status;
}

static ms_status list_work(search *s, ms_error *err)
{
  ms_list_result *result = NULL;
  ms_status status = ms_list_to_file(s->query, &s->list, &s->write, s->path, &result, err);
  ms_list_result_free(result);
  return status;
}

static ms_status nearest_work(search *s, ms_error *err)
{
  ms_nearest_result *result = NULL;
  ms_status status = ms_list_nearest(s->query, &s->nearest, &result, err);
  THEN(ms_nearest_write(s->query, &s->nearest, result, &s->write, s->path, err));
  ms_nearest_result_free(result);
  return status;
}

static ms_status mine_work(search *s, ms_error *err)
{
  ms_session *session = NULL;
  ms_status status = ms_session_new(s->network->graph, s->network->coloring, &session, err);
  THEN(ms_session_mine_to_file(session, &s->mine, &s->write, s->path, NULL, err));
  ms_session_free(session);
  return status;
}

/* ---- patterns ------------------------------------------------------------------------- */

static ms_status match_work(search *s, ms_error *err)
{
  const network *n = s->network;
  ms_pattern *pattern = NULL;
  ms_pattern_result *result = NULL;
  s->match.required = s->required;
  s->match.n_required = s->n_required;
  s->index = n->index;
  ms_status status = strpbrk(s->pattern, "()")
                         ? ms_pattern_parse(s->pattern, s->directed, &pattern, err)
                         : ms_pattern_named(s->pattern, &pattern, err);
  if (!s->index)
    THEN(ms_pattern_index_new(n->graph, n->coloring, s->match.screen.run.threads, &s->index, err));
  THEN(ms_pattern_list_to_file(s->index, pattern, &s->match, &s->write, s->path, &result, err));
  ms_pattern_result_free(result);
  ms_pattern_free(pattern);
  return status;
}

/* ---- censuses ------------------------------------------------------------------------- */

/* Leaves the motifs that `min_count` and `top` ask for, the first ones if they come by their sets;
 * in another order, the writer leaves them. */
static void census_cut(const search *s, ms_census_result *r, ms_significance *significance)
{
  if (s->statistics.sort != MS_CENSUS_BY_SETS)
    return;
  while (r->count > 0 && (r->n_sets[r->count - 1] < s->census.min_count ||
                          (s->census.top > 0 && r->count > s->census.top)))
    r->count--;
  if (significance)
    significance->count = r->count;
}

static ms_status census_work(search *s, ms_error *err)
{
  const ms_graph *graph = s->network->graph;
  const ms_coloring *coloring = s->plain ? NULL : s->network->coloring;
  bool permutes = s->permuted.permutations > 0, labels = s->permuted.null_kind == MS_NULL_LABELS;
  ms_census_result *r = NULL;
  ms_significance *formula = NULL;
  ms_permutation_result *permuted = NULL;
  ms_status status = MS_OK;
  ms_census_options all = s->census;
  if (permutes || s->statistics.sort != MS_CENSUS_BY_SETS)
    all.min_count = all.top = 0; /* statistics need all motifs */
  if (s->significance)
    THEN(ms_census_significance(graph, coloring, &all, &s->formula, &r, &formula, err));
  else
    THEN(ms_census(graph, coloring, &all, &r, err));
  if (permutes && r && r->run.stopped == MS_OK)
    THEN(ms_census_permute(graph, coloring, &all, &s->permuted, r, &permuted, err));
  if (status == MS_OK && (formula || permuted) && coloring && !all.shapes && labels)
    ms_degrees_by_color(graph, coloring, &all, &s->degrees, NULL);
  if (permuted)
    census_cut(s, r, formula);
  s->statistics.significance = formula;
  s->statistics.permutations = permuted;
  s->statistics.permutation_options = &s->permuted;
  s->statistics.strata = s->permuted.n_strata > 0 ? "strata" : NULL;
  THEN(ms_census_write_statistics(graph, coloring, &s->census, r, &s->statistics, &s->write,
                                  s->path, err));
  ms_permutation_result_free(permuted);
  ms_significance_free(formula);
  ms_census_result_free(r);
  return status;
}

static ms_status vertices_work(search *s, ms_error *err)
{
  return ms_census_vertices_to_file(s->network->graph, s->network->coloring, &s->census, &s->write,
                                    s->path, NULL, err);
}

static ms_status orbits_work(search *s, ms_error *err)
{
  const ms_graph *graph = s->network->graph;
  const ms_coloring *coloring = s->plain ? NULL : s->network->coloring;
  ms_orbits_result *r = NULL;
  ms_status status = ms_orbits(graph, coloring, &s->census, &r, err);
  THEN(ms_orbits_write(graph, coloring, &s->census, r, false, &s->write, s->path, err));
  ms_orbits_result_free(r);
  return status;
}

/* Samples are parts of a graph by a table of its vertices, or graphs by a sheet. */
static ms_status compare_work(search *s, ms_error *err)
{
  const network *n = s->network;
  ms_samples *samples = NULL;
  ms_comparison *result = NULL;
  s->compare.only = s->only;
  s->compare.n_only = s->n_only;
  ms_status status =
      n ? ms_samples_split(n->graph, n->coloring, s->sheet, &s->samples, &samples, err)
        : ms_samples_read(s->sheet, &s->reading, &s->color_reading, &s->samples, &samples, err);
  THEN(ms_compare(samples, &s->compare, &result, err));
  THEN(ms_compare_write(samples, &s->samples, &s->compare, result, &s->write, s->path, err));
  ms_comparison_free(result);
  ms_samples_free(samples);
  return status;
}

/* ---- the tables ----------------------------------------------------------------------- */

/* An item of R's list has the name of the member. */
/* clang-format off */
#define O(type, of, member) {#member, OPTION_##type, offsetof(search, of.member)}
#define CENSUS                                                                                     \
  O(U32, census, k), O(FLAG, census, primary), O(U64, census, min_count), O(U64, census, top),     \
      {"plain", OPTION_FLAG, offsetof(search, plain)}
static const option run_table[] = {{"threads", OPTION_INT, offsetof(ms_run_limits, threads)},
                                   {"memory", OPTION_U64, offsetof(ms_run_limits, memory)}};
static const option screen_table[] = {
    O(U64, screen.run, seed), O(INT, screen, method), O(REAL, screen, error),
    O(U32, screen, repetitions), O(U32, screen, max_missing), O(U32, screen, max_extra),
    O(FLAG, write, all), O(FLAG, write, all_colors)};
static const option list_table[] = {
    O(U64, list.screen.run, seed), O(FLAG, list, exact),
    O(FLAG, list, count_only), O(FLAG, list, participation), O(U64, list, limit),
    O(U64, list, sample), O(FLAG, list, diverse), O(REAL, list, families), O(INT, list, sort),
    O(U64, list, top), O(INT, write, measures), O(FLAG, write, long_rows),
    O(FLAG, write, wide_rows)};
static const option nearest_table[] = {
    O(U32, nearest, max_missing), O(U32, nearest, max_extra),
    O(FLAG, nearest, nearest_only), O(FLAG, nearest, count_only), O(U64, nearest, limit),
    O(FLAG, write, roles)};
static const option match_table[] = {
    O(U64, match.screen.run, seed), O(FLAG, match, induced),
    O(FLAG, match, embeddings), O(INT, match, screen_mode), O(FLAG, match, count_only),
    O(FLAG, match, participation), O(FLAG, match, by_position), O(U64, match, limit),
    O(U64, match, sample), O(INT, match, sort), O(U64, match, top), O(INT, write, measures),
    O(FLAG, write, long_rows), {"directed", OPTION_FLAG, offsetof(search, directed)}};
static const option census_table[] = {
    CENSUS, O(FLAG, census, shapes), O(FLAG, census, non_induced), O(FLAG, census, all_shapes),
    {"significance", OPTION_FLAG, offsetof(search, significance)}, O(INT, formula, moments),
    O(U64, formula, samples), O(REAL, formula, min_expected), O(INT, statistics, sort),
    O(U64, permuted, permutations), O(INT, permuted, null_kind), O(U64, permuted, seed),
    O(FLAG, permuted, max_t)};
static const option vertices_table[] = {CENSUS};
static const option mine_table[] = {
    O(U32, mine, slots), O(U32, mine, least), O(U32, mine, support)};
static const option compare_table[] = {
    O(U64, compare.run, seed), O(U32, compare, k), O(FLAG, compare, primary),
    O(TEXT, compare, reference), O(FLAG, compare, rest), O(U64, compare, min_count),
    O(U64, compare, top), O(U64, compare, permutations), O(TEXT, samples, sample_column),
    O(TEXT, samples, group_column), O(TEXT, samples, block_column)};

#define KIND(name, of, table)                                                                     \
  {#name, name##_work, offsetof(search, of.run), table, sizeof(table) / sizeof *(table)}
static const kind kinds[] = {
    KIND(screen, screen, screen_table), KIND(list, list.screen, list_table),
    KIND(nearest, nearest, nearest_table), KIND(match, match.screen, match_table),
    KIND(census, census, census_table), KIND(vertices, census, vertices_table),
    KIND(orbits, census, vertices_table), KIND(mine, mine, mine_table),
    KIND(compare, compare, compare_table)};
/* clang-format on */

static ms_status search_work(void *data, ms_error *err)
{
  search *s = data;
  ms_motif *motif = NULL;
  call_limits((ms_run_limits *)((char *)s + s->kind->run));
  ms_status status = MS_OK;
  if (s->motif) {
    status = ms_motif_parse(s->motif, s->network->coloring, &motif, err);
    THEN(ms_query_new(s->network->graph, s->network->coloring, motif, s->n_required, s->required,
                      &s->query, err));
  }
  THEN(s->kind->work(s, err));
  ms_query_free(s->query);
  ms_motif_free(motif);
  return status;
}

/* Takes what is asked for from the list. */
static void search_take(search *s, const char *name, SEXP given)
{
  SEXP strata = list_item(given, "strata"), form = list_item(given, "form");
  SEXP ids = list_item(given, "only_ids");
  s->kind = kinds;
  while (strcmp(s->kind->name, name) != 0)
    s->kind++;
  set_options(given, s->kind->table, s->kind->count, s);
  SET_OPTIONS(given, run_table, (char *)s + s->kind->run);
  s->formula.seed = s->permuted.seed;
  s->write.form = Rf_isNull(form) ? MS_FORM_TSV : (ms_form)Rf_asInteger(form);
  s->write.graph = &s->reading;
  s->write.colors = &s->color_reading;
  s->motif = list_text(given, "motif");
  s->pattern = list_text(given, "pattern");
  s->sheet = list_text(given, "sheet");
  s->required = list_texts(given, "require", &s->n_required);
  s->only = list_texts(given, "only", &s->n_only);
  if (!Rf_isNull(ids)) {
    s->census.only = (const uint32_t *)INTEGER(ids);
    s->census.n_only = (uint32_t)Rf_length(ids);
  }
  if (!Rf_isNull(strata)) {
    s->permuted.stratum = (const uint32_t *)INTEGER(strata);
    s->permuted.n_strata = (uint32_t)Rf_length(strata);
  }
}

SEXP r_search(SEXP name, SEXP pointer, SEXP given, SEXP reading, SEXP path, SEXP limits)
{
  search *s = (search *)R_alloc(1, sizeof *s);
  *s = (search){.network = Rf_isNull(pointer) ? NULL : network_of(pointer),
                .path = Rf_translateChar(STRING_ELT(path, 0)),
                .write = MS_WRITE_OPTIONS_DEFAULT,
                .screen = MS_SCREEN_OPTIONS_DEFAULT,
                .list = MS_LIST_OPTIONS_DEFAULT,
                .nearest = MS_NEAREST_OPTIONS_DEFAULT,
                .match = MS_PATTERN_OPTIONS_DEFAULT,
                .census = MS_CENSUS_OPTIONS_DEFAULT,
                .formula = MS_SIGNIFICANCE_OPTIONS_DEFAULT,
                .permuted = MS_PERMUTATION_OPTIONS_DEFAULT,
                .statistics = MS_CENSUS_STATISTICS_DEFAULT,
                .mine = MS_MINE_OPTIONS_DEFAULT,
                .compare = MS_COMPARE_OPTIONS_DEFAULT,
                .samples = MS_SAMPLE_OPTIONS_DEFAULT};
  s->permuted.seed = s->compare.run.seed = MS_DEFAULT_SEED;
  set_reading(reading, &s->reading, &s->color_reading);
  search_take(s, CHAR(STRING_ELT(name, 0)), given);
  SEXP list = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(list, 0, call_library(search_work, s, limits));
  if (s->index && !s->network->index)
    s->network->index = s->index;
  else if (s->index && s->index != s->network->index) /* an event of R made one meanwhile */
    ms_pattern_index_free(s->index);
  SET_VECTOR_ELT(list, 1, Rf_ScalarReal(s->degrees));
  UNPROTECT(1);
  return list;
}
