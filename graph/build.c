/* Pairs of ids into compressed sparse rows, by all threads.
 *
 * Each thread counts its share of the pairs into a row of cursors of its own;
 * the prefix sums over (vertex, thread) give every thread its places in every
 * row, so that scattering needs no atomics.  Rows are then sorted one by one
 * and repeats dropped.  The result does not depend on the number of threads. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"
#include "graph/graph.h"
#include "graph/sort_ids.h"

#include <string.h>

#define PAIRS_A_THREAD 20000u
#define SHORT_ROW 48u /* up to here insertion is faster than counting digits */

typedef struct builder {
  ms_graph *graph;
  const uint32_t (*edges)[2];
  uint64_t m, self_loops;
  uint64_t first_bad; /* pair with an id out of range, or UINT64_MAX */
  int threads;
  uint64_t *cursor; /* [threads][n] */
} builder;

/* Cursors may cost as much as the pairs do, twice; and a thread that has
 * little to do costs more to start than it saves. */
static int usable_threads(uint32_t n, uint64_t m, int threads)
{
  uint64_t by_memory = n ? 2 * m / n : 1, by_work = m / PAIRS_A_THREAD;
  uint64_t most = by_memory < by_work ? by_memory : by_work;
  threads = ms_threads(threads);
  return most < 1 ? 1 : most < (uint64_t)threads ? (int)most : threads;
}

/* Pairs of thread t: share(t)..share(t + 1). */
static uint64_t share(const builder *b, int t)
{
  uint64_t size = b->m / (uint64_t)b->threads, rest = b->m % (uint64_t)b->threads;
  return size * (uint64_t)t + ((uint64_t)t < rest ? (uint64_t)t : rest);
}

static void count_share(builder *b, int t)
{
  uint64_t *count = b->cursor + (size_t)t * b->graph->n, loops = 0, bad = UINT64_MAX;
  uint32_t n = b->graph->n;
  memset(count, 0, n * sizeof *count);
  for (uint64_t e = share(b, t), end = share(b, t + 1); e < end; e++) {
    uint32_t u = b->edges[e][0], v = b->edges[e][1];
    if (u >= n || v >= n) {
      bad = e;
      break;
    }
    loops += u == v;
    count[u] += u != v;
    count[v] += u != v;
  }
#pragma omp critical(ms_graph_build)
  {
    b->self_loops += loops;
    b->first_bad = bad < b->first_bad ? bad : b->first_bad;
  }
}

/* Counts to places; offset[v] = arcs of the vertices before v. */
static void place_rows(builder *b)
{
  uint32_t n = b->graph->n;
  uint64_t place = 0;
  for (uint32_t v = 0; v < n; v++) {
    b->graph->offset[v] = place;
    for (int t = 0; t < b->threads; t++) {
      uint64_t *cursor = &b->cursor[(size_t)t * n + v], count = *cursor;
      *cursor = place;
      place += count;
    }
  }
  b->graph->offset[n] = place;
}

static void scatter_share(builder *b, int t)
{
  uint64_t *cursor = b->cursor + (size_t)t * b->graph->n;
  uint32_t *neighbor = b->graph->neighbor;
  for (uint64_t e = share(b, t), end = share(b, t + 1); e < end; e++) {
    uint32_t u = b->edges[e][0], v = b->edges[e][1];
    if (u == v)
      continue;
    neighbor[cursor[u]++] = v;
    neighbor[cursor[v]++] = u;
  }
}

/* ---- rows ---------------------------------------------------------------- */

/* How many are left of a sorted row. */
static uint64_t drop_repeats(uint32_t *row, uint64_t length)
{
  uint64_t kept = length > 0;
  for (uint64_t i = 1; i < length; i++)
    if (row[i] != row[i - 1])
      row[kept++] = row[i];
  return kept;
}

/* Rows of a list that is sorted already, as generators and converters make
 * them. */
static bool ascends(const uint32_t *row, uint64_t length)
{
  for (uint64_t i = 1; i < length; i++)
    if (row[i] < row[i - 1])
      return false;
  return true;
}

/* kept[v] = neighbours of v once its row is sorted; false without memory. */
static bool sort_rows(ms_graph *graph, int threads, uint64_t *kept)
{
  bool ok = true;
#pragma omp parallel num_threads(threads) reduction(&& : ok)
  {
    uint32_t *spare = NULL;
    uint64_t room = 0;
#pragma omp for schedule(dynamic, 512)
    for (uint32_t v = 0; v < graph->n; v++) {
      uint64_t length = graph->offset[v + 1] - graph->offset[v];
      uint32_t *row = graph->neighbor + graph->offset[v];
      bool sorted = ascends(row, length);
      if (!sorted && length > SHORT_ROW && length > room) {
        ms_free(spare);
        room = length + length / 2;
        spare = ms_alloc(room, sizeof *spare);
        room = spare ? room : 0;
      }
      if (!sorted && length <= SHORT_ROW)
        ms_sort_ids_short(row, length);
      else if (!sorted && spare)
        ms_sort_ids_long(row, length, spare);
      else if (!sorted)
        ok = false;
      kept[v] = drop_repeats(row, length);
    }
    ms_free(spare);
  }
  return ok;
}

/* Close the gaps that repeats left. */
static void join_rows(ms_graph *graph, const uint64_t *kept)
{
  uint64_t place = 0, begin = 0, arcs = graph->offset[graph->n];
  for (uint32_t v = 0; v < graph->n; v++) {
    uint64_t end = graph->offset[v + 1];
    if (place != begin)
      memmove(graph->neighbor + place, graph->neighbor + begin, kept[v] * sizeof *graph->neighbor);
    if (kept[v] > graph->info.max_degree)
      graph->info.max_degree = (uint32_t)kept[v];
    place += kept[v];
    begin = end;
    graph->offset[v + 1] = place;
  }
  graph->arcs = place;
  graph->info.duplicates = (arcs - place) / 2;
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
  const uint32_t *bad = b->edges[b->first_bad];
  return ms_fail(err, MS_ERR_USAGE,
                 "edge %llu joins vertices %u and %u, but the graph has %u vertices; use ids "
                 "below that number",
                 (unsigned long long)b->first_bad, bad[0], bad[1], b->graph->n);
}

static ms_status fill_rows(builder *b, ms_error *err)
{
  ms_graph *graph = b->graph;
  place_rows(b);
  uint64_t arcs = graph->offset[graph->n];
  graph->neighbor = ms_alloc_lines(arcs, sizeof *graph->neighbor);
  if (!graph->neighbor)
    return ms_fail_memory(err, "graph neighbours");
#pragma omp parallel for num_threads(b->threads) schedule(static, 1)
  for (int t = 0; t < b->threads; t++)
    scatter_share(b, t);
  if (!sort_rows(graph, b->threads, b->cursor))
    return ms_fail_memory(err, "graph neighbours");
  join_rows(graph, b->cursor);
  graph->info.self_loops = b->self_loops;
  uint32_t *smaller = ms_resize(graph->neighbor, arcs, graph->arcs, sizeof *smaller);
  if (smaller) /* else the larger block does as well */
    graph->neighbor = smaller;
  return MS_OK;
}

static ms_status build_rows(ms_graph *graph, uint64_t m, const uint32_t (*edges)[2], int threads,
                            ms_error *err)
{
  builder b = {
      .graph = graph, .edges = edges, .m = m, .threads = usable_threads(graph->n, m, threads)};
  graph->offset = ms_calloc((size_t)graph->n + 1, sizeof *graph->offset);
  b.cursor = ms_alloc_lines((size_t)graph->n * (size_t)b.threads, sizeof *b.cursor);
  ms_status status =
      graph->offset && b.cursor ? count_rows(&b, err) : ms_fail_memory(err, "graph offsets");
  if (status == MS_OK)
    status = fill_rows(&b, err);
  ms_free(b.cursor);
  return status;
}

ms_status ms_graph_build(uint32_t n, uint64_t m, const uint32_t (*edges)[2], ms_names *names,
                         int threads, ms_graph **out, ms_error *err)
{
  ms_status status = MS_OK;
  *out = NULL;
  ms_graph *graph = ms_calloc(1, sizeof *graph);
  if (!graph) {
    ms_names_free(names);
    return ms_fail_memory(err, "a graph");
  }
  graph->names = names;
  graph->n = n;
  if (n > MS_MAX_NAMES || m > UINT64_MAX / 16) {
    status = ms_fail(err, MS_ERR_USAGE, "%u vertices and %llu edges are more than a graph can hold",
                     n, (unsigned long long)m);
    goto fail;
  }
  graph->path = ms_strdup("(in memory)");
  if (!graph->path) {
    status = ms_fail_memory(err, "a path");
    goto fail;
  }
  status = build_rows(graph, m, edges, threads, err);
  if (status != MS_OK)
    goto fail;
  graph->info.vertices = n;
  graph->info.edges = graph->arcs / 2;
  graph->info.path = graph->path;
  *out = graph;
  return MS_OK;

fail:
  ms_graph_free(graph);
  return status;
}
