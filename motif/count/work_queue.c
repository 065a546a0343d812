#include "motif/count/work_queue.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* A worker takes several roots at once where there are many, so that workers seldom meet: one part
 * in GRAINS of the fair share of each, and at most MOST_ROOTS. */
#define GRAINS 64u
#define MOST_ROOTS 16u

ms_status ms_work_queue_init(ms_work_queue *pool, int workers, uint64_t first, uint64_t last,
                             const ms_match_sink *sink, ms_error *err)
{
  memset(pool, 0, sizeof *pool);
  pool->sink = sink;
  pool->next_root = first;
  pool->grain = (last - first) / (GRAINS * (uint64_t)workers);
  pool->grain = pool->grain < 1 ? 1 : pool->grain > MOST_ROOTS ? MOST_ROOTS : pool->grain;
  atomic_init(&pool->waiting, 0);
  atomic_init(&pool->queued, 0);
  atomic_init(&pool->halt, false);
  pool->last_root = last;
  pool->capacity = workers;
  pool->queue = ms_calloc((size_t)workers, sizeof *pool->queue);
  if (!pool->queue)
    return ms_fail_memory(err, "the work queue");
  if (pthread_mutex_init(&pool->lock, NULL) != 0) {
    ms_free(pool->queue);
    return ms_fail(err, MS_ERR_MEMORY, "cannot create a lock; is the system out of resources?");
  }
  if (pthread_cond_init(&pool->changed, NULL) != 0) {
    pthread_mutex_destroy(&pool->lock);
    ms_free(pool->queue);
    return ms_fail(err, MS_ERR_MEMORY, "cannot create a lock; is the system out of resources?");
  }
  return MS_OK;
}

void ms_work_queue_destroy(ms_work_queue *pool)
{
  for (int i = 0; i < pool->capacity; i++)
    ms_free(pool->queue[i].candidate);
  ms_free(pool->queue);
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
}

/* Makes every worker return soon; the caller has the lock.  Nobody will search the branches in the
 * queue, and parts behind theirs may wait for the end of theirs. */
static void halt(ms_work_queue *pool)
{
  const ms_match_sink *sink = pool->sink;
  atomic_store(&pool->halt, true);
  for (int i = 0; sink->parts && i < atomic_load(&pool->queued); i++)
    sink->parts->close(sink->user, pool->queue[i].part);
  atomic_store(&pool->queued, 0);
}

void ms_work_queue_join(ms_work_queue *pool)
{
  pthread_mutex_lock(&pool->lock);
  pool->workers++;
  pthread_mutex_unlock(&pool->lock);
}

void ms_work_queue_leave(ms_work_queue *pool, ms_status status, const ms_error *error)
{
  pthread_mutex_lock(&pool->lock);
  pool->workers--;
  if (status != MS_OK) {
    if (pool->status == MS_OK) {
      pool->status = status;
      pool->error = *error;
    }
    halt(pool);
  }
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
}

bool ms_work_queue_take_roots(ms_work_queue *pool, uint64_t *first, uint64_t *last, void **part)
{
  const ms_match_sink *sink = pool->sink;
  *part = NULL;
  pthread_mutex_lock(&pool->lock);
  uint64_t left = pool->last_root - pool->next_root;
  bool taken = left > 0 && !ms_work_queue_halted(pool);
  if (taken) {
    *first = pool->next_root;
    *last = pool->next_root += left < pool->grain ? left : pool->grain;
    if (sink->parts) /* under the lock, as parts have the order of the roots */
      *part = sink->parts->open(sink->user, NULL);
  }
  pthread_mutex_unlock(&pool->lock);
  return taken;
}

bool ms_work_queue_take_branch(ms_work_queue *pool, ms_branch *branch)
{
  bool taken = false;
  pthread_mutex_lock(&pool->lock);
  int waiting = atomic_fetch_add(&pool->waiting, 1) + 1;
  if (waiting == pool->workers && atomic_load(&pool->queued) == 0) {
    pool->over = true;
    pthread_cond_broadcast(&pool->changed);
  }
  while (!pool->over && !atomic_load(&pool->halt) && atomic_load(&pool->queued) == 0)
    pthread_cond_wait(&pool->changed, &pool->lock);
  int queued = atomic_load(&pool->queued);
  if (!pool->over && !atomic_load(&pool->halt) && queued > 0) {
    ms_branch donated = pool->queue[queued - 1];
    pool->queue[queued - 1] = *branch;
    *branch = donated;
    atomic_store(&pool->queued, queued - 1);
    taken = true;
  }
  atomic_fetch_sub(&pool->waiting, 1);
  pthread_mutex_unlock(&pool->lock);
  return taken;
}

/* Copies a branch into `to`, except for its part; returns false, with `to` unchanged, if memory is
 * short. */
static bool copy_branch(ms_branch *to, const ms_branch *from, const uint32_t *prefix)
{
  size_t count = from->count;
  if (!MS_GROW(to->candidate, to->capacity, 0, count))
    return false;
  memcpy(to->prefix, prefix, from->depth * sizeof *prefix);
  memcpy(to->candidate, from->candidate, count * sizeof *to->candidate);
  to->depth = from->depth;
  to->count = count;
  return true;
}

/* Opens the part of a branch behind the donor's, and behind it *rest, unless it is open already: in
 * the end the order is donor, later branches, earlier branches, rest. */
static bool open_parts(const ms_match_sink *sink, void *donor, void **branch, void **rest)
{
  *branch = NULL;
  if (!sink->parts)
    return true;
  *branch = sink->parts->open(sink->user, donor);
  if (*branch && !*rest) {
    *rest = sink->parts->open(sink->user, *branch);
    if (!*rest)
      sink->parts->close(sink->user, *branch);
  }
  return *branch && *rest;
}

bool ms_work_queue_donate(ms_work_queue *pool, const ms_branch *branch, const uint32_t *prefix,
                          void **rest)
{
  bool donated = false;
  pthread_mutex_lock(&pool->lock);
  int queued = atomic_load(&pool->queued);
  if (!atomic_load(&pool->halt) && queued < pool->capacity &&
      queued < atomic_load(&pool->waiting) && copy_branch(&pool->queue[queued], branch, prefix) &&
      open_parts(pool->sink, branch->part, &pool->queue[queued].part, rest)) {
    atomic_store(&pool->queued, queued + 1);
    pthread_cond_signal(&pool->changed);
    donated = true;
  }
  pthread_mutex_unlock(&pool->lock);
  return donated;
}

void ms_work_queue_halt(ms_work_queue *pool)
{
  pthread_mutex_lock(&pool->lock);
  halt(pool);
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
}
