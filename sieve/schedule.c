#include "base/alloc.h"
#include "base/parallel.h"
#include "base/status.h"
#include "base/threads.h"
#include "sieve/schedule_state.h"

/* ---- workers ------------------------------------------------------------- */

/* Retires the worker; the others take the range that it worked on. */
static void retire(ms_worker_state *h, ms_status status, ms_error *err, const ms_grains *r)
{
  ms_schedule *p = h->schedule;
  if (!err->message[0])
    ms_fail(err, status, "the back end '%s': %s", h->worker->backend->name, ms_status_text(status));
  err->status = status;
  pthread_mutex_lock(&p->lock);
  h->alive = false;
  h->busy = 0;
  if (r)
    p->returned[p->n_returned++] = *r;
  if (status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED) {
    if (!p->ended)
      p->job->stopped = status;
    ms_schedule_end(p);
  } else if (status == MS_ERR_DEVICE_LOST || status == MS_ERR_MEMORY) {
    h->worker->lost = *err;
  } else {
    ms_schedule_fail(p, status, err);
  }
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

static void *run_worker(void *user)
{
  ms_worker_state *h = user;
  ms_sieve_worker *w = h->worker;
  ms_sieve_config config = w->config;
  ms_error err = {0};
  ms_grains r;
  const uint8_t *q = NULL;
  config.blocks_done = ms_schedule_blocks_done;
  config.block_user = h;
  config.bytes_moved = &w->bytes_moved;
  config.stop = h->stop ? h->stop : config.stop;
  ms_status status =
      w->backend->open(h->schedule->job->problem, &config, w->device, &h->context, &w->plan, &err);
  bool open = status == MS_OK;
  if (!open)
    retire(h, status, &err, NULL);
  ms_schedule_opened(h, status);
  while (status == MS_OK && ms_schedule_take(h, &r)) {
    double start = ms_seconds();
    status = ms_worker_run(h, r, &q, &err);
    if (status == MS_OK)
      ms_worker_merge(h, r, q, ms_seconds() - start);
    else
      retire(h, status, &err, &r);
  }
  if (open)
    w->backend->close(h->context);
  ms_free(h->part);
  ms_free(h->sum);
  return NULL;
}

/* ---- the job ------------------------------------------------------------- */

/* Gives each of several workers a token that stops when the job has ended.  Otherwise an early stop
 * would wait for the ranges of a further repetition, whose values nobody needs. */
static ms_status make_tokens(ms_schedule *p, uint32_t n_workers, ms_error *err)
{
  for (uint32_t i = 0; i < n_workers && n_workers > 1; i++)
    MS_TRY(ms_stop_child(p->states[i].worker->config.stop, 0, &p->states[i].stop, err));
  return MS_OK;
}

static void run_workers(ms_schedule *p, uint32_t n_workers)
{
  p->opening = n_workers;
  if (n_workers == 1) {
    run_worker(&p->states[0]);
    return;
  }
  for (uint32_t i = 0; i < n_workers; i++) {
    ms_worker_state *h = &p->states[i];
    h->started = ms_thread_start(&h->thread, run_worker, h);
    if (!h->started) {
      ms_error err = {0};
      ms_fail(&err, MS_ERR_MEMORY, "no thread could be started for the back end '%s'",
              h->worker->backend->name);
      retire(h, MS_ERR_MEMORY, &err, NULL);
      ms_schedule_opened(h, MS_ERR_MEMORY);
    }
  }
  for (uint32_t i = 0; i < n_workers; i++)
    if (p->states[i].started)
      pthread_join(p->states[i].thread, NULL);
}

/* Reports the error of a job whose workers are all lost. */
static ms_status explain_loss(const ms_schedule *p, ms_error *err)
{
  const ms_error *why = NULL;
  uint32_t lost = 0;
  for (uint32_t i = 0; i < p->n_states; i++)
    if (p->states[i].worker->lost.status != MS_OK) {
      why = &p->states[i].worker->lost;
      lost++;
    }
  if (!why)
    return ms_fail(err, MS_ERR_INTERNAL, "the sieve ended without a reason");
  return lost == 1
             ? ms_fail(err, why->status, "%s", why->message)
             : ms_fail(err, why->status, "all %u devices failed; the last: %s", lost, why->message);
}

static void choose_reported_plan(ms_sieve_job *job, const ms_schedule *p)
{
  const ms_sieve_worker *first = NULL;
  for (uint32_t i = 0; i < p->n_states; i++) {
    const ms_sieve_worker *w = p->states[i].worker;
    if (!first || (w->opened && !first->opened) || (w->points > 0 && first->points == 0))
      first = w;
  }
  job->plan = first->plan;
}

ms_status ms_sieve_schedule(ms_sieve_job *job, ms_sieve_worker *workers, uint32_t n_workers,
                            ms_error *err)
{
  ms_schedule p = {.job = job, .n_states = n_workers, .begun = ms_seconds()};
  ms_status status = MS_OK;
  job->finished = 0;
  job->all_flagged = false;
  job->stopped = MS_OK;
  job->plan = (ms_sieve_plan){0};
  ms_sieve_job_bound(job);
  if (job->share)
    job->early_stop = false;
  if (job->share && job->first_repetition == job->last_repetition)
    return MS_OK;
  p.states = ms_calloc((size_t)n_workers + 1, sizeof *p.states);
  p.returned = ms_alloc((size_t)n_workers + 1, sizeof *p.returned);
  pthread_mutex_init(&p.lock, NULL);
  pthread_mutex_init(&p.report_lock, NULL);
  pthread_cond_init(&p.changed, NULL);
  if (!p.states || !p.returned) {
    status = ms_fail_memory(err, "the sieve's workers");
    goto done;
  }
  for (uint32_t i = 0; i <= n_workers; i++) {
    ms_sieve_worker *w = i < n_workers ? &workers[i] : job->rescue;
    p.states[i] = (ms_worker_state){.schedule = &p, .worker = w};
    if (w) {
      w->opened = false;
      w->plan = (ms_sieve_plan){0};
      w->lost = (ms_error){0};
      w->points = w->bytes_moved = 0;
    }
  }
  status = make_tokens(&p, n_workers, err);
  if (status != MS_OK)
    goto done;
  run_workers(&p, n_workers);
  if (!p.ended && job->rescue) {
    p.n_states++;
    p.opening = 1;
    p.begun = ms_seconds();
    run_worker(&p.states[n_workers]);
  }
  choose_reported_plan(job, &p);
  if (p.status != MS_OK)
    status = ms_fail(err, p.status, "%s", p.error.message);
  else if (!p.ended)
    status = explain_loss(&p, err);
  if (status == MS_OK)
    ms_schedule_report_end(&p);
done:
  pthread_cond_destroy(&p.changed);
  pthread_mutex_destroy(&p.report_lock);
  pthread_mutex_destroy(&p.lock);
  ms_free(p.q);
  ms_free(p.left);
  ms_free(p.returned);
  for (uint32_t i = 0; p.states && i < n_workers; i++)
    ms_stop_free(p.states[i].stop);
  ms_free(p.states);
  return status;
}
