#include "match/cpu/stealing.h"

#include "base/alloc.h"
#include "base/status.h"

#include <sched.h>
#include <time.h>

#define MAX_CHUNK 64u
#define CHUNKS_A_WORKER 64u /* enough chunks that the last ones are short */
#define PARTS_OF_CHILDREN 16u

ms_status ms_stealing_init(ms_stealing *work, int workers, uint64_t roots, ms_stream *stream,
                           ms_error *err)
{
  *work = (ms_stealing){.roots = roots, .stream = stream};
  /* a worker that has not joined yet has no work that others could steal */
  atomic_store(&work->idle, workers);
  work->chunk = roots / ((uint64_t)workers * CHUNKS_A_WORKER) + 1;
  if (work->chunk > MAX_CHUNK)
    work->chunk = MAX_CHUNK;
  work->worker = ms_calloc((size_t)workers, sizeof *work->worker);
  if (!work->worker)
    return ms_fail_memory(err, "threads of a search");
  for (; work->workers < workers; work->workers++)
    if (pthread_mutex_init(&work->worker[work->workers].lock, NULL) != 0)
      return ms_fail_memory(err, "a lock");
  if (stream)
    ms_stream_tell(stream, &work->halt);
  return MS_OK;
}

void ms_stealing_join(ms_stealing *work)
{
  atomic_fetch_sub(&work->idle, 1);
}

void ms_stealing_destroy(ms_stealing *work)
{
  if (work->stream)
    ms_stream_tell(work->stream, NULL);
  for (int w = 0; w < work->workers; w++)
    pthread_mutex_destroy(&work->worker[w].lock);
  ms_free(work->worker);
}

/* ---- stretches ----------------------------------------------------------------- */

/* Opens a segment for a new stretch. Without memory it halts all workers and
 * returns false. */
static bool open_segment(ms_stealing *work, ms_stealing_worker *worker, ms_segment *after)
{
  if (!work->stream)
    return true;
  worker->segment = ms_stream_open(work->stream, after);
  if (worker->segment)
    return true;
  atomic_store(&work->no_memory, true);
  atomic_store(&work->halt, true);
  return false;
}

/* Takes a chunk off the common counter. With a stream the order of the segments
 * has to be the order of the roots, so both are taken under one lock, that of
 * worker 0. */
static bool take_chunk(ms_stealing *work, ms_stealing_worker *worker)
{
  pthread_mutex_t *order = work->stream ? &work->worker[0].lock : NULL;
  if (order)
    pthread_mutex_lock(order);
  uint64_t first = atomic_load(&work->next) < work->roots
                       ? atomic_fetch_add(&work->next, work->chunk)
                       : work->roots;
  bool taken = first < work->roots && open_segment(work, worker, NULL);
  if (order)
    pthread_mutex_unlock(order);
  if (!taken)
    return false;
  pthread_mutex_lock(&worker->lock);
  worker->root = first;
  worker->root_end = first + work->chunk < work->roots ? first + work->chunk : work->roots;
  pthread_mutex_unlock(&worker->lock);
  return true;
}

/* Steals half of the victim's roots, rounded up, or half of its children. */
static bool steal_from(ms_stealing *work, ms_stealing_worker *thief, ms_stealing_worker *victim,
                       bool *stolen_root)
{
  uint64_t root = 0, root_end = 0, child = 0, child_end = 0, begun = 0;
  bool stolen = false;
  pthread_mutex_lock(&victim->lock);
  if (victim->root < victim->root_end) {
    root_end = victim->root_end;
    root = victim->root + (victim->root_end - victim->root) / 2;
    stolen = open_segment(work, thief, victim->segment);
    if (stolen)
      victim->root_end = root;
  } else if (victim->child + 1 < victim->child_end) {
    begun = victim->begun;
    child_end = victim->child_end;
    child = victim->child + (victim->child_end - victim->child + 1) / 2;
    stolen = open_segment(work, thief, victim->segment);
    if (stolen)
      victim->child_end = child;
    *stolen_root = stolen;
  }
  if (stolen)
    atomic_fetch_sub(&work->idle, 1);
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

bool ms_stealing_take(ms_stealing *work, int w, bool *stolen_root)
{
  ms_stealing_worker *worker = &work->worker[w];
  *stolen_root = false;
  if (atomic_load(&work->halt))
    return false;
  if (take_chunk(work, worker))
    return true;
  atomic_fetch_add(&work->idle, 1);
  for (uint32_t tries = 0; atomic_load(&work->idle) < work->workers && !atomic_load(&work->halt);
       tries++) {
    for (int i = 1; i < work->workers; i++)
      if (steal_from(work, worker, &work->worker[(w + i) % work->workers], stolen_root))
        return true;
    back_off(tries);
  }
  return false;
}

bool ms_stealing_root(ms_stealing *work, int w, uint64_t *root)
{
  ms_stealing_worker *worker = &work->worker[w];
  if (atomic_load_explicit(&work->halt, memory_order_relaxed))
    return false;
  if (work->workers > 1)
    pthread_mutex_lock(&worker->lock);
  bool some = worker->root < worker->root_end;
  if (some)
    *root = worker->root++;
  worker->child = worker->child_end = 0;
  if (work->workers > 1)
    pthread_mutex_unlock(&worker->lock);
  return some;
}

void ms_stealing_offer(ms_stealing *work, int w, uint64_t root, uint64_t children)
{
  ms_stealing_worker *worker = &work->worker[w];
  if (work->workers > 1)
    pthread_mutex_lock(&worker->lock);
  worker->begun = root;
  worker->child = 0;
  worker->child_end = children;
  if (work->workers > 1)
    pthread_mutex_unlock(&worker->lock);
}

bool ms_stealing_children(ms_stealing *work, int w, uint64_t *first, uint64_t *last)
{
  ms_stealing_worker *worker = &work->worker[w];
  if (work->workers > 1)
    pthread_mutex_lock(&worker->lock);
  uint64_t left = worker->child_end - worker->child;
  uint64_t part = work->workers > 1 ? left / PARTS_OF_CHILDREN + 1 : left;
  *first = worker->child;
  *last = *first + (part < left ? part : left);
  worker->child = *last;
  if (work->workers > 1)
    pthread_mutex_unlock(&worker->lock);
  return left > 0;
}

void ms_stealing_finish(ms_stealing *work, int w)
{
  ms_stealing_worker *worker = &work->worker[w];
  pthread_mutex_lock(&worker->lock);
  ms_segment *segment = worker->segment;
  worker->segment = NULL;
  worker->root = worker->root_end = worker->child = worker->child_end = 0;
  pthread_mutex_unlock(&worker->lock);
  if (segment)
    ms_stream_close(work->stream, segment);
}
