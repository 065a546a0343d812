/* Graphs of R.  Each is read from a file, its own or one that is written here into the session's
 * folder: so each result names the file that it was made of, and can be checked and reported. */
#include "package.h"

#include <string.h>

static void free_network(network *n)
{
  ms_pattern_index_free(n->index);
  ms_coloring_free(n->coloring);
  ms_graph_free(n->graph);
  memset(n, 0, sizeof *n);
}

/* ---- handles -------------------------------------------------------------------------- */

static void finalize(SEXP pointer)
{
  network *n = R_ExternalPtrAddr(pointer);
  if (!n)
    return;
  R_ClearExternalPtr(pointer);
  free_network(n);
  R_Free(n);
}

static SEXP new_handle(void)
{
  SEXP pointer = PROTECT(R_MakeExternalPtr(NULL, R_NilValue, R_NilValue));
  R_RegisterCFinalizerEx(pointer, finalize, FALSE);
  R_SetExternalPtrAddr(pointer, R_Calloc(1, network));
  UNPROTECT(1);
  return pointer;
}

network *network_of(SEXP pointer)
{
  network *n = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
  if (!n || !n->graph)
    usage_error("the graph is not in this session, because graphs are not saved with it; make it "
                "again with ms_graph(), ms_points() or ms_read_graph()");
  return n;
}

/* ---- options -------------------------------------------------------------------------- */

/* An item of R's list has the name of the member. */
/* clang-format off */
#define O(type, of, member) {#member, OPTION_##type, offsetof(ms_##of##_options, member)}
static const option graph_table[] = {
    O(REAL, graph, min_score), O(FLAG, graph, keep_taxon), O(FLAG, graph, header),
    O(FLAG, graph, no_header), O(TEXT, graph, taxon), O(TEXT, graph, system),
    O(TEXT, graph, names), O(FLAG, graph, directed), O(TEXT, graph, source_column),
    O(TEXT, graph, target_column), O(TEXT, graph, score_column), O(TEXT, graph, color_attribute),
    O(FLAG, graph, keep_scores), O(TEXT, graph, combine), O(TEXT, graph, direction_column),
    {"memory", OPTION_U64, offsetof(ms_graph_options, run.memory)}};
static const option color_table[] = {
    O(TEXT, color, aspects), O(FLAG, color, header), O(TEXT, color, obo), O(TEXT, color, slim),
    O(TEXT, color, name_column), O(TEXT, color, color_column), O(TEXT, color, separator),
    O(FLAG, color, ignore_unknown)};
static const option neighbor_table[] = {
    O(INT, neighbor, rule), O(U32, neighbor, nearest), O(REAL, neighbor, radius),
    O(FLAG, neighbor, mutual)};
/* clang-format on */

void set_reading(SEXP reading, ms_graph_options *graph, ms_color_options *colors)
{
  SEXP of_graph = list_item(reading, "graph"), of_colors = list_item(reading, "colors");
  const char *format = list_text(of_graph, "format"), *form = list_text(of_colors, "format");
  *graph = (ms_graph_options)MS_GRAPH_OPTIONS_DEFAULT;
  *colors = (ms_color_options)MS_COLOR_OPTIONS_DEFAULT;
  if ((format && !ms_graph_format_find(format, &graph->format)) ||
      (form && !ms_color_format_find(form, &colors->format)))
    usage_error("the format \"%s\" is not one of those that docs/FORMATS.md describes; \"auto\" "
                "finds it out",
                format && graph->format == MS_FORMAT_AUTO && strcmp(format, "auto") != 0 ? format
                                                                                         : form);
  SET_OPTIONS(of_graph, graph_table, graph);
  SET_OPTIONS(of_colors, color_table, colors);
}

/* Where a graph comes from: pairs of vertices, or points. */
typedef struct source {
  uint32_t n, dimensions, n_colors;
  const double *xy; /* [n][dimensions]; NULL: no points */
  const uint32_t *slide;
  const uint32_t (*edges)[2], (*colored)[2]; /* [m], [n_colored] (vertex, colour) */
  uint64_t m, n_colored;
  const float *score; /* [m] */
  const char **names, **colors;
  bool directed;
  ms_neighbor_options neighbors;
  /* where it is written and read again; or the file that is read */
  const char *path, *colors_path, *aliases;
  ms_graph_options reading;
  ms_color_options color_reading;
  network made;
} source;

/* ---- work ----------------------------------------------------------------------------- */

static ms_status make_graph(const source *s, ms_graph **out, ms_error *err)
{
  ms_points *points = NULL;
  ms_status status;
  if (s->xy) {
    status = ms_points_new(s->n, s->dimensions, s->xy, s->slide, s->names, &points, err);
    if (status == MS_OK)
      status = ms_neighbors(points, &s->neighbors, out, err);
    ms_points_free(points);
    return status;
  }
  status = s->directed ? ms_graph_from_arcs(s->n, s->m, s->edges, s->names, out, err)
                       : ms_graph_from_edges(s->n, s->m, s->edges, s->names, out, err);
  if (status == MS_OK && s->score)
    status = ms_graph_set_scores(*out, s->m, s->edges, s->score, err);
  return status;
}

static ms_status read_files(source *s, ms_error *err)
{
  network *n = &s->made;
  ms_status status = ms_graph_read(s->path, &s->reading, &n->graph, err);
  if (status == MS_OK && s->aliases)
    status = ms_graph_read_aliases(n->graph, s->aliases, NULL, err);
  if (status != MS_OK)
    return status;
  if (s->colors_path)
    return ms_coloring_read(s->colors_path, n->graph, &s->color_reading, &n->coloring, err);
  return ms_graph_describe(n->graph).colored ? ms_coloring_from_graph(n->graph, &n->coloring, err)
                                             : MS_OK;
}

static ms_status read_work(void *data, ms_error *err)
{
  source *s = data;
  ms_status status = read_files(s, err);
  if (status != MS_OK)
    free_network(&s->made);
  return status;
}

/* Makes the graph, writes it, and reads the file. */
static ms_status build_work(void *data, ms_error *err)
{
  source *s = data;
  network own = {0};
  ms_status status = make_graph(s, &own.graph, err);
  if (status == MS_OK && s->n_colored > 0)
    status = ms_coloring_from_pairs(own.graph, s->n_colored, s->colored, s->n_colors, s->colors,
                                    &own.coloring, err);
  if (status == MS_OK)
    status = ms_graph_write(own.graph, own.coloring, s->reading.format, s->path, err);
  free_network(&own);
  return status == MS_OK ? read_work(s, err) : status;
}

/* Runs the work, and puts what it made into `handle` of its outcome. */
static SEXP handle_of(source *s, work_fn work, SEXP limits)
{
  SEXP list = PROTECT(Rf_allocVector(VECSXP, 2));
  SET_VECTOR_ELT(list, 0, new_handle());
  SET_VECTOR_ELT(list, 1, call_library(work, s, limits));
  *(network *)R_ExternalPtrAddr(VECTOR_ELT(list, 0)) = s->made;
  UNPROTECT(1);
  return list;
}

/* Returns pairs of numbers from 0, which R has as a matrix of integers with two rows. */
static const uint32_t (*pairs_of(SEXP list, const char *name, uint64_t *count))[2]
{
  SEXP item = list_item(list, name);
  *count = Rf_isNull(item) ? 0 : (uint64_t)Rf_xlength(item) / 2;
  return Rf_isNull(item) ? NULL : (const uint32_t(*)[2])INTEGER(item);
}

SEXP r_build(SEXP spec, SEXP path, SEXP reading, SEXP limits)
{
  source s = {.neighbors = MS_NEIGHBOR_OPTIONS_DEFAULT,
              .path = Rf_translateChar(STRING_ELT(path, 0))};
  SEXP xy = list_item(spec, "xy"), slides = list_item(spec, "slides");
  SEXP scores = list_item(spec, "scores");
  set_reading(reading, &s.reading, &s.color_reading);
  s.names = list_texts(spec, "names", &s.n);
  s.directed = s.reading.directed;
  s.xy = Rf_isNull(xy) ? NULL : REAL(xy);
  s.dimensions = (uint32_t)(s.xy ? Rf_nrows(xy) : 0);
  SET_OPTIONS(spec, neighbor_table, &s.neighbors);
  s.slide = Rf_isNull(slides) ? NULL : (const uint32_t *)INTEGER(slides);
  s.edges = pairs_of(spec, "edges", &s.m);
  float *score = (float *)R_alloc((size_t)Rf_xlength(scores) + 1, sizeof *score);
  for (R_xlen_t i = 0; i < Rf_xlength(scores); i++)
    score[i] = (float)REAL(scores)[i];
  s.score = Rf_isNull(scores) ? NULL : score;
  s.colors = list_texts(spec, "colors", &s.n_colors);
  s.colored = pairs_of(spec, "colored", &s.n_colored);
  return handle_of(&s, build_work, limits);
}

SEXP r_read(SEXP path, SEXP reading, SEXP limits)
{
  source s = {.path = Rf_translateChar(STRING_ELT(path, 0)),
              .colors_path = list_text(reading, "colors_path"),
              .aliases = list_text(reading, "aliases")};
  set_reading(reading, &s.reading, &s.color_reading);
  return handle_of(&s, read_work, limits);
}

static ms_status write_work(void *data, ms_error *err)
{
  const source *s = data;
  return ms_graph_write(s->made.graph, s->made.coloring, s->reading.format, s->path, err);
}

SEXP r_write_graph(SEXP pointer, SEXP path, SEXP format)
{
  source s = {.made = *network_of(pointer), .path = Rf_translateChar(STRING_ELT(path, 0))};
  ms_graph_format_find(CHAR(STRING_ELT(format, 0)), &s.reading.format);
  return call_library(write_work, &s, R_NilValue);
}

/* ---- what R asks ---------------------------------------------------------------------- */

/* Returns the numbers of ms_info(), with the colours as attribute. */
SEXP r_describe(SEXP pointer)
{
  const network *n = network_of(pointer);
  ms_graph_info info = ms_graph_describe(n->graph);
  ms_coloring_info colors = ms_coloring_describe(n->coloring);
  double numbers[] = {ms_graph_vertex_count(n->graph), (double)ms_graph_edge_count(n->graph),
                      ms_graph_directed(n->graph),     ms_graph_scored(n->graph),
                      (double)info.self_loops,         (double)info.duplicates,
                      (double)colors.unknown_vertices};
  SEXP result = PROTECT(Rf_allocVector(REALSXP, sizeof numbers / sizeof *numbers));
  memcpy(REAL(result), numbers, sizeof numbers);
  SEXP names = PROTECT(Rf_allocVector(STRSXP, colors.colors));
  for (uint32_t c = 0; c < colors.colors; c++)
    SET_STRING_ELT(names, c, Rf_mkCharCE(ms_coloring_name(n->coloring, c), CE_UTF8));
  if (n->coloring)
    Rf_setAttrib(result, Rf_install("colors"), names);
  UNPROTECT(2);
  return result;
}

SEXP r_names(SEXP pointer)
{
  const network *n = network_of(pointer);
  uint32_t count = ms_graph_vertex_count(n->graph);
  SEXP names = PROTECT(Rf_allocVector(STRSXP, count));
  for (uint32_t v = 0; v < count; v++)
    SET_STRING_ELT(names, v, Rf_mkCharCE(ms_graph_name(n->graph, v), CE_UTF8));
  UNPROTECT(1);
  return names;
}

/* Returns list(ends, scores): a column of two numbers of vertices, from 1, for each edge, or arc.
 */
SEXP r_edges(SEXP pointer)
{
  const network *n = network_of(pointer);
  uint32_t vertices = ms_graph_vertex_count(n->graph), degree;
  R_xlen_t count = 0;
  SEXP list = PROTECT(Rf_allocVector(VECSXP, 2));
  for (int filling = 0; filling < 2; filling++) {
    int *ends = INTEGER(SET_VECTOR_ELT(list, 0, Rf_allocVector(INTSXP, 2 * count)));
    double *scores = REAL(SET_VECTOR_ELT(list, 1, Rf_allocVector(REALSXP, count)));
    count = 0;
    for (uint32_t v = 0; v < vertices; v++) {
      const uint32_t *row = ms_graph_neighbors(n->graph, v, &degree);
      const uint8_t *arcs = ms_graph_arcs(n->graph, v);
      const float *score = ms_graph_scores(n->graph, v);
      for (uint32_t i = 0; i < degree; i++) {
        if (arcs ? !(arcs[i] & 1) : row[i] < v)
          continue;
        if (filling) {
          ends[2 * count] = (int)v + 1;
          ends[2 * count + 1] = (int)row[i] + 1;
          scores[count] = score ? (double)score[i] : NA_REAL;
        }
        count++;
      }
    }
  }
  UNPROTECT(1);
  return list;
}
