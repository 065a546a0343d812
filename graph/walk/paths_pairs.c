/* Paths of many pairs.  The first pairs are searched one by one, which shows whether threads
 * pay; then threads search pairs, each with its own state.  The paths of a block of pairs wait
 * until the block is done and are then delivered in order; blocks grow, so that the first paths
 * come soon and threads seldom wait for each other. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "graph/walk/paths.h"

#include <string.h>

enum { FIRST_BLOCK = 8, LAST_BLOCK = 1024 }; /* pairs for each thread */
enum { FIRST_ROOM = 256 };
#define STEPS_A_SECOND 5e8 /* as ms_threads_for counts them */
#define PROGRESS_SECONDS 0.1

typedef struct worker {
  ms_typed_paths *paths;
  uint32_t *found; /* [room] paths of this block, vertices and then types */
  size_t used, room;
} worker;

/* The place where a pair's path waits. */
typedef struct slot {
  uint32_t worker, length;
  size_t at; /* in found */
  ms_status status, stopped;
} slot;

typedef struct batch {
  const uint32_t (*pairs)[2];
  uint64_t count;
  ms_typed_path_fn deliver;
  void *user;
  ms_run_limits run;
  double reported_at; /* seconds */
  ms_path_summary summary;
  int threads;
  uint64_t begin; /* the first pair of the block */
  worker *worker; /* [threads] */
  slot *slot;     /* [threads * LAST_BLOCK] */
} batch;

static ms_status check_pairs(const ms_typed *graph, uint64_t count, const uint32_t (*pairs)[2],
                             ms_error *err)
{
  uint32_t n = graph->rows.n;
  for (uint64_t i = 0; i < count; i++)
    if (pairs[i][0] >= n || pairs[i][1] >= n)
      return ms_fail(err, MS_ERR_USAGE,
                     "pair %llu is of vertices %u and %u, but the graph has %u vertices, numbered "
                     "from 0",
                     (unsigned long long)i, pairs[i][0], pairs[i][1], n);
  return MS_OK;
}

/* Reports the pairs that are done, unless the last report was a moment ago. */
static void report(batch *b)
{
  double now = b->run.progress ? ms_seconds() : 0;
  bool is_last = b->summary.pairs == b->count;
  if (!b->run.progress || (!is_last && now - b->reported_at < PROGRESS_SECONDS))
    return;
  b->reported_at = now;
  ms_limits_report(&b->run, "paths", b->summary.pairs, b->count);
}

/* Delivers a path; false: the callback wants no more. */
static bool deliver_path(batch *b, const ms_typed_path *path)
{
  if (path->stopped != MS_OK) {
    b->summary.run.stopped = path->stopped;
    return false;
  }
  uint64_t pair = b->summary.pairs++;
  b->summary.found += path->length != MS_NO_PATH;
  if (b->deliver(b->user, pair, path)) {
    report(b);
    return true;
  }
  if (b->summary.pairs < b->count)
    b->summary.run.stopped = MS_ERR_INTERRUPTED;
  return false;
}

/* ---- one after another ----------------------------------------------------- */

/* Searches the pairs up to `end`, each with all threads; *more: the callback wants more. */
static ms_status one_by_one(batch *b, uint64_t end, bool *more, ms_error *err)
{
  ms_status status = MS_OK;
  while (b->summary.pairs < end && *more && status == MS_OK) {
    const uint32_t *pair = b->pairs[b->summary.pairs];
    ms_typed_path path;
    status = ms_typed_paths_find(b->worker[0].paths, pair[0], pair[1], &path, err);
    *more = status == MS_OK && deliver_path(b, &path);
  }
  return status;
}

/* ---- side by side ---------------------------------------------------------- */

static ms_status keep(worker *w, const ms_typed_path *path, slot *to)
{
  to->length = path->length;
  to->stopped = path->stopped;
  to->at = w->used;
  if (path->length == MS_NO_PATH)
    return MS_OK;
  size_t size = 2 * (size_t)path->length + 1;
  if (!MS_GROW(w->found, w->room, w->used, size))
    return MS_ERR_MEMORY;
  memcpy(w->found + w->used, path->vertices, size * sizeof *w->found);
  w->used += size;
  return MS_OK;
}

static void find_range(void *user, ms_range r)
{
  batch *b = user;
  worker *w = &b->worker[r.thread];
  for (uint64_t i = r.begin; i < r.end; i++) {
    const uint32_t *pair = b->pairs[b->begin + i];
    slot *to = &b->slot[i];
    ms_typed_path path;
    *to = (slot){.worker = (uint32_t)r.thread};
    to->status = ms_typed_paths_find(w->paths, pair[0], pair[1], &path, NULL);
    if (to->status == MS_OK)
      to->status = keep(w, &path, to);
  }
}

static void find_block(batch *b, uint64_t begin, uint64_t end)
{
  for (int t = 0; t < b->threads; t++)
    b->worker[t].used = 0;
  b->begin = begin;
  ms_parallel(b->threads, end - begin, 1, find_range, b);
}

/* Delivers the paths of a block; *more: the callback wants the next block. */
static ms_status deliver_block(batch *b, uint64_t size, bool *more, ms_error *err)
{
  for (uint64_t i = 0; i < size && *more; i++) {
    const slot *from = &b->slot[i];
    const uint32_t *found = b->worker[from->worker].found + from->at;
    ms_typed_path path = {.length = from->length, .stopped = from->stopped};
    if (from->status != MS_OK)
      return ms_fail_memory(err, "paths");
    if (path.length != MS_NO_PATH) {
      path.vertices = found;
      path.types = found + path.length + 1;
    }
    *more = deliver_path(b, &path);
  }
  return MS_OK;
}

static ms_status find_in_blocks(batch *b, bool *more, ms_error *err)
{
  uint64_t size = (uint64_t)b->threads * FIRST_BLOCK, most = (uint64_t)b->threads * LAST_BLOCK;
  ms_status status = MS_OK;
  while (b->summary.pairs < b->count && *more && status == MS_OK) {
    uint64_t begin = b->summary.pairs, left = b->count - begin, here = left < size ? left : size;
    find_block(b, begin, begin + here);
    status = deliver_block(b, here, more, err);
    size = 2 * size < most ? 2 * size : most;
  }
  return status;
}

/* ---- all of it ------------------------------------------------------------- */

static ms_status open_worker(worker *w, const ms_typed *graph, const ms_path_options *options,
                             ms_error *err)
{
  ms_status status = ms_typed_paths_new(graph, options, &w->paths, err);
  w->room = FIRST_ROOM;
  w->found = ms_alloc(w->room, sizeof *w->found);
  return status == MS_OK && !w->found ? ms_fail_memory(err, "paths") : status;
}

/* Makes the state of a search for each thread; the first pairs already have one. */
static ms_status open_workers(batch *b, const ms_typed *graph, const ms_path_options *options,
                              int threads, ms_error *err)
{
  ms_path_options own = *options;
  worker *all = ms_resize(b->worker, 1, (size_t)threads, sizeof *all);
  ms_status status = MS_OK;
  b->slot = ms_alloc((size_t)threads * LAST_BLOCK, sizeof *b->slot);
  if (all) {
    memset(all + 1, 0, (size_t)(threads - 1) * sizeof *all);
    b->worker = all;
    b->threads = threads;
  }
  if (!all || !b->slot)
    return ms_fail_memory(err, "paths");
  own.run.threads = all[0].paths->threads = 1;
  for (int t = 1; t < threads && status == MS_OK; t++)
    status = open_worker(&all[t], graph, &own, err);
  return status;
}

/* Sums up what the searches did, and frees them. */
static void close_workers(batch *b)
{
  for (int t = 0; t < b->threads; t++) {
    b->summary.run.work.visits += b->worker[t].paths ? b->worker[t].paths->visits : 0;
    ms_typed_paths_free(b->worker[t].paths);
    ms_free(b->worker[t].found);
  }
  ms_free(b->worker);
  ms_free(b->slot);
}

/* Returns the number of threads that pays.  The first pairs predict the cost of the others.  A few
 * remaining pairs are better searched by all threads in turn. */
static int threads_for(const batch *b, int threads, double seconds)
{
  double left = (double)(b->count - b->summary.pairs);
  double steps = seconds / (double)b->summary.pairs * left * STEPS_A_SECOND;
  threads = ms_threads_for(threads, steps < 1e18 ? (uint64_t)steps : UINT64_MAX);
  return left < threads ? 1 : threads;
}

static ms_status find_pairs(batch *b, const ms_typed *graph, const ms_path_options *options,
                            ms_error *err)
{
  bool more = true;
  double begun = ms_seconds();
  b->worker = ms_calloc(1, sizeof *b->worker);
  if (!b->worker)
    return ms_fail_memory(err, "paths");
  b->threads = 1;
  ms_status status = open_worker(&b->worker[0], graph, options, err);
  if (status == MS_OK)
    status = one_by_one(b, b->count < FIRST_BLOCK ? b->count : FIRST_BLOCK, &more, err);
  if (status != MS_OK || !more || b->summary.pairs == b->count)
    return status;
  int threads = threads_for(b, options->run.threads, ms_seconds() - begun);
  if (threads == 1)
    return one_by_one(b, b->count, &more, err);
  status = open_workers(b, graph, options, threads, err);
  return status == MS_OK ? find_in_blocks(b, &more, err) : status;
}

ms_status ms_typed_path_pairs(const ms_typed *graph, const ms_path_options *options, uint64_t count,
                              const uint32_t (*pairs)[2], ms_typed_path_fn deliver, void *user,
                              ms_path_summary *summary, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(deliver, err);
  MS_REQUIRE_ARRAY(pairs, count, err);
  ms_path_options o;
  double begun = ms_seconds();
  batch b = {.pairs = pairs, .count = count, .deliver = deliver, .user = user};
  ms_status status = ms_options_take(&ms_path_options_kind, options, &o, err);
  b.run = o.run;
  if (status == MS_OK)
    status = check_pairs(graph, count, pairs, err);
  if (status == MS_OK)
    status = find_pairs(&b, graph, &o, err);
  close_workers(&b);
  b.summary.time_search = ms_seconds() - begun;
  if (summary)
    *summary = b.summary;
  return status;
}
