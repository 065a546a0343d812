/* The order of the vertices, and the rows of an index. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/colors.h"
#include "graph/graph.h"
#include "graph/sort_ids.h"
#include "match/index_parts.h"

#include <string.h>

#define SHORT_SORT 48u /* entries that are sorted by insertion */
/* Up to so many threads append ids to rows one after the other, which needs no sorting. */
#define FEW_THREADS 2

/* ---- stable sort by counting -------------------------------------------------------------- */

/* The numbers are cut into blocks of about the same length, each of which has its places. */
typedef struct counting_sort {
  const uint32_t *key, *from;
  uint32_t *to;
  uint32_t n, keys, blocks;
  uint32_t *place; /* [blocks][keys] */
} counting_sort;

static uint32_t block_begin(const counting_sort *s, uint64_t block)
{
  return (uint32_t)(s->n * block / s->blocks);
}

static void count_keys(void *user, ms_range r)
{
  const counting_sort *s = user;
  for (uint64_t b = r.begin; b < r.end; b++) {
    uint32_t *place = s->place + b * s->keys;
    memset(place, 0, s->keys * sizeof *place);
    for (uint32_t i = block_begin(s, b); i < block_begin(s, b + 1); i++)
      place[s->key[s->from[i]]]++;
  }
}

static void move_by_keys(void *user, ms_range r)
{
  const counting_sort *s = user;
  for (uint64_t b = r.begin; b < r.end; b++) {
    uint32_t *place = s->place + b * s->keys;
    for (uint32_t i = block_begin(s, b); i < block_begin(s, b + 1); i++)
      s->to[place[s->key[s->from[i]]]++] = s->from[i];
  }
}

/* Sorts from[n] into to[n] by key[vertex] < keys; equal keys keep their order. */
static ms_status sort_by(const uint32_t *key, const uint32_t *from, uint32_t n, uint32_t keys,
                         int threads, uint32_t *to, ms_error *err)
{
  uint32_t most = n / keys > 1 ? n / keys : 1, next = 0; /* blocks with fewer numbers than keys */
  counting_sort s = {.key = key, .from = from, .to = to, .n = n, .keys = keys};
  threads = ms_threads_for(threads, n);
  s.blocks = (uint32_t)threads < most ? (uint32_t)threads : most;
  s.place = ms_alloc((size_t)s.blocks * keys, sizeof *s.place);
  if (!s.place)
    return ms_fail_memory(err, "an index of patterns");
  ms_parallel(threads, s.blocks, 1, count_keys, &s);
  for (uint32_t k = 0; k < keys; k++)
    for (uint32_t b = 0; b < s.blocks; b++) {
      uint32_t *place = &s.place[(size_t)b * keys + k], count = *place;
      *place = next;
      next += count;
    }
  ms_parallel(threads, s.blocks, 1, move_by_keys, &s);
  ms_free(s.place);
  return MS_OK;
}

/* ---- ids ---------------------------------------------------------------------------------- */

typedef struct vertex_loop {
  ms_pattern_index *index;
  uint32_t *degree, *color; /* [graph vertices] */
} vertex_loop;

/* Sets the colour of vertices that have at most one; the number after all colours means none. */
static void find_colors(void *user, ms_range r)
{
  const vertex_loop *l = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    uint32_t count, v = l->index->vertex[i];
    const uint32_t *color = ms_coloring_of(l->index->coloring, v, &count);
    l->color[v] = count > 0 ? *color : l->index->colors;
  }
}

ms_status ms_index_sort(ms_pattern_index *index, const uint32_t *degree, uint32_t highest,
                        int threads, ms_error *err)
{
  uint32_t n = index->n;
  bool by_color = index->ranges && index->coloring;
  uint32_t *color = by_color ? ms_alloc(index->graph->n, sizeof *color) : NULL;
  uint32_t *by_degree = ms_alloc(n, sizeof *by_degree);
  ms_status status =
      by_degree && (color || !by_color) ? MS_OK : ms_fail_memory(err, "an index of patterns");
  if (status == MS_OK && by_color)
    ms_parallel(ms_threads_for(threads, n), n, 0, find_colors,
                &(vertex_loop){.index = index, .color = color});
  if (status == MS_OK)
    status = sort_by(degree, index->vertex, n, highest + 1, threads, by_degree, err);
  if (status == MS_OK && by_color) {
    status = sort_by(color, by_degree, n, index->colors + 1, threads, index->vertex, err);
  } else if (status == MS_OK) {
    uint32_t *before = index->vertex;
    index->vertex = by_degree;
    by_degree = before;
  }
  ms_free(color);
  ms_free(by_degree);
  return status;
}

static void find_degrees(void *user, ms_range r)
{
  const vertex_loop *l = user;
  const uint64_t *offset = l->index->graph->offset;
  for (uint64_t v = r.begin; v < r.end; v++) {
    l->degree[v] = (uint32_t)(offset[v + 1] - offset[v]);
    l->index->vertex[v] = (uint32_t)v;
  }
}

static void set_ids(void *user, ms_range r)
{
  const vertex_loop *l = user;
  for (uint64_t i = r.begin; i < r.end; i++)
    l->index->id[l->index->vertex[i]] = (uint32_t)i;
}

ms_status ms_index_number(ms_pattern_index *index, int threads, ms_error *err)
{
  vertex_loop loop = {.index = index, .degree = ms_alloc(index->n, sizeof *loop.degree)};
  if (!loop.degree)
    return ms_fail_memory(err, "an index of patterns");
  int several = ms_threads_for(threads, index->n);
  ms_parallel(several, index->n, 0, find_degrees, &loop);
  ms_status status = ms_index_sort(index, loop.degree, index->graph->info.max_degree, threads, err);
  if (status == MS_OK)
    ms_parallel(several, index->n, 0, set_ids, &loop);
  ms_free(loop.degree);
  return status;
}

/* ---- rows --------------------------------------------------------------------------------- */

typedef struct row_loop {
  ms_pattern_index *index;
  ms_neighbor_rows *rows;
  uint8_t direction; /* bits of which an arc must have one; 0: all arcs belong to the rows */
  uint32_t *spare;   /* [threads][longest] */
  size_t longest;
} row_loop;

static bool belongs_to_rows(const ms_graph *graph, uint64_t a, uint8_t direction)
{
  return direction == 0 || (graph->direction[a] & direction);
}

static void measure_chunks(void *user, ms_range r)
{
  const row_loop *l = user;
  const ms_graph *graph = l->index->graph;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint32_t end;
    for (uint32_t i = ms_index_chunk(l->index, c, &end); i < end; i++) {
      uint32_t v = l->index->vertex[i];
      uint64_t length = graph->offset[v + 1] - graph->offset[v];
      if (l->direction != 0) {
        length = 0;
        for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
          length += belongs_to_rows(graph, a, l->direction);
      }
      l->rows->offset[i + 1] = length;
    }
  }
}

static void sort_row(const row_loop *l, uint32_t *row, uint64_t length, int thread)
{
  if (length <= SHORT_SORT)
    ms_sort_ids_short(row, length);
  else
    ms_sort_ids_long(row, length, l->spare + (size_t)thread * l->longest);
}

static void fill_chunks(void *user, ms_range r)
{
  const row_loop *l = user;
  const ms_graph *graph = l->index->graph;
  for (uint64_t c = r.begin; c < r.end; c++) {
    uint32_t end;
    for (uint32_t i = ms_index_chunk(l->index, c, &end); i < end; i++) {
      uint32_t v = l->index->vertex[i], *row = l->rows->neighbor + l->rows->offset[i];
      uint64_t length = 0;
      for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
        if (belongs_to_rows(graph, a, l->direction))
          row[length++] = l->index->id[graph->neighbor[a]];
      sort_row(l, row, length, r.thread);
    }
  }
}

/* Appends each id, in ascending order, to the rows of its neighbours, which are therefore
 * sorted.  The direction of an arc is seen from the other end. */
static ms_status append_ids(const row_loop *l, ms_error *err)
{
  const ms_pattern_index *index = l->index;
  const ms_graph *graph = index->graph;
  uint8_t direction = l->direction == MS_ARC_TO     ? MS_ARC_FROM
                      : l->direction == MS_ARC_FROM ? MS_ARC_TO
                                                    : 0;
  uint64_t *next = ms_alloc(index->n, sizeof *next);
  if (!next)
    return ms_fail_memory(err, "an index of patterns");
  memcpy(next, l->rows->offset, index->n * sizeof *next);
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < index->n && status == MS_OK; i++) {
    uint32_t v = index->vertex[i];
    if (i % MS_INDEX_CHUNK == 0)
      status = ms_stop_poll(MS_INDEX_PHASE, err);
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (belongs_to_rows(graph, a, direction))
        l->rows->neighbor[next[index->id[graph->neighbor[a]]]++] = i;
  }
  ms_free(next);
  return status;
}

static ms_status gather_ids(row_loop *l, int threads, ms_error *err)
{
  l->longest = l->index->graph->info.max_degree;
  l->spare = ms_alloc((size_t)threads * l->longest, sizeof *l->spare);
  if (!l->spare)
    return ms_fail_memory(err, "an index of patterns");
  ms_status status = ms_index_loop(l->index, threads, fill_chunks, l, err);
  ms_free(l->spare);
  return status;
}

ms_status ms_index_fill_rows(ms_pattern_index *index, int kind, int threads, ms_error *err)
{
  ms_neighbor_rows *rows = &index->rows[kind];
  row_loop loop = {.index = index, .rows = rows};
  if (kind != MS_ROWS_ANY)
    loop.direction = kind == MS_ROWS_OUT ? MS_ARC_TO : MS_ARC_FROM;
  rows->offset = ms_calloc((size_t)index->n + 2, sizeof *rows->offset);
  if (!rows->offset)
    return ms_fail_memory(err, "an index of patterns");
  threads = ms_threads_for(threads, index->arcs);
  MS_TRY(ms_index_loop(index, threads, measure_chunks, &loop, err));
  for (uint32_t i = 0; i < index->n; i++)
    rows->offset[i + 1] += rows->offset[i];
  rows->neighbor = ms_alloc_lines(index->graph->arcs, sizeof *rows->neighbor);
  if (!rows->neighbor)
    return ms_fail_memory(err, "an index of patterns");
  return threads <= FEW_THREADS ? append_ids(&loop, err) : gather_ids(&loop, threads, err);
}
