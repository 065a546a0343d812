/* Colour lists in compressed sparse rows: building, and access. */
#include "graph/colors.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/serial.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/graph.h"

#include <string.h>

#define PHASE "colours are sorted"

void ms_coloring_free(ms_coloring *coloring)
{
  if (!coloring)
    return;
  ms_free(coloring->offset);
  ms_free(coloring->color);
  ms_names_free(coloring->names);
  ms_names_free(coloring->aliases);
  ms_free(coloring->alias_of);
  ms_free(coloring->path);
  ms_free(coloring);
}

static ms_status check_pairs(uint32_t n, uint32_t n_colors, uint64_t count,
                             const uint32_t (*pairs)[2], ms_error *err)
{
  for (uint64_t i = 0; i < count; i++)
    if (pairs[i][0] >= n || pairs[i][1] >= n_colors)
      return ms_fail(
          err, MS_ERR_USAGE,
          "colour pair %llu is (%u, %u), but there are %u vertices and %u colours; use ids "
          "below those numbers",
          (unsigned long long)i, pairs[i][0], pairs[i][1], n, n_colors);
  return MS_OK;
}

/* Sets start[key], of [keys + 1] zeros, to the number of pairs that have a smaller key. */
static void count_keys(uint64_t *start, uint32_t keys, uint64_t count, const uint32_t (*pairs)[2],
                       int column, ms_watch *watch)
{
  for (uint64_t i = 0; i < count && !ms_watch_ended(watch, i); i++)
    start[pairs[i][column] + 1]++;
  for (uint32_t key = 0; key < keys; key++)
    start[key + 1] += start[key];
}

/* Sorts by the least significant key first: orders the pairs by colour, then appends them in
 * that order to the rows of their vertices. */
static ms_status fill_rows(ms_coloring *coloring, uint64_t count, const uint32_t (*pairs)[2],
                           uint64_t *by_color, uint64_t *order, uint64_t *cursor, ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  count_keys(by_color, coloring->info.colors, count, pairs, 1, &watch);
  for (uint64_t i = 0; i < count && !ms_watch_ended(&watch, i); i++)
    order[by_color[pairs[i][1]]++] = i;
  MS_TRY(ms_watch_report(&watch, PHASE, err));
  count_keys(coloring->offset, coloring->n, count, pairs, 0, &watch);
  memcpy(cursor, coloring->offset, coloring->n * sizeof *cursor);
  for (uint64_t i = 0; i < count && !ms_watch_ended(&watch, i); i++)
    coloring->color[cursor[pairs[order[i]][0]]++] = pairs[order[i]][1];
  return ms_watch_report(&watch, PHASE, err);
}

static void drop_duplicates(ms_coloring *coloring)
{
  uint64_t kept = 0, begin = 0;
  for (uint32_t v = 0; v < coloring->n; v++) {
    uint64_t end = coloring->offset[v + 1], row = kept;
    for (uint64_t i = begin; i < end; i++)
      if (kept == row || coloring->color[kept - 1] != coloring->color[i])
        coloring->color[kept++] = coloring->color[i];
    begin = end;
    coloring->offset[v + 1] = kept;
  }
  coloring->info.assignments = kept;
  coloring->info.duplicates = begin - kept;
}

static ms_status build_rows(ms_coloring *coloring, uint64_t count, const uint32_t (*pairs)[2],
                            ms_error *err)
{
  ms_status status = MS_OK;
  uint64_t *by_color = ms_calloc((size_t)coloring->info.colors + 1, sizeof *by_color);
  uint64_t *order = ms_alloc(count, sizeof *order);
  uint64_t *cursor = ms_alloc(coloring->n, sizeof *cursor);
  coloring->offset = ms_calloc((size_t)coloring->n + 1, sizeof *coloring->offset);
  coloring->color = ms_alloc(count, sizeof *coloring->color);
  coloring->path = ms_strdup("(in memory)");
  if (!by_color || !order || !cursor || !coloring->offset || !coloring->color || !coloring->path) {
    status = ms_fail_memory(err, "colours");
  } else {
    status = fill_rows(coloring, count, pairs, by_color, order, cursor, err);
    if (status == MS_OK)
      drop_duplicates(coloring);
  }
  ms_free(by_color);
  ms_free(order);
  ms_free(cursor);
  return status;
}

ms_status ms_coloring_build(uint32_t n, uint64_t count, const uint32_t (*pairs)[2], ms_names *names,
                            ms_names *aliases, uint32_t *alias_of, ms_coloring **out, ms_error *err)
{
  *out = NULL;
  ms_coloring *coloring = ms_calloc(1, sizeof *coloring);
  if (!coloring) {
    ms_names_free(names);
    ms_names_free(aliases);
    ms_free(alias_of);
    return ms_fail_memory(err, "colours");
  }
  coloring->serial = ms_serial_next();
  coloring->n = n;
  coloring->names = names;
  coloring->aliases = aliases;
  coloring->alias_of = alias_of;
  coloring->info.colors = ms_names_count(names);
  ms_status status = check_pairs(n, coloring->info.colors, count, pairs, err);
  if (status == MS_OK)
    status = build_rows(coloring, count, pairs, err);
  if (status != MS_OK) {
    ms_coloring_free(coloring);
    return status;
  }
  coloring->info.path = coloring->path;
  *out = coloring;
  return MS_OK;
}

ms_status ms_coloring_check(const ms_coloring *coloring, const ms_graph *graph, ms_error *err)
{
  if (coloring->n != graph->n)
    return ms_fail(err, MS_ERR_USAGE,
                   "the colours are for %u vertices, but the graph has %u; read the colours for "
                   "this graph",
                   coloring->n, graph->n);
  if (coloring->graph_serial != 0 && coloring->graph_serial != graph->serial)
    return ms_fail(err, MS_ERR_USAGE,
                   "the colours belong to another graph; read the colours for this graph");
  return MS_OK;
}

ms_status ms_coloring_set_source(ms_coloring *coloring, const char *path,
                                 const ms_coloring_info *info, ms_error *err)
{
  ms_coloring_info built = coloring->info;
  char *copy = ms_strdup(path);
  if (!copy)
    return ms_fail_memory(err, "a path");
  ms_free(coloring->path);
  coloring->path = copy;
  coloring->info = *info;
  coloring->info.path = copy;
  coloring->info.colors = built.colors;
  coloring->info.assignments = built.assignments;
  coloring->info.duplicates = built.duplicates;
  return MS_OK;
}

static ms_status make_names(uint32_t count, const char *const *texts, ms_names *names,
                            ms_error *err)
{
  for (uint32_t c = 0; c < count; c++) {
    uint32_t id;
    MS_REQUIRE(texts[c], err);
    const char *problem = ms_name_problem(texts[c], strlen(texts[c]));
    if (problem)
      return ms_fail(err, MS_ERR_USAGE, "the name of colour %u %s", c, problem);
    MS_TRY(ms_names_add(names, texts[c], strlen(texts[c]), &id, err));
    if (id != c)
      return ms_fail(err, MS_ERR_USAGE,
                     "colours %u and %u have the same name '%.*s'; make them differ", id, c,
                     ms_name_clip(texts[c], strlen(texts[c])), texts[c]);
  }
  return MS_OK;
}

ms_status ms_coloring_from_pairs(const ms_graph *graph, uint64_t count, const uint32_t (*pairs)[2],
                                 uint32_t n_colors, const char *const *names, ms_coloring **out,
                                 ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(pairs, count, err);
  MS_REQUIRE_ARRAY(names, n_colors, err);
  ms_names *table;
  MS_TRY(ms_names_new(&table, err));
  ms_status status = make_names(n_colors, names, table, err);
  if (status != MS_OK) {
    ms_names_free(table);
    return status;
  }
  status = ms_coloring_build(graph->n, count, pairs, table, NULL, NULL, out, err);
  if (status == MS_OK)
    (*out)->graph_serial = graph->serial;
  return status;
}

ms_coloring_info ms_coloring_describe(const ms_coloring *coloring)
{
  if (!coloring)
    return (ms_coloring_info){0};
  return coloring->info;
}

const char *ms_coloring_name(const ms_coloring *coloring, uint32_t color)
{
  if (!coloring)
    return NULL;
  return ms_names_get(coloring->names, color);
}

uint32_t ms_coloring_find_text(const ms_coloring *coloring, const char *text, size_t length)
{
  uint32_t id = ms_names_find(coloring->names, text, length);
  if (id != MS_NO_ID || !coloring->aliases)
    return id;
  uint32_t alias = ms_names_find(coloring->aliases, text, length);
  return alias == MS_NO_ID ? MS_NO_ID : coloring->alias_of[alias];
}

uint32_t ms_coloring_find(const ms_coloring *coloring, const char *name)
{
  if (!coloring || !name)
    return UINT32_MAX;
  return ms_coloring_find_text(coloring, name, strlen(name));
}

const uint32_t *ms_coloring_of(const ms_coloring *coloring, uint32_t v, uint32_t *count)
{
  if (!count)
    return NULL;
  if (!coloring || v >= coloring->n) {
    *count = 0;
    return NULL;
  }
  *count = (uint32_t)(coloring->offset[v + 1] - coloring->offset[v]);
  return coloring->color + coloring->offset[v];
}

const uint64_t *ms_coloring_offsets(const ms_coloring *coloring)
{
  return coloring ? coloring->offset : NULL;
}

/* A file of n nodes and d default colours stands for n * d colours. */
static ms_status build_from_graph(const ms_graph *graph, ms_coloring **out, ms_error *err)
{
  ms_names *names;
  uint32_t id;
  if (!graph->color_names)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: gives no colours to its vertices; give a file of colours", graph->path);
  ms_status status = ms_names_new(&names, err);
  for (uint32_t c = 0; status == MS_OK && c < ms_names_count(graph->color_names); c++) {
    const char *name = ms_names_get(graph->color_names, c);
    status = ms_names_add(names, name, strlen(name), &id, err);
  }
  if (status != MS_OK) {
    ms_names_free(names);
    return status;
  }
  ms_pairs all = {0};
  if (graph->default_colors.count > 0)
    status = ms_pairs_expand(&graph->colors, &graph->default_colors, &all, err);
  const ms_pairs *pairs = graph->default_colors.count > 0 ? &all : &graph->colors;
  if (status == MS_OK)
    status = ms_coloring_build(graph->n, pairs->count, (const uint32_t(*)[2])pairs->pair, names,
                               NULL, NULL, out, err);
  else
    ms_names_free(names);
  ms_free(all.pair);
  if (status != MS_OK)
    return status;
  (*out)->graph_serial = graph->serial;
  ms_coloring_info info = {
      .format = MS_COLORS_GRAPH, .crc32c = graph->info.crc32c, .lines = graph->info.lines};
  status = ms_coloring_set_source(*out, graph->path, &info, err);
  if (status != MS_OK) {
    ms_coloring_free(*out);
    *out = NULL;
  }
  return status;
}

ms_status ms_coloring_from_graph(const ms_graph *graph, ms_coloring **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_meter meter;
  ms_meter_open(&meter, 0, graph->path, NULL);
  ms_graph_is_input(graph);
  ms_status status = build_from_graph(graph, out, err);
  ms_meter_close(&meter);
  return status;
}
