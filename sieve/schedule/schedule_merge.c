/* Runs ranges of grains on a worker, merges their values Q, and counts flags. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "sieve/schedule/schedule_state.h"

#include <string.h>

static bool grow_rows(uint8_t **buffer, size_t *have, size_t rows, uint32_t n)
{
  if (*buffer && *have >= rows)
    return true;
  ms_free(*buffer);
  *buffer = ms_alloc(rows, n);
  *have = *buffer ? rows : 0;
  return *buffer != NULL;
}

static int threads_for(const ms_worker_state *h, uint64_t bytes)
{
  return ms_threads_for(h->worker->config.threads, bytes / 8);
}

static void clear_range(void *user, ms_range r)
{
  memset((uint8_t *)user + r.begin, 0, r.end - r.begin);
}

void ms_schedule_clear(uint8_t *q, size_t bytes, int threads)
{
  ms_parallel(ms_threads_for(threads, bytes / 8), bytes, 0, clear_range, q);
}

typedef struct merging {
  uint8_t *to;
  const uint8_t *from;
} merging;

static void merge_range(void *user, ms_range r)
{
  uint8_t *to = ((merging *)user)->to;
  const uint8_t *from = ((merging *)user)->from;
  for (uint64_t i = r.begin; i < r.end; i++)
    to[i] ^= from[i];
}

static void merge(uint8_t *to, const uint8_t *from, size_t bytes, int threads)
{
  ms_parallel(threads, bytes, 0, merge_range, &(merging){to, from});
}

ms_status ms_worker_run(ms_worker_state *h, ms_grains r, const uint8_t **q, ms_error *err)
{
  uint32_t n = h->schedule->job->problem->instance->n;
  uint64_t repetition = h->schedule->grains * h->blocks; /* length in this worker's blocks */
  uint64_t first = r.first * h->blocks, last = r.last * h->blocks, step = last - first;
  size_t rows = (size_t)((last - 1) / repetition - first / repetition + 1);
  if (!grow_rows(&h->part, &h->part_rows, rows, n))
    return ms_fail_memory(err, "the sieve's values");
  for (uint64_t at = first; at < last;) {
    uint64_t end = at + min_u64(step, last - at), row = at / repetition;
    size_t part_rows = (size_t)((end - 1) / repetition - row + 1);
    ms_schedule_clear(h->part, part_rows * n, h->worker->config.threads);
    ms_status status = h->worker->backend->run(h->context, at, end, h->part, err);
    ms_schedule_correct(h, status == MS_OK ? end - at : 0);
    if (status == MS_ERR_MEMORY && end - at > 1) {
      step = (end - at) / 2;
      continue;
    }
    if (status != MS_OK)
      return status;
    *q = h->part;
    if (at == first && end == last)
      break;
    if (!grow_rows(&h->sum, &h->sum_rows, rows, n))
      return ms_fail_memory(err, "the sieve's values");
    if (at == first)
      memset(h->sum, 0, rows * n);
    merge(h->sum + (size_t)(row - first / repetition) * n, h->part, part_rows * n,
          threads_for(h, part_rows * n));
    *q = h->sum;
    at = end;
  }
  if (step < last - first)
    h->most = step / h->blocks ? step / h->blocks : 1;
  return MS_OK;
}

typedef struct adding {
  const uint8_t *q;
  uint32_t *hits;
  bool without; /* a vertex has no flag */
} adding;

static void add_range(void *user, ms_range r)
{
  adding *a = user;
  const uint8_t *q = a->q;
  uint32_t *hits = a->hits, without = 0;
  for (uint64_t v = r.begin; v < r.end; v++) {
    uint32_t count = hits[v] + (q[v] != 0);
    hits[v] = count;
    without |= count == 0;
  }
  if (without)
    __atomic_store_n(&a->without, true, __ATOMIC_RELAXED);
}

/* Adds the flags of a repetition, and returns whether every vertex has one. */
static bool add_flags(ms_sieve_job *job, const uint8_t *q, int threads)
{
  uint32_t n = job->problem->instance->n;
  adding a = {.q = q, .hits = job->hits};
  ms_parallel(threads, n, 0, add_range, &a);
  return !a.without;
}

/* Adds the flags of the next repetition, q, to the hits.  Its row of the window is for another
 * repetition now. */
static void finish_repetition(ms_schedule *p, const uint8_t *q, int threads)
{
  ms_sieve_job *job = p->job;
  uint32_t n = job->problem->instance->n;
  if (!job->share)
    job->all_flagged = add_flags(job, q, threads);
  if (job->q)
    memcpy(job->q + (size_t)job->finished * n, q, n);
  if (job->take)
    job->take(job->take_user, q);
  p->left[ms_schedule_at(p) % p->window] =
      ms_schedule_repetition_grains(p, ms_schedule_at(p) + p->window);
  job->finished++;
  p->complete = ms_schedule_at(p) == job->last_repetition || (job->early_stop && job->all_flagged);
  if (p->complete)
    ms_schedule_end(p);
}

void ms_sieve_flags(ms_sieve_job *job, const uint8_t *q, uint32_t repetitions, int threads)
{
  size_t n = job->problem->instance->n;
  threads = ms_threads_for(threads, n / 8);
  while (job->finished < repetitions && !(job->early_stop && job->all_flagged)) {
    job->all_flagged = add_flags(job, q, threads);
    if (job->take)
      job->take(job->take_user, q);
    job->finished++;
    q += n;
  }
}

void ms_schedule_finish_repetitions(ms_schedule *p, int threads)
{
  uint32_t n = p->job->problem->instance->n;
  while (!p->ended && p->left[ms_schedule_at(p) % p->window] == 0) {
    uint32_t slot = ms_schedule_at(p) % p->window;
    uint8_t *q = p->q + (size_t)slot * n;
    finish_repetition(p, q, threads);
    memset(q, 0, n);
  }
}

void ms_worker_merge(ms_worker_state *h, ms_grains r, const uint8_t *q, double seconds)
{
  ms_schedule *p = h->schedule;
  uint32_t n = p->job->problem->instance->n;
  int threads = threads_for(h, n);
  pthread_mutex_lock(&p->lock);
  double speed = seconds > 0 ? (double)(r.last - r.first) / seconds : h->speed;
  h->speed = h->speed > 0 ? (h->speed + 3 * speed) / 4 : speed; /* a first run may include set-up */
  h->busy = 0;
  if (!p->ended) {
    h->worker->points += (r.last - r.first) * (ms_pass_points(p) / p->pass_grains);
    for (uint64_t at = r.first; at < r.last && !p->ended; q += n) {
      uint64_t repetition = at / p->grains, end = min_u64((repetition + 1) * p->grains, r.last);
      uint32_t slot = (uint32_t)(repetition % p->window);
      if (end - at == p->grains && repetition == ms_schedule_at(p)) {
        /* a whole repetition whose turn it is needs no merging */
        finish_repetition(p, q, threads);
      } else {
        merge(p->q + (size_t)slot * n, q, n, threads);
        p->left[slot] -= end - at;
      }
      at = end;
    }
    ms_schedule_finish_repetitions(p, threads);
  }
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  ms_schedule_report(p);
}
