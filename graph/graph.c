/* The graph in compressed sparse rows: building, checking, access. */
#include "graph/graph.h"

#include "base/alloc.h"
#include "base/ascending.h"
#include "base/meter.h"
#include "base/serial.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/rows.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

void ms_image_free(ms_image *image)
{
  if (image->mapped)
    munmap(image->bytes, image->size);
  else
    ms_free(image->bytes);
  *image = (ms_image){0};
}

void ms_image_forget(const ms_image *image, uint64_t at, uint64_t bytes)
{
  if (image->mapped) /* a hint */
    (void)madvise((char *)image->bytes + at, bytes, MADV_DONTNEED);
}

void ms_graph_free(ms_graph *graph)
{
  if (!graph)
    return;
  if (!graph->image.bytes) {
    ms_free(graph->offset);
    if (!graph->rows.bytes)
      ms_free(graph->neighbor);
    ms_free(graph->colors.pair);
    ms_free(graph->default_colors.pair);
  }
  ms_free(graph->direction);
  if (graph->owns_scores)
    ms_free(graph->score);
  ms_names_free(graph->names);
  ms_names_free(graph->color_names);
  ms_names_free(graph->edge_labels);
  ms_free(graph->motif);
  ms_image_free(&graph->image);
  ms_image_free(&graph->rows);
  ms_free(graph->taxon_prefix);
  ms_names_free(graph->aliases);
  ms_free(graph->alias_of);
  ms_free(graph->alias_path);
  ms_free(graph->path);
  ms_free(graph);
}

ms_status ms_graph_from_rows(uint32_t n, ms_rows *rows, ms_image *file, ms_names *names,
                             ms_graph **out, ms_error *err)
{
  *out = NULL;
  ms_graph *graph = ms_calloc(1, sizeof *graph);
  char *path = ms_strdup("(in memory)");
  if (!graph || !path) {
    if (file && file->bytes)
      rows->neighbor = NULL;
    ms_rows_free(rows);
    if (file)
      ms_image_free(file);
    ms_names_free(names);
    ms_free(graph);
    ms_free(path);
    return ms_fail_memory(err, "a graph");
  }
  graph->serial = ms_serial_next();
  graph->names = names;
  graph->n = n;
  graph->path = path;
  graph->offset = rows->offset;
  graph->neighbor = rows->neighbor;
  graph->arcs = rows->offset[n];
  graph->info.self_loops = rows->self_loops;
  graph->info.duplicates = rows->repeats;
  graph->info.max_degree = rows->max_degree;
  graph->info.vertices = n;
  graph->info.edges = graph->arcs / 2;
  graph->info.path = graph->path;
  if (file) {
    graph->rows = *file;
    *file = (ms_image){0};
  }
  *rows = (ms_rows){0};
  *out = graph;
  return MS_OK;
}

ms_status ms_graph_build(uint32_t n, uint64_t m, const uint32_t (*edges)[2], ms_names *names,
                         int threads, ms_graph **out, ms_error *err)
{
  ms_rows rows;
  ms_status status = MS_OK;
  *out = NULL;
  if (n > MS_MAX_NAMES || m > UINT64_MAX / 16)
    status = ms_fail(err, MS_ERR_USAGE, "%u vertices and %llu edges are more than a graph can hold",
                     n, (unsigned long long)m);
  if (status == MS_OK)
    status = ms_rows_build(&(ms_row_edges){.n = n, .m = m, .edge = edges}, threads, &rows, err);
  if (status != MS_OK) {
    ms_names_free(names);
    return status;
  }
  return ms_graph_from_rows(n, &rows, NULL, names, out, err);
}

/* Returns the bytes of the names of n vertices, without their NULs.  Numbers below 2^32 have at
 * most ten digits, and nearly all have as many as the last. */
static uint64_t text_bytes(uint32_t n, const char *const *texts)
{
  uint64_t bytes = 0, digits = 1;
  for (uint32_t rest = n; rest >= 10; rest /= 10)
    digits++;
  for (uint32_t v = 0; texts && v < n; v++)
    bytes += texts[v] ? strlen(texts[v]) : 0;
  return texts ? bytes : digits * n;
}

/* Asks for the memory of a graph before any of it is taken. */
static ms_status ask_memory(uint32_t n, uint64_t m, const char *const *texts, const ms_names *names,
                            ms_error *err)
{
  uint64_t left = ms_meter_left(ms_meter_current());
  uint64_t wanted = ms_names_growth(names, n, text_bytes(n, texts)) +
                    (uint64_t)n * (sizeof(uint64_t) + sizeof(uint64_t)); /* offsets and cursors */
  wanted = m < (UINT64_MAX - wanted) / 16 ? wanted + m * 2 * sizeof(uint32_t) : UINT64_MAX;
  if (wanted <= left)
    return MS_OK;
  return ms_fail(
      err, MS_ERR_MEMORY,
      "a graph of %u vertices and %llu edges takes at least %llu MiB, and %llu MiB may be "
      "used; raise `memory`, or number only the vertices that have edges",
      n, (unsigned long long)m, (unsigned long long)(wanted >> 20),
      (unsigned long long)(left >> 20));
}

ms_status ms_graph_make_names(uint32_t n, const char *const *texts, ms_names *names, ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  MS_TRY(ms_names_reserve(names, n, text_bytes(n, texts), err));
  for (uint32_t v = 0; v < n && !ms_watch_ended(&watch, v); v++) {
    char number[16];
    const char *text = number;
    uint32_t id;
    if (texts)
      text = texts[v];
    else
      snprintf(number, sizeof number, "%u", v);
    if (!text)
      return ms_fail(err, MS_ERR_USAGE, "entry %u of `names` is NULL; give a name", v);
    const char *problem = ms_name_problem(text, strlen(text));
    if (problem)
      return ms_fail(err, MS_ERR_USAGE, "the name of vertex %u %s", v, problem);
    MS_TRY(ms_names_add(names, text, strlen(text), &id, err));
    if (id != v)
      return ms_fail(err, MS_ERR_USAGE,
                     "vertices %u and %u have the same name '%.*s'; make them differ", id, v,
                     ms_name_clip(text, strlen(text)), text);
  }
  return ms_watch_report(&watch, "the graph is built", err);
}

ms_status ms_graph_from_edges(uint32_t n, uint64_t m, const uint32_t (*edges)[2],
                              const char *const *names, ms_graph **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE_ARRAY(edges, m, err);
  ms_names *table;
  if (n > MS_MAX_NAMES)
    return ms_fail(err, MS_ERR_USAGE, "%u vertices are more than a graph can hold", n);
  ms_meter meter;
  ms_meter_open(&meter, MS_BOUND_OF_WORK, NULL, NULL);
  ms_status status = ms_names_new(&table, err);
  if (status == MS_OK)
    status = ask_memory(n, m, names, table, err);
  if (status == MS_OK)
    status = ms_graph_make_names(n, names, table, err);
  if (status == MS_OK)
    status = ms_graph_build(n, m, edges, table, 0, out, err);
  else
    ms_names_free(table);
  ms_meter_close(&meter);
  return status;
}

uint64_t ms_graph_find_arc(const ms_graph *graph, uint32_t u, uint32_t v)
{
  uint64_t begin = graph->offset[u], end = graph->offset[u + 1];
  uint64_t arc = begin + ms_first_at_least(graph->neighbor + begin, end - begin, v);
  return arc < end && graph->neighbor[arc] == v ? arc : graph->arcs;
}

ms_graph_info ms_graph_describe(const ms_graph *graph)
{
  if (!graph)
    return (ms_graph_info){0};
  return graph->info;
}

uint32_t ms_graph_vertex_count(const ms_graph *graph)
{
  if (!graph)
    return 0;
  return graph->n;
}

uint64_t ms_graph_edge_count(const ms_graph *graph)
{
  if (!graph)
    return 0;
  return graph->arcs / 2;
}

void ms_graph_is_input(const ms_graph *graph)
{
  ms_meter_input(MS_READING_FACTOR *
                 (graph->n + graph->arcs + graph->colors.count + graph->default_colors.count));
}

const char *ms_graph_name(const ms_graph *graph, uint32_t v)
{
  if (!graph)
    return NULL;
  return ms_names_get(graph->names, v);
}

uint32_t ms_graph_find_text(const ms_graph *graph, const char *text, size_t length)
{
  uint32_t v = ms_names_find(graph->names, text, length);
  if (v != MS_NO_ID || !graph->aliases)
    return v;
  uint32_t alias = ms_names_find(graph->aliases, text, length);
  return alias == MS_NO_ID ? MS_NO_ID : graph->alias_of[alias];
}

uint32_t ms_graph_find(const ms_graph *graph, const char *name)
{
  if (!graph || !name)
    return UINT32_MAX;
  return ms_graph_find_text(graph, name, strlen(name));
}

const uint32_t *ms_graph_neighbors(const ms_graph *graph, uint32_t v, uint32_t *degree)
{
  if (!degree)
    return NULL;
  if (!graph || v >= graph->n) {
    *degree = 0;
    return NULL;
  }
  *degree = (uint32_t)(graph->offset[v + 1] - graph->offset[v]);
  return graph->neighbor + graph->offset[v];
}

const uint64_t *ms_graph_offsets(const ms_graph *graph)
{
  return graph ? graph->offset : NULL;
}
