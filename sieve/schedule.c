#include "sieve/schedule.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

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
/* Seconds between two reports of progress. */
#define REPORT_INTERVAL 0.1

typedef struct range {
  uint64_t first, last; /* grains [first, last), counted over all repetitions */
} range;

typedef struct schedule {
  ms_sieve_job *job;
  struct worker_state *states; /* [n_states] the workers, then the rescue */
  uint32_t n_states;
  pthread_mutex_t lock; /* protects all fields below, up to `done` */
  pthread_cond_t changed;
  uint32_t opening;     /* workers that have not yet opened or failed to open */
  uint64_t pass_grains; /* grains of a (repetition, variant), a power of two */
  uint64_t grains;      /* grains of a repetition */
  uint64_t next;        /* the first grain that no worker has received */
  range *returned;      /* [n_states] ranges that lost workers left undone */
  uint32_t n_returned;
  uint32_t window;  /* repetitions that may be in work at the same time */
  uint8_t *q;       /* [window][n]: repetition r in row r % window */
  uint64_t *left;   /* [window] number of grains that are not merged yet */
  bool complete;    /* every repetition is finished, or every vertex is flagged */
  bool ended;       /* complete, stopped or failed: no more work */
  ms_status status; /* status of the failure */
  ms_error error;
  /* progress in points; reports count the smallest blocks of any worker */
  _Atomic uint64_t done;
  uint64_t total, unit;
  pthread_mutex_t report_lock; /* protects the next two fields */
  double reported_at;
  uint64_t reported;
} schedule;

/* The scheduler's view of one worker. */
typedef struct worker_state {
  schedule *schedule;
  ms_sieve_worker *worker;
  void *context;
  pthread_t thread;
  bool started;
  /* protected by the schedule's lock */
  bool alive;
  uint64_t busy;  /* grains that it works on */
  double speed;   /* grains per second; 0: not measured yet */
  uint64_t least; /* grains that a run needs to keep the device busy */
  /* used by the worker's own thread only */
  uint64_t most;                    /* grains that fit in its memory */
  uint64_t blocks;                  /* blocks in a grain */
  uint64_t points;                  /* points in a block */
  _Atomic uint64_t reported_blocks; /* blocks of the current run that the worker has reported */
  uint8_t *part, *sum;              /* [rows][n] Q of one run; the sum over the runs of a range */
  size_t part_rows, sum_rows;
} worker_state;

static uint64_t min_u64(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* ---- progress ------------------------------------------------------------ */

static void report(schedule *p)
{
  const ms_sieve_job *job = p->job;
  if (!job->progress || pthread_mutex_trylock(&p->report_lock) != 0)
    return;
  double now = ms_seconds();
  /* A lost worker's blocks are subtracted from done, but a report never goes back. */
  uint64_t done = min_u64(atomic_load_explicit(&p->done, memory_order_relaxed), p->total);
  if (now - p->reported_at >= REPORT_INTERVAL && done >= p->reported) {
    p->reported_at = now;
    p->reported = done;
    job->progress(job->progress_user, "sieve", done / p->unit, p->total / p->unit);
  }
  pthread_mutex_unlock(&p->report_lock);
}

/* Reports the whole total only of a job that was not stopped. */
static void report_end(const schedule *p)
{
  const ms_sieve_job *job = p->job;
  uint64_t total = p->total / p->unit, done = total;
  if (!job->progress || total == 0)
    return;
  if (job->stopped != MS_OK)
    done = min_u64(min_u64(atomic_load(&p->done), p->total) / p->unit, total - 1);
  if (done >= p->reported / p->unit)
    job->progress(job->progress_user, "sieve", done, total);
}

static void blocks_done(void *user, int thread, uint64_t blocks)
{
  worker_state *h = user;
  atomic_fetch_add_explicit(&h->reported_blocks, blocks, memory_order_relaxed);
  atomic_fetch_add_explicit(&h->schedule->done, blocks * h->points, memory_order_relaxed);
  if (thread == 0)
    report(h->schedule);
}

/* Corrects the progress: the current run did `blocks` blocks, whatever it
 * reported. */
static void correct_progress(worker_state *h, uint64_t blocks)
{
  uint64_t reported = atomic_exchange_explicit(&h->reported_blocks, 0, memory_order_relaxed);
  atomic_fetch_add_explicit(&h->schedule->done, (blocks - reported) * h->points,
                            memory_order_relaxed);
}

/* ---- opening ------------------------------------------------------------- */

static bool is_power_of_two(uint64_t x)
{
  return x > 0 && (x & (x - 1)) == 0;
}

static void end_with_error(schedule *p, ms_status status, const ms_error *err)
{
  if (p->status == MS_OK) {
    p->status = status;
    p->error = *err;
  }
  p->ended = true;
}

static uint64_t pass_points(const schedule *p)
{
  return (uint64_t)1 << p->job->problem->size;
}

static void set_grain(const schedule *p, worker_state *h)
{
  h->blocks = h->worker->plan.blocks / p->pass_grains;
  h->points = pass_points(p) / h->worker->plan.blocks;
  h->least = (h->worker->plan.batch + h->blocks - 1) / h->blocks;
  h->least = h->least ? h->least : 1;
  h->most = UINT64_MAX;
}

/* Chooses the grain and the window, once every worker has opened or failed.
 * The window holds several repetitions only if one repetition does not keep all
 * workers busy, so that an early stop comes as early as possible.  With several
 * workers it holds a second batch, so that nobody waits for the end of the first. */
static ms_status plan_schedule(schedule *p, ms_error *err)
{
  const ms_sieve_job *job = p->job;
  uint32_t n = job->problem->instance->n, size = job->problem->size, alive = 0;
  uint64_t least = 0;
  p->pass_grains = job->rescue && size < RESCUE_BITS
                       ? 1
                       : (uint64_t)1 << (job->rescue ? size - RESCUE_BITS : size);
  p->unit = pass_points(p);
  for (uint32_t i = 0; i < p->n_states; i++) {
    uint64_t blocks = p->states[i].worker->plan.blocks;
    if (!p->states[i].alive)
      continue;
    if (!is_power_of_two(blocks) || blocks > pass_points(p))
      return ms_fail(err, MS_ERR_INTERNAL, "the back end '%s' cuts 2^%u points into %llu blocks",
                     p->states[i].worker->backend->name, size, (unsigned long long)blocks);
    p->pass_grains = min_u64(p->pass_grains, blocks);
    p->unit = min_u64(p->unit, pass_points(p) / blocks);
    alive++;
  }
  if (alive == 0)
    return MS_OK;
  p->grains = p->pass_grains * job->problem->variants;
  p->total = pass_points(p) * job->problem->variants * job->repetitions;
  for (uint32_t i = 0; i < p->n_states; i++)
    if (p->states[i].alive) {
      set_grain(p, &p->states[i]);
      least += p->states[i].least;
    }
  uint64_t batch = (least + p->grains - 1) / p->grains;
  p->window = (uint32_t)min_u64(alive > 1 ? 2 * batch : batch, job->repetitions);
  p->q = ms_calloc(p->window, n);
  p->left = ms_alloc(p->window, sizeof *p->left);
  if (!p->q || !p->left)
    return ms_fail_memory(err, "the sieve's values");
  for (uint32_t i = 0; i < p->window; i++)
    p->left[i] = p->grains;
  return MS_OK;
}

/* Checks the rescue's blocks, which must fit because it opens after the grain
 * was fixed. */
static ms_status accept_rescue(const schedule *p, worker_state *h, ms_error *err)
{
  uint64_t blocks = h->worker->plan.blocks;
  if (!is_power_of_two(blocks) || blocks < p->pass_grains || blocks > pass_points(p))
    return ms_fail(
        err, MS_ERR_INTERNAL, "the back end '%s' has %llu blocks and cannot go on with %llu ranges",
        h->worker->backend->name, (unsigned long long)blocks, (unsigned long long)p->pass_grains);
  set_grain(p, h);
  return MS_OK;
}

/* Records that the worker opened or failed to open.  The last one plans. */
static void record_opening(worker_state *h, ms_status status)
{
  schedule *p = h->schedule;
  ms_error err = {0};
  pthread_mutex_lock(&p->lock);
  h->alive = h->worker->opened = status == MS_OK;
  p->opening--;
  status = MS_OK;
  if (p->opening == 0 && !p->q)
    status = plan_schedule(p, &err);
  else if (p->opening == 0 && h->alive)
    status = accept_rescue(p, h, &err);
  if (status != MS_OK)
    end_with_error(p, status, &err);
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

/* ---- distributing work --------------------------------------------------------- */

/* Returns the number of grains that may be distributed now. */
static uint64_t grains_ready(const schedule *p)
{
  uint64_t end = min_u64(p->job->repetitions, (uint64_t)p->job->finished + p->window) * p->grains;
  uint64_t count = end - p->next;
  for (uint32_t i = 0; i < p->n_returned; i++)
    count += p->returned[i].last - p->returned[i].first;
  return count;
}

/* Returns how many of `count` grains this worker should receive; 0: it should
 * wait. */
static uint64_t grains_for(const worker_state *h, uint64_t count)
{
  const schedule *p = h->schedule;
  double speed = h->speed, others = 0, best = 0;
  uint64_t least = h->least, busy = 0;
  uint32_t alive = 1;
  for (uint32_t i = 0; i < p->n_states; i++) {
    const worker_state *o = &p->states[i];
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
    if (in_time < 1 && best > speed)
      return 0;
    size = min_u64(size, (uint64_t)(in_time < longest ? in_time : longest));
  } else {
    size = min_u64(size, count / alive > 0 ? count / alive : 1);
  }
  return min_u64(min_u64(size, count), h->most);
}

/* Waits for a range of grains. Returns false if there is no more work. */
static bool take_range(worker_state *h, range *out)
{
  schedule *p = h->schedule;
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
    range *from = &p->returned[p->n_returned - 1];
    *out = (range){from->first, from->first + min_u64(size, from->last - from->first)};
    from->first = out->last;
    p->n_returned -= from->first == from->last;
  } else if (size > 0) {
    uint64_t end = min_u64(p->job->repetitions, (uint64_t)p->job->finished + p->window) * p->grains;
    *out = (range){p->next, min_u64(p->next + size, end)};
    p->next = out->last;
  }
  h->busy = size > 0 ? out->last - out->first : 0;
  pthread_mutex_unlock(&p->lock);
  return size > 0;
}

/* ---- running ------------------------------------------------------------- */

static bool grow_rows(uint8_t **buffer, size_t *have, size_t rows, uint32_t n)
{
  if (*buffer && *have >= rows)
    return true;
  ms_free(*buffer);
  *buffer = ms_alloc(rows, n);
  *have = *buffer ? rows : 0;
  return *buffer != NULL;
}

static int threads_for(const worker_state *h, uint64_t bytes)
{
  return ms_threads_for(h->worker->config.threads, bytes / 8);
}

static void merge(uint8_t *to, const uint8_t *from, size_t bytes, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (size_t i = 0; i < bytes; i++)
    to[i] ^= from[i];
}

/* Runs the whole range, in parts if memory is short. *q receives [rows][n],
 * which belongs to the worker's state. Q of a failed run is dropped: once XORed
 * in, a half-done unit could not be distinguished from a finished one. */
static ms_status run_range(worker_state *h, range r, const uint8_t **q, ms_error *err)
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
    memset(h->part, 0, part_rows * n);
    ms_status status = h->worker->backend->run(h->context, at, end, h->part, err);
    correct_progress(h, status == MS_OK ? end - at : 0);
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

/* Adds the flags of the next repetition, q, to the hits. */
static void finish_repetition(schedule *p, const uint8_t *q, int threads)
{
  ms_sieve_job *job = p->job;
  uint32_t n = job->problem->instance->n, *hits = job->hits, without = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(| : without)
  for (uint32_t v = 0; v < n; v++) {
    uint32_t count = hits[v] + (q[v] != 0);
    hits[v] = count;
    without |= count == 0;
  }
  if (job->q)
    memcpy(job->q + (size_t)job->finished * n, q, n);
  job->finished++;
  job->all_flagged = !without;
  p->complete = job->finished == job->repetitions || (job->early_stop && job->all_flagged);
  p->ended = p->complete;
}

/* Finishes, in order, the repetitions whose grains are all merged; the window then
 * reuses their rows. */
static void finish_repetitions(schedule *p, int threads)
{
  uint32_t n = p->job->problem->instance->n;
  while (!p->ended && p->left[p->job->finished % p->window] == 0) {
    uint32_t slot = p->job->finished % p->window;
    uint8_t *q = p->q + (size_t)slot * n;
    finish_repetition(p, q, threads);
    memset(q, 0, n);
    p->left[slot] = p->grains;
  }
}

/* Merges a finished range and records it as done under one lock: a range merged
 * twice would erase itself. */
static void merge_range(worker_state *h, range r, const uint8_t *q, double seconds)
{
  schedule *p = h->schedule;
  uint32_t n = p->job->problem->instance->n;
  int threads = threads_for(h, n);
  pthread_mutex_lock(&p->lock);
  double speed = seconds > 0 ? (double)(r.last - r.first) / seconds : h->speed;
  h->speed = h->speed > 0 ? (h->speed + 3 * speed) / 4 : speed; /* a first run may include set-up */
  h->busy = 0;
  if (!p->ended) {
    h->worker->points += (r.last - r.first) * (pass_points(p) / p->pass_grains);
    for (uint64_t at = r.first; at < r.last && !p->ended; q += n) {
      uint64_t repetition = at / p->grains, end = min_u64((repetition + 1) * p->grains, r.last);
      uint32_t slot = (uint32_t)(repetition % p->window);
      if (end - at == p->grains && repetition == p->job->finished) {
        /* a whole repetition whose turn it is needs no merging */
        finish_repetition(p, q, threads);
      } else {
        merge(p->q + (size_t)slot * n, q, n, threads);
        p->left[slot] -= end - at;
      }
      at = end;
    }
    finish_repetitions(p, threads);
  }
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
  report(p);
}

/* Retires the worker; the others take the range that it worked on. */
static void retire(worker_state *h, ms_status status, ms_error *err, const range *r)
{
  schedule *p = h->schedule;
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
    p->ended = true;
  } else if (status == MS_ERR_DEVICE_LOST || status == MS_ERR_MEMORY) {
    h->worker->lost = *err;
  } else {
    end_with_error(p, status, err);
  }
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

static void *run_worker(void *user)
{
  worker_state *h = user;
  ms_sieve_worker *w = h->worker;
  ms_sieve_config config = w->config;
  ms_error err = {0};
  range r;
  const uint8_t *q = NULL;
  config.blocks_done = blocks_done;
  config.block_user = h;
  ms_status status =
      w->backend->open(h->schedule->job->problem, &config, w->device, &h->context, &w->plan, &err);
  bool open = status == MS_OK;
  if (!open)
    retire(h, status, &err, NULL);
  record_opening(h, status);
  while (status == MS_OK && take_range(h, &r)) {
    double start = ms_seconds();
    status = run_range(h, r, &q, &err);
    if (status == MS_OK)
      merge_range(h, r, q, ms_seconds() - start);
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

static void run_workers(schedule *p, uint32_t n_workers)
{
  p->opening = n_workers;
  if (n_workers == 1) {
    run_worker(&p->states[0]);
    return;
  }
  for (uint32_t i = 0; i < n_workers; i++) {
    worker_state *h = &p->states[i];
    h->started = pthread_create(&h->thread, NULL, run_worker, h) == 0;
    if (!h->started) {
      ms_error err = {0};
      ms_fail(&err, MS_ERR_MEMORY, "no thread could be started for the back end '%s'",
              h->worker->backend->name);
      retire(h, MS_ERR_MEMORY, &err, NULL);
      record_opening(h, MS_ERR_MEMORY);
    }
  }
  for (uint32_t i = 0; i < n_workers; i++)
    if (p->states[i].started)
      pthread_join(p->states[i].thread, NULL);
}

/* Reports the error of a job whose workers are all lost. */
static ms_status explain_loss(const schedule *p, ms_error *err)
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

static void choose_reported_plan(ms_sieve_job *job, const schedule *p)
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
  schedule p = {.job = job, .n_states = n_workers};
  ms_status status = MS_OK;
  job->finished = 0;
  job->all_flagged = false;
  job->stopped = MS_OK;
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
    p.states[i] = (worker_state){.schedule = &p, .worker = w};
    if (w) {
      w->opened = false;
      w->plan = (ms_sieve_plan){0};
      w->lost = (ms_error){0};
      w->points = 0;
    }
  }
  run_workers(&p, n_workers);
  if (!p.ended && job->rescue) {
    p.n_states++;
    p.opening = 1;
    run_worker(&p.states[n_workers]);
  }
  choose_reported_plan(job, &p);
  if (p.status != MS_OK)
    status = ms_fail(err, p.status, "%s", p.error.message);
  else if (!p.ended)
    status = explain_loss(&p, err);
  if (status == MS_OK)
    report_end(&p);
done:
  pthread_cond_destroy(&p.changed);
  pthread_mutex_destroy(&p.report_lock);
  pthread_mutex_destroy(&p.lock);
  ms_free(p.q);
  ms_free(p.left);
  ms_free(p.returned);
  ms_free(p.states);
  return status;
}
