#include "match/cpu/share.h"

#include "base/alloc.h"
#include "base/status.h"

#include <sched.h>
#include <time.h>

#define MAX_CHUNK 64u
#define CHUNKS_A_WORKER 64u /* enough chunks that the last ones are short */
#define PARTS_OF_CHILDREN 16u

ms_status ms_share_init(ms_share *share, int workers, uint64_t roots, ms_stream *stream,
                        ms_error *err)
{
  *share = (ms_share){.roots = roots, .stream = stream};
  /* a worker that has not joined yet has no work that others could steal */
  atomic_store(&share->idle, workers);
  share->chunk = roots / ((uint64_t)workers * CHUNKS_A_WORKER) + 1;
  if (share->chunk > MAX_CHUNK)
    share->chunk = MAX_CHUNK;
  share->worker = ms_calloc((size_t)workers, sizeof *share->worker);
  if (!share->worker)
    return ms_fail_memory(err, "threads of a search");
  for (; share->workers < workers; share->workers++)
    if (pthread_mutex_init(&share->worker[share->workers].lock, NULL) != 0)
      return ms_fail_memory(err, "a lock");
  if (stream)
    ms_stream_tell(stream, &share->halt);
  return MS_OK;
}

void ms_share_join(ms_share *share)
{
  atomic_fetch_sub(&share->idle, 1);
}

void ms_share_destroy(ms_share *share)
{
  if (share->stream)
    ms_stream_tell(share->stream, NULL);
  for (int w = 0; w < share->workers; w++)
    pthread_mutex_destroy(&share->worker[w].lock);
  ms_free(share->worker);
}

/* ---- stretches ----------------------------------------------------------------- */

/* Opens a segment for a new stretch. Without memory it halts all workers and
 * returns false. */
static bool open_segment(ms_share *share, ms_share_worker *worker, ms_segment *after)
{
  if (!share->stream)
    return true;
  worker->segment = ms_stream_open(share->stream, after);
  if (worker->segment)
    return true;
  atomic_store(&share->no_memory, true);
  atomic_store(&share->halt, true);
  return false;
}

/* Takes a chunk off the common counter. With a stream the order of the segments
 * has to be the order of the roots, so both are taken under one lock, that of
 * worker 0. */
static bool take_chunk(ms_share *share, ms_share_worker *worker)
{
  pthread_mutex_t *order = share->stream ? &share->worker[0].lock : NULL;
  if (order)
    pthread_mutex_lock(order);
  uint64_t first = atomic_load(&share->next) < share->roots
                       ? atomic_fetch_add(&share->next, share->chunk)
                       : share->roots;
  bool taken = first < share->roots && open_segment(share, worker, NULL);
  if (order)
    pthread_mutex_unlock(order);
  if (!taken)
    return false;
  pthread_mutex_lock(&worker->lock);
  worker->root = first;
  worker->root_end = first + share->chunk < share->roots ? first + share->chunk : share->roots;
  pthread_mutex_unlock(&worker->lock);
  return true;
}

/* Steals half of the victim's roots, rounded up, or half of its children. */
static bool steal_from(ms_share *share, ms_share_worker *thief, ms_share_worker *victim,
                       bool *stolen_root)
{
  uint64_t root = 0, root_end = 0, child = 0, child_end = 0, begun = 0;
  bool stolen = false;
  pthread_mutex_lock(&victim->lock);
  if (victim->root < victim->root_end) {
    root_end = victim->root_end;
    root = victim->root + (victim->root_end - victim->root) / 2;
    stolen = open_segment(share, thief, victim->segment);
    if (stolen)
      victim->root_end = root;
  } else if (victim->child + 1 < victim->child_end) {
    begun = victim->begun;
    child_end = victim->child_end;
    child = victim->child + (victim->child_end - victim->child + 1) / 2;
    stolen = open_segment(share, thief, victim->segment);
    if (stolen)
      victim->child_end = child;
    *stolen_root = stolen;
  }
  if (stolen)
    atomic_fetch_sub(&share->idle, 1);
  pthread_mutex_unlock(&victim->lock);
  if (!stolen)
    return false;
  pthread_mutex_lock(&thief->lock);
  thief->root = root;
  thief->root_end = root_end;
  thief->begun = begun;
  thief->child = child;
  thief->child_end = child_end;
  pthread_mutex_unlock(&thief->lock);
  return true;
}

static void back_off(uint32_t tries)
{
  if (tries < 16)
    sched_yield();
  else
    nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
}

bool ms_share_take(ms_share *share, int w, bool *stolen_root)
{
  ms_share_worker *worker = &share->worker[w];
  *stolen_root = false;
  if (atomic_load(&share->halt))
    return false;
  if (take_chunk(share, worker))
    return true;
  atomic_fetch_add(&share->idle, 1);
  for (uint32_t tries = 0; atomic_load(&share->idle) < share->workers && !atomic_load(&share->halt);
       tries++) {
    for (int i = 1; i < share->workers; i++)
      if (steal_from(share, worker, &share->worker[(w + i) % share->workers], stolen_root))
        return true;
    back_off(tries);
  }
  return false;
}

bool ms_share_root(ms_share *share, int w, uint64_t *root)
{
  ms_share_worker *worker = &share->worker[w];
  if (atomic_load_explicit(&share->halt, memory_order_relaxed))
    return false;
  if (share->workers > 1)
    pthread_mutex_lock(&worker->lock);
  bool some = worker->root < worker->root_end;
  if (some)
    *root = worker->root++;
  worker->child = worker->child_end = 0;
  if (share->workers > 1)
    pthread_mutex_unlock(&worker->lock);
  return some;
}

void ms_share_offer(ms_share *share, int w, uint64_t root, uint64_t children)
{
  ms_share_worker *worker = &share->worker[w];
  if (share->workers > 1)
    pthread_mutex_lock(&worker->lock);
  worker->begun = root;
  worker->child = 0;
  worker->child_end = children;
  if (share->workers > 1)
    pthread_mutex_unlock(&worker->lock);
}

bool ms_share_children(ms_share *share, int w, uint64_t *first, uint64_t *last)
{
  ms_share_worker *worker = &share->worker[w];
  if (share->workers > 1)
    pthread_mutex_lock(&worker->lock);
  uint64_t left = worker->child_end - worker->child;
  uint64_t part = share->workers > 1 ? left / PARTS_OF_CHILDREN + 1 : left;
  *first = worker->child;
  *last = *first + (part < left ? part : left);
  worker->child = *last;
  if (share->workers > 1)
    pthread_mutex_unlock(&worker->lock);
  return left > 0;
}

void ms_share_finish(ms_share *share, int w)
{
  ms_share_worker *worker = &share->worker[w];
  pthread_mutex_lock(&worker->lock);
  ms_segment *segment = worker->segment;
  worker->segment = NULL;
  worker->root = worker->root_end = worker->child = worker->child_end = 0;
  pthread_mutex_unlock(&worker->lock);
  if (segment)
    ms_stream_close(share->stream, segment);
}
