#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "sieve/schedule/schedule_state.h"

/* ---- sharing the work ------------------------------------------------------------------------ */

/* Divides the work of the sieve into grains, and distributes them among the workers. */

/* Greatest number of inner labels of a block of the rescue: its blocks are
 * lines of the CPU. */
enum { RESCUE_BITS = 8 };
/* Upper limit of the seconds that a range takes if there are several workers.
 * This is the work that a lost device costs, and the time after which a worker
 * notices that another one failed. */
#define LONGEST_RANGE 2.0
/* Fraction of its fair share that a worker receives at once.  Long ranges keep a
 * GPU full; the work that is held back evens out speeds that were measured wrongly. */
#define SHARE_AT_ONCE 0.75

/* ---- opening ------------------------------------------------------------- */

static bool is_power_of_two(uint64_t x)
{
  return x > 0 && (x & (x - 1)) == 0;
}

/* Ends the job with this error, unless it has one.  The lock must be held. */
static void schedule_fail(ms_schedule *p, ms_status status, const ms_error *err)
{
  if (p->status == MS_OK) {
    p->status = status;
    p->error = *err;
  }
  ms_schedule_end(p);
}

static void set_grain(const ms_schedule *p, ms_worker_state *h)
{
  h->blocks = h->worker->plan.blocks / p->pass_grains;
  h->points = ms_pass_points(p) / h->worker->plan.blocks;
  h->least = (h->worker->plan.batch + h->blocks - 1) / h->blocks;
  h->least = h->least ? h->least : 1;
  h->together = h->worker->plan.together / h->blocks;
  h->together = h->together ? h->together : 1;
  h->most = UINT64_MAX;
}

/* Chooses the grain and the window, once every worker has opened or failed.
 * The window holds several repetitions only if one repetition does not keep all
 * workers busy, so that an early stop comes as early as possible.  With several
 * workers it holds a second batch, so that nobody waits for the end of the first. */
static ms_status plan_schedule(ms_schedule *p, ms_error *err)
{
  const ms_sieve_job *job = p->job;
  uint32_t n = job->problem->instance->n, size = job->problem->size, alive = 0;
  uint64_t least = 0;
  p->pass_grains = job->rescue && size < RESCUE_BITS
                       ? 1
                       : (uint64_t)1 << (job->rescue ? size - RESCUE_BITS : size);
  p->unit = ms_pass_points(p);
  for (uint32_t i = 0; i < p->n_states; i++) {
    uint64_t blocks = p->states[i].worker->plan.blocks;
    if (!p->states[i].alive)
      continue;
    if (!is_power_of_two(blocks) || blocks > ms_pass_points(p))
      return ms_fail(err, MS_ERR_INTERNAL, "the back end '%s' cuts 2^%u points into %llu blocks",
                     p->states[i].worker->backend->name, size, (unsigned long long)blocks);
    p->pass_grains = min_u64(p->pass_grains, blocks);
    p->unit = min_u64(p->unit, ms_pass_points(p) / blocks);
    alive++;
  }
  if (alive == 0)
    return MS_OK;
  p->grains = p->pass_grains * job->problem->variants;
  p->unit_grains = p->pass_grains / ms_sieve_pass_units(job->problem);
  if (job->share && p->unit_grains == 0)
    return ms_fail(err, MS_ERR_INTERNAL, "a unit of the sieve is no block of every back end");
  p->next = job->first_repetition * p->grains;
  p->total = ms_schedule_grains_from(p, p->next, job->last_repetition * p->grains) *
             (ms_pass_points(p) / p->pass_grains);
  for (uint32_t i = 0; i < p->n_states; i++)
    if (p->states[i].alive) {
      set_grain(p, &p->states[i]);
      least += p->states[i].least;
    }
  ms_schedule_order_runs(p, alive);
  uint64_t batch = (least + p->grains - 1) / p->grains;
  p->window = (uint32_t)min_u64(alive > 1 ? 2 * batch : batch,
                                job->last_repetition - job->first_repetition);
  p->q = ms_alloc(p->window, n);
  p->left = ms_alloc(p->window, sizeof *p->left);
  if (!p->q || !p->left)
    return ms_fail_memory(err, "the sieve's values");
  ms_schedule_clear(p->q, (size_t)p->window * n, p->states[0].worker->config.threads);
  for (uint32_t i = 0; i < p->window; i++) {
    uint32_t repetition = job->first_repetition + i;
    p->left[repetition % p->window] = ms_schedule_repetition_grains(p, repetition);
  }
  ms_schedule_finish_repetitions(p, 1); /* those that have no unit of the share */
  return MS_OK;
}

/* Checks the rescue's blocks, which must fit because it opens after the grain
 * was fixed. */
static ms_status accept_rescue(const ms_schedule *p, ms_worker_state *h, ms_error *err)
{
  uint64_t blocks = h->worker->plan.blocks;
  if (!is_power_of_two(blocks) || blocks < p->pass_grains || blocks > ms_pass_points(p))
    return ms_fail(
        err, MS_ERR_INTERNAL, "the back end '%s' has %llu blocks and cannot go on with %llu ranges",
        h->worker->backend->name, (unsigned long long)blocks, (unsigned long long)p->pass_grains);
  set_grain(p, h);
  return MS_OK;
}

/* Records that the worker opened or failed to open.  The last one plans. */
static void schedule_opened(ms_worker_state *h, ms_status status)
{
  ms_schedule *p = h->schedule;
  ms_error err = {0};
  pthread_mutex_lock(&p->lock);
  h->alive = h->worker->opened = status == MS_OK;
  p->opening--;
  status = MS_OK;
  if (p->opening == 0)
    p->job->time_open += ms_seconds() - p->begun;
  if (p->opening == 0 && !p->q)
    status = plan_schedule(p, &err);
  else if (p->opening == 0 && h->alive)
    status = accept_rescue(p, h, &err);
  if (status != MS_OK)
    schedule_fail(p, status, &err);
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

/* ---- distributing work --------------------------------------------------------- */

/* Returns the end of the grains of the repetitions that may be in work now. */
static uint64_t window_end(const ms_schedule *p)
{
  return min_u64(p->job->last_repetition, (uint64_t)ms_schedule_at(p) + p->window) * p->grains;
}

/* Returns the number of grains that may be distributed now. */
static uint64_t grains_ready(const ms_schedule *p)
{
  uint64_t count = ms_schedule_grains_from(p, p->next, window_end(p));
  for (uint32_t i = 0; i < p->n_returned; i++)
    count += p->returned[i].last - p->returned[i].first;
  return count;
}

/* Returns the size of a range that ends no sooner if it is cut to `size`.  Without this, ranges
 * that shrink towards the end would each take as long as a full one: with 2^20 vertices and 13
 * slots, two GPUs would take as long as one. */
static uint64_t whole_runs(const ms_worker_state *h, uint64_t size)
{
  return size < h->together ? h->together : size / h->together * h->together;
}

/* Returns how many of `count` grains this worker should receive; 0: it should
 * wait. */
static uint64_t grains_for(const ms_worker_state *h, uint64_t count)
{
  const ms_schedule *p = h->schedule;
  double speed = h->speed, others = 0, best = 0;
  uint64_t least = h->least, busy = 0;
  uint32_t alive = 1;
  for (uint32_t i = 0; i < p->n_states; i++) {
    const ms_worker_state *o = &p->states[i];
    if (!o->alive || o == h)
      continue;
    alive++;
    others += o->speed > 0 ? o->speed : speed;
    best = o->speed > best ? o->speed : best;
    busy += o->busy;
    least += o->least;
  }
  if (alive == 1)
    return min_u64(count, h->most);
  uint64_t size = h->least;
  if (speed > 0) {
    double guided = SHARE_AT_ONCE * (double)count * speed / (others + speed);
    /* With plenty of work left, a full run matters more than a fair share. */
    if (guided > (double)size || count < 2 * least)
      size = guided < 1 ? 1 : (uint64_t)guided;
    /* The others must not wait for the end of this range.  The fastest worker
     * always receives work, so that at least one continues. */
    double longest =
        LONGEST_RANGE * speed > (double)h->least ? LONGEST_RANGE * speed : (double)h->least;
    double in_time = best > speed ? speed * (double)(count + busy) / others : longest;
    if (in_time < (double)min_u64(h->together, count) && best > speed)
      return 0;
    size = min_u64(size, (uint64_t)(in_time < longest ? in_time : longest));
  } else {
    size = min_u64(size, count / alive > 0 ? count / alive : 1);
  }
  return min_u64(min_u64(whole_runs(h, size), count), h->most);
}

/* Waits for a range of grains. Returns false if there is no more work. */
static bool schedule_take(ms_worker_state *h, ms_grains *out)
{
  ms_schedule *p = h->schedule;
  uint64_t size = 0;
  pthread_mutex_lock(&p->lock);
  while (!p->ended) {
    uint64_t count = p->opening == 0 ? grains_ready(p) : 0;
    size = count > 0 ? grains_for(h, count) : 0;
    if (size > 0)
      break;
    pthread_cond_wait(&p->changed, &p->lock);
  }
  if (size > 0 && p->n_returned > 0) {
    ms_grains *from = &p->returned[p->n_returned - 1];
    *out = (ms_grains){from->first, from->first + min_u64(size, from->last - from->first)};
    from->first = out->last;
    p->n_returned -= from->first == from->last;
  } else if (size > 0) {
    *out = ms_schedule_take_grains(p, size, window_end(p));
  }
  h->busy = size > 0 ? out->last - out->first : 0;
  pthread_mutex_unlock(&p->lock);
  return size > 0;
}

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
    schedule_fail(p, status, err);
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
  schedule_opened(h, status);
  while (status == MS_OK && schedule_take(h, &r)) {
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
      schedule_opened(h, MS_ERR_MEMORY);
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
