/* Plain graphs as typed ones, and the way back. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/pairs.h"
#include "graph/typed.h"

#include <string.h>

#define PHASE "types are given to the graph"

#define BATCHES_PER_POLL 64u

static ms_status copy_names(const ms_names *from, ms_names **to, ms_error *err)
{
  uint32_t ids[MS_NAME_BATCH], n = ms_names_count(from);
  const char *texts[MS_NAME_BATCH];
  size_t lengths[MS_NAME_BATCH];
  ms_status status = ms_names_new(to, err);
  for (uint32_t v = 0; v < n && status == MS_OK; v += MS_NAME_BATCH) {
    if (v / MS_NAME_BATCH % BATCHES_PER_POLL == 0)
      MS_TRY(ms_stop_poll(PHASE, err));
    uint32_t count = n - v < MS_NAME_BATCH ? n - v : MS_NAME_BATCH;
    for (uint32_t i = 0; i < count; i++) {
      texts[i] = ms_names_get(from, v + i);
      lengths[i] = strlen(texts[i]);
    }
    status = ms_names_add_batch(*to, count, texts, lengths, ids, err);
  }
  return status;
}

/* ---- from plain to typed --------------------------------------------------- */

/* Returns the type of a vertex with several colours, "b|a" in the order of their numbers; free
 * it with ms_free. */
static char *join_colors(const ms_coloring *coloring, const uint32_t *color, uint32_t count)
{
  size_t bytes = 1;
  for (uint32_t i = 0; i < count; i++)
    bytes += strlen(ms_names_get(coloring->names, color[i])) + 1;
  char *text = ms_alloc(bytes, 1), *at = text;
  for (uint32_t i = 0; i < count && text; i++) {
    if (i)
      *at++ = '|';
    at = stpcpy(at, ms_names_get(coloring->names, color[i]));
  }
  return text;
}

static ms_status add_colored(const ms_coloring *coloring, uint32_t v, ms_names *types, uint32_t *id,
                             ms_error *err)
{
  uint64_t first = coloring ? coloring->offset[v] : 0;
  uint32_t count = coloring ? (uint32_t)(coloring->offset[v + 1] - first) : 0;
  if (count == 0)
    return ms_names_add(types, "untyped", 7, id, err);
  if (count == 1) {
    const char *name = ms_names_get(coloring->names, coloring->color[first]);
    return ms_names_add(types, name, strlen(name), id, err);
  }
  char *text = join_colors(coloring, coloring->color + first, count);
  if (!text)
    return ms_fail_memory(err, "types of vertices");
  ms_status status = ms_names_add(types, text, strlen(text), id, err);
  ms_free(text);
  return status;
}

bool ms_typed_joins_colors(const ms_coloring *coloring)
{
  for (uint32_t v = 0; coloring && v < coloring->n; v++)
    if (coloring->offset[v + 1] - coloring->offset[v] > 1)
      return true;
  return false;
}

static bool is_used(const ms_coloring *coloring, uint32_t color)
{
  for (uint64_t i = 0; i < coloring->offset[coloring->n]; i++)
    if (coloring->color[i] == color)
      return true;
  return false;
}

/* Refuses names that a set of colours could not be split at. */
static ms_status check_set_names(const ms_coloring *coloring, ms_error *err)
{
  if (!ms_typed_joins_colors(coloring))
    return MS_OK;
  for (uint32_t c = 0; c < ms_names_count(coloring->names); c++) {
    const char *name = ms_names_get(coloring->names, c);
    if (strchr(name, '|') && is_used(coloring, c))
      return ms_fail(err, MS_ERR_INPUT,
                     "the name of the colour '%.*s' contains '|', which separates the colours of a "
                     "vertex where a set of colours becomes a type, and some vertex has several "
                     "colours; rename the colour, or let each vertex have one colour",
                     ms_name_clip(name, strlen(name)), name);
  }
  return MS_OK;
}

static ms_status make_vertex_types(const ms_graph *graph, const ms_coloring *coloring,
                                   ms_typed_parts *parts, ms_error *err)
{
  MS_TRY(check_set_names(coloring, err));
  ms_status status = ms_names_new(&parts->vertex_types, err);
  parts->vertex_type = ms_alloc(graph->n, sizeof *parts->vertex_type);
  if (status == MS_OK && !parts->vertex_type)
    return ms_fail_memory(err, "types of vertices");
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < graph->n && status == MS_OK && !ms_watch_ended(&watch, v); v++) {
    uint32_t id;
    status = add_colored(coloring, v, parts->vertex_types, &id, err);
    if (status == MS_OK && id >= MS_MAX_TYPES)
      return ms_fail(err, MS_ERR_USAGE,
                     "vertices have more than %u different colours or sets of colours, and a typed "
                     "graph has no more types; give fewer colours",
                     MS_MAX_TYPES);
    parts->vertex_type[v] = (ms_type)id;
  }
  return status == MS_OK ? ms_watch_report(&watch, PHASE, err) : status;
}

static ms_status make_relation(const ms_graph *graph, ms_typed_parts *parts, ms_error *err)
{
  uint32_t id;
  parts->inverse = ms_calloc(2, sizeof *parts->inverse);
  parts->is_inverse = ms_calloc(2, sizeof *parts->is_inverse);
  if (!parts->inverse || !parts->is_inverse)
    return ms_fail_memory(err, "types of edges");
  ms_status status = ms_names_new(&parts->arc_types, err);
  if (status == MS_OK)
    status = ms_names_add(parts->arc_types, "edge", 4, &id, err);
  if (status != MS_OK || !graph->direction)
    return status;
  parts->inverse[0] = 1;
  parts->is_inverse[1] = 1;
  return ms_names_add(parts->arc_types, "^edge", 5, &id, err);
}

/* Adds the edges; an edge that points both ways is added twice. */
static ms_status list_edges(const ms_graph *graph, ms_typed_parts *parts, ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < graph->n && !ms_watch_ended(&watch, v); v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
      uint32_t w = graph->neighbor[a];
      if (graph->direction ? graph->direction[a] & MS_ARC_TO : v < w)
        ms_typed_parts_add(parts, v, w, 0);
    }
  return ms_watch_report(&watch, PHASE, err);
}

/* Copies the facts about the file. */
static ms_status note_graph(const ms_graph *graph, ms_typed *typed, ms_error *err)
{
  char *path = ms_strdup(graph->path);
  if (!path)
    return ms_fail_memory(err, "a path");
  ms_free(typed->path);
  typed->path = path;
  typed->info.path = path;
  typed->info.lines = graph->info.lines;
  typed->info.crc32c = graph->info.crc32c;
  return MS_OK;
}

bool ms_typed_has_labels(const ms_typed *graph)
{
  for (uint32_t t = 0; t < ms_names_count(graph->arc_types); t++) {
    const char *name = ms_names_get(graph->arc_types, t);
    if (strcmp(name, "edge") != 0 && strcmp(name, "^edge") != 0)
      return true;
  }
  return false;
}

ms_status ms_typed_parts_vertices(const ms_graph *graph, const ms_coloring *coloring,
                                  ms_typed_parts *parts, ms_error *err)
{
  if (coloring)
    MS_TRY(ms_coloring_check(coloring, graph, err));
  ms_status status = copy_names(graph->names, &parts->names, err);
  return status == MS_OK ? make_vertex_types(graph, coloring, parts, err) : status;
}

ms_status ms_typed_from_graph(const ms_graph *graph, const ms_coloring *coloring, int threads,
                              ms_typed **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_TRY(ms_check_threads(threads, err));
  ms_typed_parts parts = {.names = NULL};
  ms_status status = ms_typed_parts_reserve(&parts, graph->arcs, err);
  if (status == MS_OK)
    status = ms_typed_parts_vertices(graph, coloring, &parts, err);
  if (status == MS_OK)
    status = make_relation(graph, &parts, err);
  if (status == MS_OK)
    status = list_edges(graph, &parts, err);
  if (status == MS_OK)
    status = ms_typed_build(&parts, threads, out, err);
  ms_typed_parts_free(&parts);
  if (status == MS_OK) {
    (*out)->joins_colors = ms_typed_joins_colors(coloring);
    status = note_graph(graph, *out, err);
  }
  if (status != MS_OK) {
    ms_typed_free(*out);
    *out = NULL;
  }
  return status;
}

/* ---- from typed to plain --------------------------------------------------- */

static bool has_direction(const ms_typed *graph)
{
  for (uint64_t a = 0; a < graph->rows.arcs; a++)
    if (graph->inverse[graph->rows.type[a]] != graph->rows.type[a])
      return true;
  return false;
}

/* Does an arc of this type point away from the vertex of its row?  An arc of a symmetric type
 * does so at both ends. */
static bool points(const ms_typed *graph, ms_type type)
{
  return graph->inverse[type] == type || !ms_typed_is_second(graph, type);
}

/* Lists every edge once, or every arc that points away from the vertex of its row. */
static uint64_t list_pairs(const ms_typed *graph, bool arcs, uint32_t (*pair)[2])
{
  const ms_typed_rows *rows = &graph->rows;
  uint64_t count = 0;
  for (uint32_t v = 0; v < rows->n; v++)
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
      uint32_t w = rows->neighbor[a];
      if (arcs ? !points(graph, rows->type[a]) : w < v)
        continue;
      pair[count][0] = v;
      pair[count++][1] = w;
    }
  return count;
}

ms_status ms_typed_plain_graph(const ms_typed *graph, bool directed, int threads, ms_graph **plain,
                               ms_error *err)
{
  ms_names *names = NULL;
  uint32_t(*pair)[2] = ms_alloc(graph->rows.arcs, sizeof *pair);
  ms_status status = pair ? copy_names(graph->names, &names, err) : ms_fail_memory(err, "edges");
  if (status == MS_OK) {
    uint64_t m = list_pairs(graph, false, pair);
    status =
        ms_graph_build(graph->rows.n, m, (const uint32_t(*)[2])pair, names, threads, plain, err);
    names = NULL;
  }
  if (status == MS_OK && directed) {
    uint64_t m = list_pairs(graph, true, pair);
    status = ms_graph_direct(*plain, m, (const uint32_t(*)[2])pair, threads, err);
  }
  ms_names_free(names);
  ms_free(pair);
  return status;
}

/* Adds the colour of a vertex, or where `joined` those that '|' separates. */
static ms_status add_colors(uint32_t v, const char *type, bool joined, ms_names *names,
                            ms_pairs *pairs, ms_error *err)
{
  for (const char *at = type;;) {
    size_t length = joined ? strcspn(at, "|") : strlen(at);
    uint32_t color;
    if (length > 0) {
      MS_TRY(ms_names_add(names, at, length, &color, err));
      MS_TRY(ms_pairs_add(pairs, v, color, err));
    }
    if (at[length] == '\0')
      return MS_OK;
    at += length + 1;
  }
}

ms_status ms_typed_plain_colors(const ms_typed *graph, ms_coloring **coloring, ms_error *err)
{
  uint32_t n = graph->rows.n, untyped = ms_names_find(graph->vertex_types, "untyped", 7);
  ms_names *names = NULL;
  ms_pairs pairs = {0};
  ms_status status = ms_names_new(&names, err);
  for (uint32_t v = 0; v < n && status == MS_OK; v++) {
    uint32_t type = graph->rows.vertex_type[v];
    if (type != untyped)
      status = add_colors(v, ms_names_get(graph->vertex_types, type), graph->joins_colors, names,
                          &pairs, err);
  }
  if (status == MS_OK) {
    status = ms_coloring_build(n, pairs.count, (const uint32_t(*)[2])pairs.pair, names, NULL, NULL,
                               coloring, err);
    names = NULL;
  }
  ms_names_free(names);
  ms_free(pairs.pair);
  return status;
}

ms_status ms_typed_plain(const ms_typed *graph, int threads, ms_graph **plain,
                         ms_coloring **coloring, ms_error *err)
{
  MS_REQUIRE(plain, err);
  *plain = NULL;
  MS_REQUIRE(graph, err);
  MS_TRY(ms_check_threads(threads, err));
  if (coloring)
    *coloring = NULL;
  ms_status status = ms_typed_plain_graph(graph, has_direction(graph), threads, plain, err);
  if (status == MS_OK && coloring)
    status = ms_typed_plain_colors(graph, coloring, err);
  if (status != MS_OK) {
    ms_graph_free(*plain);
    *plain = NULL;
  }
  return status;
}
