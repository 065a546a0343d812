#include "sieve/schedule.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdatomic.h>
#include <string.h>

typedef struct ticker {
  _Atomic uint64_t done;
  uint64_t total;
  double last; /* touched by thread 0 only */
  ms_progress_fn progress;
  void *user;
} ticker;

static void tick(void *user, int thread)
{
  ticker *t = user;
  uint64_t done = atomic_fetch_add_explicit(&t->done, 1, memory_order_relaxed) + 1;
  if (thread != 0 || !t->progress)
    return;
  double now = ms_seconds();
  if (now - t->last < 0.1)
    return;
  t->last = now;
  t->progress(t->user, "sieve", done, t->total);
}

/* Units [first, last) of one repetition each or several, into q; a run that
 * lacks memory is tried again in halves.  q is merged only from whole runs:
 * a half-done unit XORed in could never be told from a done one. */
static ms_status run_units(const ms_sieve_backend *backend, void *context, const ms_sieve_job *job,
                           uint64_t first, uint64_t last, uint64_t first_repetition, uint8_t *q, ms_error *err)
{
  uint64_t per_repetition = job->plan.blocks * job->problem->variants;
  uint32_t n = job->problem->instance->n;
  uint64_t from = first / per_repetition, to = (last - 1) / per_repetition;
  uint8_t *buffer = ms_calloc((size_t)(to - from + 1), n);
  if (!buffer)
    return ms_fail_memory(err, "the sieve's values");
  ms_status status = backend->run(context, first, last, buffer, err);
  if (status == MS_OK) {
    uint8_t *target = q + (size_t)(from - first_repetition) * n;
    for (size_t i = 0; i < (size_t)(to - from + 1) * n; i++)
      target[i] ^= buffer[i];
  }
  ms_free(buffer);
  if (status != MS_ERR_MEMORY || last - first < 2)
    return status;
  uint64_t middle = first + (last - first) / 2;
  status = run_units(backend, context, job, first, middle, first_repetition, q, err);
  return status == MS_OK ? run_units(backend, context, job, middle, last, first_repetition, q, err) : status;
}

/* Count the flags of one repetition; true when all vertices have one. */
static bool count_flags(ms_sieve_job *job, const uint8_t *q)
{
  uint32_t n = job->problem->instance->n;
  bool all = true;
  for (uint32_t v = 0; v < n; v++) {
    job->hits[v] += q[v] != 0;
    all &= job->hits[v] != 0;
  }
  if (job->q)
    memcpy(job->q + (size_t)job->finished * n, q, n);
  job->finished++;
  return all;
}

ms_status ms_sieve_schedule(ms_sieve_job *job, const ms_sieve_backend *backend, int device,
                            const ms_sieve_config *config, ms_error *err)
{
  void *context = NULL;
  uint8_t *q = NULL;
  uint32_t n = job->problem->instance->n;
  ticker t = {.progress = job->progress, .user = job->progress_user};
  ms_sieve_config with_ticks = *config;
  with_ticks.block_done = tick;
  with_ticks.block_user = &t;
  job->finished = 0;
  job->all_flagged = false;
  job->stopped = MS_OK;

  ms_status status = backend->open(job->problem, &with_ticks, device, &context, &job->plan, err);
  if (status != MS_OK)
    return status;
  uint64_t per_repetition = job->plan.blocks * job->problem->variants;
  t.total = per_repetition * job->repetitions;
  /* several repetitions at a time only where one has too few units to keep
   * the threads busy; else stop as early as may be */
  uint64_t batch = (4 * (uint64_t)job->plan.threads + per_repetition - 1) / per_repetition;
  if (batch > job->repetitions)
    batch = job->repetitions;
  q = ms_alloc((size_t)batch, n);
  if (!q) {
    status = ms_fail_memory(err, "the sieve's values");
    goto done;
  }
  while (job->finished < job->repetitions && !(job->early_stop && job->all_flagged)) {
    uint64_t first = job->finished, left = job->repetitions - first, count = left < batch ? left : batch;
    memset(q, 0, (size_t)count * n);
    status = run_units(backend, context, job, first * per_repetition, (first + count) * per_repetition, first, q,
                       err);
    if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
      job->stopped = status;
      status = MS_OK;
      break;
    }
    if (status != MS_OK)
      break;
    for (uint64_t i = 0; i < count && !(job->early_stop && job->all_flagged); i++)
      job->all_flagged = count_flags(job, q + (size_t)i * n);
  }
done:
  if (t.progress)
    t.progress(t.user, "sieve", t.total, t.total);
  ms_free(q);
  backend->close(context);
  return status;
}
