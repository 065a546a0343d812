/* Typed edges into rows: places counted, arcs scattered as keys (neighbour
 * above type), each row sorted, keys taken apart.  By all threads as in
 * graph/build.c: each counts its share of the edges into cursors of its own,
 * so that scattering needs no atomics. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "graph/typed.h"

#include <string.h>

#define EDGES_A_THREAD 20000u
#define SHORT_ROW 48u /* up to here insertion is faster than counting digits */
#define TYPE_BITS 16

typedef struct builder {
  ms_typed *graph;
  const ms_typed_edge *edge;
  uint64_t m, self_loops, repeats, first_bad;
  int threads;
  uint64_t *cursor; /* [threads][n] */
  uint64_t *key;    /* [arcs] neighbour << TYPE_BITS | type */
} builder;

/* Cursors may cost as much as the edges do, twice. */
static int usable_threads(uint32_t n, uint64_t m, int threads)
{
  uint64_t by_memory = n ? 2 * m / n : 1, by_work = m / EDGES_A_THREAD;
  uint64_t most = by_memory < by_work ? by_memory : by_work;
  threads = ms_threads(threads);
  return most < 1 ? 1 : most < (uint64_t)threads ? (int)most : threads;
}

/* Edges of thread t: share(t)..share(t + 1). */
static uint64_t share(const builder *b, int t)
{
  uint64_t size = b->m / (uint64_t)b->threads, rest = b->m % (uint64_t)b->threads;
  return size * (uint64_t)t + ((uint64_t)t < rest ? (uint64_t)t : rest);
}

static void count_share(builder *b, int t)
{
  uint32_t n = b->graph->rows.n, types = ms_names_count(b->graph->arc_types);
  uint64_t *count = b->cursor + (size_t)t * n, loops = 0, bad = UINT64_MAX;
  memset(count, 0, n * sizeof *count);
  for (uint64_t e = share(b, t), end = share(b, t + 1); e < end; e++) {
    const ms_typed_edge *edge = b->edge + e;
    if (edge->from >= n || edge->to >= n || edge->type >= types) {
      bad = e;
      break;
    }
    loops += edge->from == edge->to;
    count[edge->from]++;
    count[edge->to] += edge->from != edge->to;
  }
#pragma omp critical(ms_typed_build)
  {
    b->self_loops += loops;
    b->first_bad = bad < b->first_bad ? bad : b->first_bad;
  }
}

/* Counts to places. */
static void place_rows(builder *b)
{
  ms_typed_rows *rows = &b->graph->rows;
  uint64_t place = 0;
  for (uint32_t v = 0; v < rows->n; v++) {
    rows->offset[v] = place;
    for (int t = 0; t < b->threads; t++) {
      uint64_t *cursor = &b->cursor[(size_t)t * rows->n + v], count = *cursor;
      *cursor = place;
      place += count;
    }
    uint64_t degree = place - rows->offset[v];
    if (degree > b->graph->info.max_degree)
      b->graph->info.max_degree = degree > UINT32_MAX ? UINT32_MAX : (uint32_t)degree;
  }
  rows->offset[rows->n] = place;
}

static uint64_t key_of(uint32_t neighbor, ms_type type)
{
  return (uint64_t)neighbor << TYPE_BITS | type;
}

static void scatter_share(builder *b, int t)
{
  uint64_t *cursor = b->cursor + (size_t)t * b->graph->rows.n;
  for (uint64_t e = share(b, t), end = share(b, t + 1); e < end; e++) {
    const ms_typed_edge *edge = b->edge + e;
    ms_type back = b->graph->inverse[edge->type];
    if (edge->from == edge->to) {
      b->key[cursor[edge->from]++] = key_of(edge->to, edge->type < back ? edge->type : back);
      continue;
    }
    b->key[cursor[edge->from]++] = key_of(edge->to, edge->type);
    b->key[cursor[edge->to]++] = key_of(edge->from, back);
  }
}

/* ---- rows ---------------------------------------------------------------- */

static void sort_short(uint64_t *row, uint64_t length)
{
  for (uint64_t i = 1; i < length; i++) {
    uint64_t value = row[i], j = i;
    for (; j > 0 && row[j - 1] > value; j--)
      row[j] = row[j - 1];
    row[j] = value;
  }
}

/* Least significant digit first, those digits alone in which the row differs; spare[length]. */
static void sort_long(uint64_t *row, uint64_t length, uint64_t *spare)
{
  uint64_t *from = row, *to = spare, differ = 0;
  for (uint64_t i = 1; i < length; i++)
    differ |= row[i] ^ row[0];
  for (unsigned shift = 0; shift < 64 && differ >> shift; shift += 8) {
    uint64_t place[256] = {0}, sum = 0;
    if (!(differ >> shift & 255))
      continue;
    for (uint64_t i = 0; i < length; i++)
      place[from[i] >> shift & 255]++;
    for (int digit = 0; digit < 256; digit++) {
      uint64_t count = place[digit];
      place[digit] = sum;
      sum += count;
    }
    for (uint64_t i = 0; i < length; i++)
      to[place[from[i] >> shift & 255]++] = from[i];
    uint64_t *swap = from;
    from = to;
    to = swap;
  }
  if (from != row)
    memcpy(row, from, length * sizeof *row);
}

/* A spare row of at least `length`, or NULL; *room goes along. */
static uint64_t *make_room(uint64_t *spare, uint64_t length, uint64_t *room)
{
  if (length <= *room)
    return spare;
  ms_free(spare);
  *room = length + length / 2;
  spare = ms_alloc(*room, sizeof *spare);
  *room = spare ? *room : 0;
  return spare;
}

/* Keys of a row into the graph; the number of repeats, each seen from the end
 * with the smaller number. */
static uint64_t take_apart(ms_typed_rows *rows, uint32_t v, const uint64_t *key)
{
  uint64_t repeats = 0;
  for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
    rows->neighbor[a] = (uint32_t)(key[a] >> TYPE_BITS);
    rows->type[a] = (ms_type)key[a];
    repeats += a > rows->offset[v] && key[a] == key[a - 1] && rows->neighbor[a] >= v;
  }
  return repeats;
}

static bool sort_rows(builder *b)
{
  ms_typed_rows *rows = &b->graph->rows;
  bool ok = true;
  uint64_t repeats = 0;
#pragma omp parallel num_threads(b->threads) reduction(&& : ok) reduction(+ : repeats)
  {
    uint64_t *spare = NULL, room = 0;
#pragma omp for schedule(dynamic, 512)
    for (uint32_t v = 0; v < rows->n; v++) {
      uint64_t *row = b->key + rows->offset[v], length = rows->offset[v + 1] - rows->offset[v];
      if (length <= SHORT_ROW) {
        sort_short(row, length);
      } else {
        spare = make_room(spare, length, &room);
        ok = ok && spare;
        if (spare)
          sort_long(row, length, spare);
      }
      repeats += take_apart(rows, v, b->key);
    }
    ms_free(spare);
  }
  b->repeats = repeats;
  return ok;
}

/* ---- all of it ----------------------------------------------------------- */

static ms_status count_rows(builder *b, ms_error *err)
{
  b->first_bad = UINT64_MAX;
#pragma omp parallel for num_threads(b->threads) schedule(static, 1)
  for (int t = 0; t < b->threads; t++)
    count_share(b, t);
  if (b->first_bad == UINT64_MAX)
    return MS_OK;
  const ms_typed_edge *bad = b->edge + b->first_bad;
  return ms_fail(err, MS_ERR_USAGE,
                 "edge %llu joins vertices %u and %u by type %u, but the graph has %u vertices and "
                 "%u types of arcs; use ids below these numbers",
                 (unsigned long long)b->first_bad, bad->from, bad->to, (unsigned)bad->type,
                 b->graph->rows.n, ms_names_count(b->graph->arc_types));
}

static ms_status build_rows(builder *b, ms_error *err)
{
  ms_typed_rows *rows = &b->graph->rows;
  MS_TRY(count_rows(b, err));
  place_rows(b);
  rows->arcs = rows->offset[rows->n];
  rows->neighbor = ms_alloc_lines(rows->arcs, sizeof *rows->neighbor);
  rows->type = ms_alloc_lines(rows->arcs, sizeof *rows->type);
  b->key = ms_alloc_lines(rows->arcs, sizeof *b->key);
  if (!rows->neighbor || !rows->type || !b->key)
    return ms_fail_memory(err, "arcs of a typed graph");
#pragma omp parallel for num_threads(b->threads) schedule(static, 1)
  for (int t = 0; t < b->threads; t++)
    scatter_share(b, t);
  return sort_rows(b) ? MS_OK : ms_fail_memory(err, "arcs of a typed graph");
}

/* The tables' own sizes and contents. */
static ms_status check_types(const ms_typed *g, ms_error *err)
{
  uint32_t types = ms_names_count(g->arc_types), kinds = ms_names_count(g->vertex_types);
  if (types > MS_MAX_TYPES || kinds > MS_MAX_TYPES)
    return ms_fail(err, MS_ERR_USAGE,
                   "%u types of vertices and %u of edges, inverses included, are more than the %u "
                   "that a typed graph can have of each; are these the columns of types?",
                   kinds, types, MS_MAX_TYPES);
  for (uint32_t t = 0; t < types; t++)
    if (g->inverse[t] >= types || g->inverse[g->inverse[t]] != t)
      return ms_fail(err, MS_ERR_USAGE,
                     "type %u of edges: the inverse of its inverse is another "
                     "type; give each pair of inverses to both",
                     t);
  for (uint32_t v = 0; v < g->rows.n; v++)
    if (g->rows.vertex_type[v] >= kinds)
      return ms_fail(err, MS_ERR_USAGE,
                     "vertex %u has type %u, but there are %u types; use ids "
                     "below that number",
                     v, g->rows.vertex_type[v], kinds);
  return MS_OK;
}

static void note_counts(const builder *b)
{
  ms_typed *g = b->graph;
  uint32_t untyped = ms_names_find(g->vertex_types, "untyped", 7);
  g->info.vertices = g->rows.n;
  g->info.edges = b->m;
  g->info.self_loops = b->self_loops;
  g->info.repeats = b->repeats;
  g->info.vertex_types = ms_names_count(g->vertex_types);
  g->info.arc_types = ms_names_count(g->arc_types);
  for (uint32_t v = 0; untyped != MS_NO_ID && v < g->rows.n; v++)
    g->info.untyped += g->rows.vertex_type[v] == untyped;
}

static void take_over(ms_typed_parts *parts, ms_typed *graph)
{
  graph->names = parts->names;
  graph->vertex_types = parts->vertex_types;
  graph->arc_types = parts->arc_types;
  graph->rows.vertex_type = parts->vertex_type;
  graph->inverse = parts->inverse;
  graph->is_inverse = parts->is_inverse;
  *parts = (ms_typed_parts){.edges = parts->edges, .edge = parts->edge};
  graph->rows.n = ms_names_count(graph->names);
}

ms_status ms_typed_build(ms_typed_parts *parts, int threads, ms_typed **out, ms_error *err)
{
  builder b = {.edge = parts->edge, .m = parts->edges};
  ms_status status;
  *out = NULL;
  b.graph = ms_calloc(1, sizeof *b.graph);
  if (!b.graph) {
    ms_typed_parts_free(parts);
    return ms_fail_memory(err, "a typed graph");
  }
  take_over(parts, b.graph);
  b.threads = usable_threads(b.graph->rows.n, b.m, threads);
  status = check_types(b.graph, err);
  if (status == MS_OK) {
    b.graph->rows.offset = ms_calloc((size_t)b.graph->rows.n + 1, sizeof *b.graph->rows.offset);
    b.cursor = ms_alloc_lines((size_t)b.graph->rows.n * (size_t)b.threads, sizeof *b.cursor);
    b.graph->path = ms_strdup("(in memory)");
    status = b.graph->rows.offset && b.cursor && b.graph->path
                 ? build_rows(&b, err)
                 : ms_fail_memory(err, "a typed graph");
  }
  ms_free(b.cursor);
  ms_free(b.key);
  if (status != MS_OK) {
    ms_typed_free(b.graph);
    return status;
  }
  note_counts(&b);
  b.graph->info.path = b.graph->path;
  *out = b.graph;
  return MS_OK;
}
