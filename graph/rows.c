/* Builds compressed sparse rows with all threads.  Each thread counts its share of the edges in
 * its own row of cursors; the prefix sums over (vertex, thread) give every thread its places in
 * every row, so that scattering needs no atomics.  Then rows are sorted one by one.  A row without
 * types is scattered as neighbours, and repeats are dropped; a row with types is scattered as keys
 * (the neighbour above the type), which are taken apart after sorting. */
#include "graph/rows.h"

#include "base/alloc.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "graph/sort_ids.h"

#include <pthread.h>
#include <string.h>

#define EDGES_PER_THREAD 20000u
#define ROWS 512u     /* that a thread takes at a time to sort them */
#define SHORT_ROW 48u /* up to here insertion is faster than counting digits */
#define TYPE_BITS 16
/* Edges between two looks at the stop token, a power of two: each may be the first in its row, and
 * the system clears a large page before it gives it. */
#define POLL_EDGES (UINT64_C(1) << 11)
#define POLL_ROWS 8u /* a divisor of ROWS */
#define POLL_PLACES (UINT32_C(1) << 20)
#define PHASE "the graph is built"

typedef struct builder {
  ms_row_edges in;
  ms_rows *rows;
  uint64_t self_loops;
  uint64_t first_bad; /* edge with an id out of range, or UINT64_MAX */
  int threads;
  ms_watch watch;
  uint64_t *cursor;     /* [threads][n] */
  uint64_t *key;        /* [arcs] neighbour << TYPE_BITS | type; NULL: no types */
  bool no_memory;       /* for sorting */
  pthread_mutex_t lock; /* of the sums that threads add to */
} builder;

/* Returns the number of threads to use.  Cursors may take up to twice the memory of the edges, and
 * a quarter of what is left for reading; a thread that has little to do costs more to start than it
 * saves. */
static int usable_threads(uint32_t n, uint64_t m, int threads)
{
  uint64_t by_edges = n ? 2 * m / n : 1, by_work = m / EDGES_PER_THREAD,
           by_memory = n ? ms_meter_left(ms_meter_current()) / 4 / (n * sizeof(uint64_t)) : 1;
  uint64_t most = by_edges < by_work ? by_edges : by_work;
  most = most < by_memory ? most : by_memory;
  threads = ms_threads(threads);
  return most < 1 ? 1 : most < (uint64_t)threads ? (int)most : threads;
}

/* Edges of thread t: share(t)..share(t + 1). */
static uint64_t share(const builder *b, int t)
{
  uint64_t size = b->in.m / (uint64_t)b->threads, rest = b->in.m % (uint64_t)b->threads;
  return size * (uint64_t)t + ((uint64_t)t < rest ? (uint64_t)t : rest);
}

/* True if a loop over edges has to end at edge e. */
static bool is_stopped(builder *b, uint64_t e)
{
  return (e & (POLL_EDGES - 1)) == 0 && ms_watch_check(&b->watch);
}

/* ---- places ---------------------------------------------------------------- */

static void count_share(builder *b, int t)
{
  uint32_t n = b->in.n, types = b->in.types;
  const uint32_t(*edge)[2] = b->in.edge;
  const ms_type *type = b->in.inverse ? b->in.type : NULL;
  unsigned keeps_loops = type != NULL;
  uint64_t *count = b->cursor + (size_t)t * n, loops = 0, bad = UINT64_MAX;
  for (uint64_t v = 0; v < n && !ms_watch_check(&b->watch); v += POLL_PLACES)
    memset(count + v, 0, (n - v < POLL_PLACES ? n - v : POLL_PLACES) * sizeof *count);
  for (uint64_t e = share(b, t), end = share(b, t + 1); e < end; e++) {
    uint32_t u = edge[e][0], v = edge[e][1];
    if (u >= n || v >= n || (type && type[e] >= types)) {
      bad = e;
      break;
    }
    if (is_stopped(b, e))
      break;
    loops += u == v;
    count[u] += keeps_loops | (u != v);
    count[v] += u != v;
  }
  pthread_mutex_lock(&b->lock);
  b->self_loops += loops;
  b->first_bad = bad < b->first_bad ? bad : b->first_bad;
  pthread_mutex_unlock(&b->lock);
}

static void count_shares(void *user, ms_range r)
{
  for (uint64_t t = r.begin; t < r.end; t++)
    count_share(user, (int)t);
}

static ms_status count_rows(builder *b, ms_error *err)
{
  b->first_bad = UINT64_MAX;
  ms_parallel(b->threads, (uint64_t)b->threads, 1, count_shares, b);
  if (b->first_bad == UINT64_MAX)
    return MS_OK;
  const uint32_t *bad = b->in.edge[b->first_bad];
  if (!b->in.inverse)
    return ms_fail(err, MS_ERR_USAGE,
                   "edge %llu joins vertices %u and %u, but the graph has %u vertices; use ids "
                   "below that number",
                   (unsigned long long)b->first_bad, bad[0], bad[1], b->in.n);
  return ms_fail(err, MS_ERR_USAGE,
                 "edge %llu joins vertices %u and %u by type %u, but the graph has %u vertices and "
                 "%u types of arcs; use ids below these numbers",
                 (unsigned long long)b->first_bad, bad[0], bad[1],
                 (unsigned)b->in.type[b->first_bad], b->in.n, b->in.types);
}

/* Turns counts into places; offset[v] = the number of arcs of the vertices before v. */
static void place_rows(builder *b)
{
  uint32_t n = b->in.n;
  uint64_t place = 0;
  for (uint32_t v = 0; v < n; v++) {
    if (v % POLL_PLACES == 0 && ms_watch_check(&b->watch))
      return;
    b->rows->offset[v] = place;
    for (int t = 0; t < b->threads; t++) {
      uint64_t *cursor = &b->cursor[(size_t)t * n + v], count = *cursor;
      *cursor = place;
      place += count;
    }
  }
  b->rows->offset[n] = place;
}

static void scatter_neighbors(builder *b, int t)
{
  uint64_t *cursor = b->cursor + (size_t)t * b->in.n;
  uint32_t *neighbor = b->rows->neighbor;
  for (uint64_t e = share(b, t), end = share(b, t + 1); e < end; e++) {
    uint32_t u = b->in.edge[e][0], v = b->in.edge[e][1];
    if (is_stopped(b, e))
      break;
    if (u == v)
      continue;
    neighbor[cursor[u]++] = v;
    neighbor[cursor[v]++] = u;
  }
}

static uint64_t key_of(uint32_t neighbor, ms_type type)
{
  return (uint64_t)neighbor << TYPE_BITS | type;
}

static void scatter_keys(builder *b, int t)
{
  uint64_t *cursor = b->cursor + (size_t)t * b->in.n;
  for (uint64_t e = share(b, t), end = share(b, t + 1); e < end; e++) {
    uint32_t u = b->in.edge[e][0], v = b->in.edge[e][1];
    ms_type there = b->in.type[e], back = b->in.inverse[there];
    if (is_stopped(b, e))
      break;
    if (u == v) {
      b->key[cursor[u]++] = key_of(u, there < back ? there : back);
      continue;
    }
    b->key[cursor[u]++] = key_of(v, there);
    b->key[cursor[v]++] = key_of(u, back);
  }
}

static void scatter_shares(void *user, ms_range r)
{
  builder *b = user;
  for (uint64_t t = r.begin; t < r.end; t++)
    if (b->in.inverse)
      scatter_keys(b, (int)t);
    else
      scatter_neighbors(b, (int)t);
}

/* ---- rows ------------------------------------------------------------------ */

/* Memory for sorting, which is kept from row to row. */
typedef struct spare {
  void *bytes;
  uint64_t size;
} spare;

static void *reserve(spare *s, uint64_t size)
{
  if (size > s->size) {
    ms_free(s->bytes);
    s->size = size + size / 2;
    s->bytes = ms_alloc(s->size, 1);
    if (!s->bytes)
      s->size = 0;
  }
  return s->bytes;
}

/* Sorts a row and drops repeats; cursor[v] = their number. */
static bool finish_neighbors(builder *b, uint32_t v, spare *s)
{
  uint32_t *row = b->rows->neighbor + b->rows->offset[v];
  uint64_t length = b->rows->offset[v + 1] - b->rows->offset[v], kept = length > 0;
  if (length <= SHORT_ROW) {
    ms_sort_ids_short(row, length);
  } else {
    if (!reserve(s, length * sizeof *row))
      return false;
    ms_sort_ids_long(row, length, s->bytes);
  }
  for (uint64_t i = 1; i < length; i++)
    if (row[i] != row[i - 1])
      row[kept++] = row[i];
  b->cursor[v] = length - kept;
  return true;
}

/* Sorts a row and takes its keys apart; cursor[v] = repeats, each seen from the
 * end with the smaller number. */
static bool finish_keys(builder *b, uint32_t v, spare *s)
{
  uint64_t begin = b->rows->offset[v], length = b->rows->offset[v + 1] - begin;
  uint64_t *row = b->key + begin, repeats = 0;
  if (length <= SHORT_ROW) {
    ms_sort_keys_short(row, length);
  } else {
    if (!reserve(s, length * sizeof *row))
      return false;
    ms_sort_keys_long(row, length, s->bytes);
  }
  for (uint64_t i = 0; i < length; i++) {
    uint32_t neighbor = (uint32_t)(row[i] >> TYPE_BITS);
    b->rows->neighbor[begin + i] = neighbor;
    b->rows->type[begin + i] = (ms_type)row[i];
    repeats += i > 0 && row[i] == row[i - 1] && neighbor >= v;
  }
  b->cursor[v] = repeats;
  return true;
}

static void finish_rows(void *user, ms_range r)
{
  builder *b = user;
  bool ok = true;
  spare s = {0};
  /* rows may be long, so that every eighth looks at the token */
  for (uint32_t v = (uint32_t)r.begin; v < r.end; v++) {
    if (v % POLL_ROWS == 0 && ms_watch_check(&b->watch))
      break;
    ok = (b->key ? finish_keys(b, v, &s) : finish_neighbors(b, v, &s)) && ok;
  }
  ms_free(s.bytes);
  if (!ok)
    __atomic_store_n(&b->no_memory, true, __ATOMIC_RELAXED);
}

/* Closes the gaps that dropped repeats left, and counts the edges. */
static void join_rows(builder *b)
{
  ms_rows *rows = b->rows;
  uint64_t place = 0, begin = 0, repeats = 0;
  for (uint32_t v = 0; v < b->in.n; v++) {
    if (v % POLL_PLACES == 0 && ms_watch_check(&b->watch))
      return;
    uint64_t end = rows->offset[v + 1], kept = end - begin - (b->key ? 0 : b->cursor[v]);
    if (place != begin)
      memmove(rows->neighbor + place, rows->neighbor + begin, kept * sizeof *rows->neighbor);
    if (kept > rows->max_degree)
      rows->max_degree = kept > UINT32_MAX ? UINT32_MAX : (uint32_t)kept;
    repeats += b->cursor[v];
    place += kept;
    begin = end;
    rows->offset[v + 1] = place;
  }
  rows->repeats = b->key ? repeats : repeats / 2;
  rows->self_loops = b->self_loops;
  uint32_t *smaller =
      place < begin ? ms_resize(rows->neighbor, begin, place, sizeof *smaller) : NULL;
  if (smaller) /* a larger block is good, too */
    rows->neighbor = smaller;
}

/* ---- all of it ------------------------------------------------------------- */

static ms_status fill_rows(builder *b, ms_error *err)
{
  ms_rows *rows = b->rows;
  bool typed = b->in.inverse;
  ms_watch_begin(&b->watch);
  MS_TRY(count_rows(b, err));
  MS_TRY(ms_watch_report(&b->watch, PHASE, err));
  place_rows(b);
  MS_TRY(ms_watch_report(&b->watch, PHASE, err));
  uint64_t arcs = rows->offset[b->in.n];
  rows->neighbor = ms_alloc_lines(arcs, sizeof *rows->neighbor);
  if (typed) {
    rows->type = ms_alloc_lines(arcs, sizeof *rows->type);
    b->key = ms_alloc_lines(arcs, sizeof *b->key);
  }
  if (!rows->neighbor || (typed && (!rows->type || !b->key)))
    return ms_fail_memory(err, "graph neighbours");
  ms_parallel(b->threads, (uint64_t)b->threads, 1, scatter_shares, b);
  MS_TRY(ms_watch_report(&b->watch, PHASE, err));
  ms_parallel(b->threads, b->in.n, ROWS, finish_rows, b);
  if (b->no_memory)
    return ms_fail_memory(err, "graph neighbours");
  MS_TRY(ms_watch_report(&b->watch, PHASE, err));
  join_rows(b);
  return ms_watch_report(&b->watch, PHASE, err);
}

ms_status ms_rows_build(const ms_row_edges *edges, int threads, ms_rows *rows, ms_error *err)
{
  builder b = {.in = *edges,
               .rows = rows,
               .threads = usable_threads(edges->n, edges->m, threads),
               .lock = PTHREAD_MUTEX_INITIALIZER};
  *rows = (ms_rows){0};
  rows->offset = ms_calloc((size_t)edges->n + 1, sizeof *rows->offset);
  b.cursor = ms_alloc_lines((size_t)edges->n * (size_t)b.threads, sizeof *b.cursor);
  ms_status status =
      rows->offset && b.cursor ? fill_rows(&b, err) : ms_fail_memory(err, "graph offsets");
  ms_free(b.cursor);
  ms_free(b.key);
  if (status != MS_OK)
    ms_rows_free(rows);
  return status;
}

void ms_rows_free(ms_rows *rows)
{
  ms_free(rows->offset);
  ms_free(rows->neighbor);
  ms_free(rows->type);
  *rows = (ms_rows){0};
}
