#include "motif/work_queue.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

ms_status ms_work_queue_init(ms_work_queue *pool, int workers, uint64_t first, uint64_t last,
                             ms_error *err)
{
  memset(pool, 0, sizeof *pool);
  atomic_init(&pool->next_root, first);
  atomic_init(&pool->waiting, 0);
  atomic_init(&pool->queued, 0);
  atomic_init(&pool->halt, false);
  pool->last_root = last;
  pool->capacity = workers;
  pool->queue = ms_calloc((size_t)workers, sizeof *pool->queue);
  if (!pool->queue) {
    return ms_fail_memory(err, "the work queue");
  }
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
  for (int i = 0; i < pool->capacity; i++) {
    ms_free(pool->queue[i].candidate);
  }
  ms_free(pool->queue);
  pthread_cond_destroy(&pool->changed);
  pthread_mutex_destroy(&pool->lock);
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
    atomic_store(&pool->halt, true);
  }
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
}

bool ms_work_queue_take_root(ms_work_queue *pool, uint64_t *root)
{
  *root = atomic_fetch_add_explicit(&pool->next_root, 1, memory_order_relaxed);
  return *root < pool->last_root && !ms_work_queue_halted(pool);
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
  while (!pool->over && !atomic_load(&pool->halt) && atomic_load(&pool->queued) == 0) {
    pthread_cond_wait(&pool->changed, &pool->lock);
  }
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

/* Copies a branch into `to`; returns false, with `to` unchanged, if memory is short. */
static bool copy_branch(ms_branch *to, const uint32_t *prefix, uint32_t depth,
                        const ms_candidate *candidate, size_t count)
{
  if (to->capacity < count) {
    ms_candidate *grown = ms_resize(to->candidate, to->capacity, count, sizeof *grown);
    if (!grown) {
      return false;
    }
    to->candidate = grown;
    to->capacity = count;
  }
  memcpy(to->prefix, prefix, depth * sizeof *prefix);
  memcpy(to->candidate, candidate, count * sizeof *candidate);
  to->depth = depth;
  to->count = count;
  return true;
}

bool ms_work_queue_donate(ms_work_queue *pool, const uint32_t *prefix, uint32_t depth,
                          const ms_candidate *candidate, size_t count)
{
  bool donated = false;
  pthread_mutex_lock(&pool->lock);
  int queued = atomic_load(&pool->queued);
  if (queued < pool->capacity && queued < atomic_load(&pool->waiting) &&
      copy_branch(&pool->queue[queued], prefix, depth, candidate, count)) {
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
  atomic_store(&pool->halt, true);
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->lock);
}
