/* Reports and checks of result files; the table of entries. */
#include "package.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>
#include <string.h>

typedef struct inspection {
  const char
      *path[4]; /* of result, graph, colours, page; NULL: none, without a page only the check */
  ms_report_options options;
  const double *xy; /* [n][dimensions] positions of the vertices; NULL: none */
  const uint32_t *slide;
  const char **names;
  uint32_t n, dimensions;
  ms_report_info info;
} inspection;

static ms_status inspection_work(void *data, ms_error *err)
{
  inspection *i = data;
  ms_points *points = NULL;
  ms_status status = MS_OK;
  call_limits(&i->options.verify.run);
  if (!i->path[3])
    return ms_verify_file(i->path[0], i->path[1], i->path[2], &i->options.verify, &i->info.verdict,
                          err);
  if (i->xy)
    status = ms_points_new(i->n, i->dimensions, i->xy, i->slide, i->names, &points, err);
  i->options.positions = points;
  if (status == MS_OK)
    status =
        ms_report_write(i->path[0], i->path[1], i->path[2], &i->options, i->path[3], &i->info, err);
  ms_points_free(points);
  return status;
}

/* clang-format off */
#define O(type, member, name) {#name, OPTION_##type, offsetof(ms_report_options, member)}
static const option report_table[] = {
    O(FLAG, no_verify, no_verify), O(U64, rows, rows), O(U64, edges, edges),
    O(FLAG, verify.no_recount, no_recount), O(REAL, verify.recount_seconds, seconds),
    O(REAL, verify.flag_seconds, flag_seconds), O(TEXT, verify.pattern, pattern),
    O(TEXT, verify.aliases, aliases), O(TEXT, verify.metadata, metadata),
    O(TEXT, verify.below, below)};
/* clang-format on */

/* Returns list(outcome, c(outcome, completeness, rows, draws) of the check, problem) for paths
 * c(result, graph, colors or "", page or ""). */
SEXP r_report(SEXP paths, SEXP given, SEXP reading, SEXP limits)
{
  inspection *i = (inspection *)R_alloc(1, sizeof *i);
  *i = (inspection){.options = MS_REPORT_OPTIONS_DEFAULT};
  SEXP xy = list_item(given, "xy"), slides = list_item(given, "slides");
  for (int j = 0; j < 4; j++) {
    const char *path = Rf_translateChar(STRING_ELT(paths, j));
    i->path[j] = *path ? path : NULL;
  }
  set_reading(reading, &i->options.verify.graph, &i->options.verify.colors);
  SET_OPTIONS(given, report_table, &i->options);
  if (!Rf_isNull(xy)) {
    i->xy = REAL(xy);
    i->dimensions = (uint32_t)Rf_nrows(xy);
    i->slide = Rf_isNull(slides) ? NULL : (const uint32_t *)INTEGER(slides);
    i->names = list_texts(given, "names", &i->n);
  }
  SEXP list = PROTECT(Rf_allocVector(VECSXP, 3));
  SET_VECTOR_ELT(list, 0, call_library(inspection_work, i, limits));
  const ms_verify_report *r = &i->info.verdict;
  double numbers[] = {r->outcome, r->completeness, (double)r->rows, ms_report_can_draw()};
  memcpy(REAL(SET_VECTOR_ELT(list, 1, Rf_allocVector(REALSXP, 4))), numbers, sizeof numbers);
  SET_VECTOR_ELT(list, 2, Rf_ScalarString(Rf_mkCharCE(r->problem, CE_UTF8)));
  UNPROTECT(1);
  return list;
}

/* ---- the package ---------------------------------------------------------------------- */

#define MOST_COLUMNS 64u

/* Returns a matrix with the columns name, values, when, meaning for a kind of rows; or, where there
 * is no such kind, with the names of all kinds. */
SEXP r_columns(SEXP kind)
{
  ms_column_info info[MOST_COLUMNS] = {{0}};
  uint32_t count = Rf_isNull(kind) ? 0 : ms_columns(CHAR(STRING_ELT(kind, 0)), MOST_COLUMNS, info);
  uint32_t fields = count ? 4 : 1, rows = count;
  while (!count && ms_columns_kind(rows))
    rows++;
  SEXP table = PROTECT(Rf_allocMatrix(STRSXP, (int)rows, (int)fields));
  for (uint32_t i = 0; i < rows; i++) {
    const char *texts[] = {count ? info[i].name : ms_columns_kind(i), info[i].type, info[i].when,
                           info[i].meaning};
    for (uint32_t j = 0; j < fields; j++)
      SET_STRING_ELT(table, i + (R_xlen_t)rows * j, Rf_mkChar(texts[j]));
  }
  UNPROTECT(1);
  return table;
}

/* Returns the version of the library, and what it says about GPUs. */
SEXP r_library(void)
{
  SEXP texts = PROTECT(Rf_allocVector(STRSXP, 2));
  SET_STRING_ELT(texts, 0, Rf_mkChar(ms_version()));
  SET_STRING_ELT(texts, 1, Rf_mkChar(ms_device_reason()));
  UNPROTECT(1);
  return texts;
}

/* clang-format off */
#define ENTRY(name, arguments) {#name, (DL_FUNC)(void (*)(void))name, arguments}
static const R_CallMethodDef entries[] = {
    ENTRY(r_build, 4), ENTRY(r_read, 3), ENTRY(r_write_graph, 3), ENTRY(r_describe, 1),
    ENTRY(r_names, 1), ENTRY(r_edges, 1), ENTRY(r_search, 6), ENTRY(r_columns, 1), ENTRY(r_report, 4), ENTRY(r_library, 0), {NULL, NULL, 0}};
/* clang-format on */

attribute_visible void R_init_motifsieve(DllInfo *info); /* R calls it */

void R_init_motifsieve(DllInfo *info)
{
  R_registerRoutines(info, NULL, entries, NULL, NULL);
  R_useDynamicSymbols(info, FALSE);
  R_forceSymbols(info, TRUE);
}
