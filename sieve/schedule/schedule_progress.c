/* The progress of the sieve, in blocks of all its workers. */
#include "base/threads/threads.h"
#include "sieve/schedule/schedule_state.h"

/* Seconds between two reports of progress. */
#define REPORT_INTERVAL 0.1

void ms_schedule_report(ms_schedule *p)
{
  const ms_sieve_job *job = p->job;
  if (!job->run.progress || pthread_mutex_trylock(&p->report_lock) != 0)
    return;
  double now = ms_seconds();
  /* A lost worker's blocks are subtracted from done, but a report never goes back. */
  uint64_t done = min_u64(atomic_load_explicit(&p->done, memory_order_relaxed), p->total);
  if (now - p->reported_at >= REPORT_INTERVAL && done >= p->reported) {
    p->reported_at = now;
    p->reported = done;
    ms_limits_report(&job->run, "sieve", done / p->unit, p->total / p->unit);
  }
  pthread_mutex_unlock(&p->report_lock);
}

void ms_schedule_report_end(const ms_schedule *p)
{
  const ms_sieve_job *job = p->job;
  uint64_t total = p->total / p->unit, done = total;
  if (!job->run.progress || total == 0)
    return;
  if (job->stopped != MS_OK)
    done = min_u64(min_u64(atomic_load(&p->done), p->total) / p->unit, total - 1);
  if (done >= p->reported / p->unit)
    ms_limits_report(&job->run, "sieve", done, total);
}

void ms_schedule_blocks_done(void *user, int thread, uint64_t blocks)
{
  ms_worker_state *h = user;
  atomic_fetch_add_explicit(&h->reported_blocks, blocks, memory_order_relaxed);
  atomic_fetch_add_explicit(&h->schedule->done, blocks * h->points, memory_order_relaxed);
  if (thread == 0)
    ms_schedule_report(h->schedule);
}

void ms_schedule_correct(ms_worker_state *h, uint64_t blocks)
{
  uint64_t reported = atomic_exchange_explicit(&h->reported_blocks, 0, memory_order_relaxed);
  atomic_fetch_add_explicit(&h->schedule->done, (blocks - reported) * h->points,
                            memory_order_relaxed);
}
