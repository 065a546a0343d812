#include "sieve/schedule.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

/* The rescue's blocks are lines of the CPU: 8 inner labels at most. */
enum { RESCUE_BITS = 8 };
/* Seconds that a range should take at most where there are several workers:
 * what a lost device costs, and how long a bug elsewhere goes unheard. */
#define LONGEST 2.0
/* Of its fair share of what is left a worker gets so much: every run costs a
 * GPU the time until its last block is done, and what is held back evens out
 * speeds that were measured wrongly. */
#define FAIR 0.75
/* Seconds between two reports of progress. */
#define REPORT 0.1

typedef struct range {
  uint64_t first, last; /* grains [first, last), counted over all repetitions */
} range;

typedef struct pool {
  ms_sieve_job *job;
  struct hand *hands; /* the workers, and the rescue behind them */
  uint32_t n_hands;
  pthread_mutex_t lock; /* of all that follows */
  pthread_cond_t changed;
  uint32_t opening;     /* workers that have not answered yet */
  uint64_t pass_grains; /* grains of a (repetition, variant), a power of two */
  uint64_t grains;      /* of a repetition */
  uint64_t next;        /* the first that was never handed out */
  range *returned;      /* [n_hands] what lost workers had */
  uint32_t n_returned;
  uint32_t window;  /* repetitions that may be worked on at a time */
  uint8_t *q;       /* [window][n]: repetition r in row r % window */
  uint64_t *left;   /* [window] grains not merged yet */
  bool complete;    /* all is done that was asked for */
  bool ended;       /* complete, stopped or failed: no more work */
  ms_status status; /* of the failure */
  ms_error error;
  /* progress, in points; told in the smallest blocks of any worker */
  _Atomic uint64_t done;
  uint64_t total, unit;
  pthread_mutex_t report_lock; /* of the two that follow */
  double reported_at;
  uint64_t reported;
} pool;

/* A worker at work. */
typedef struct hand {
  pool *pool;
  ms_sieve_worker *worker;
  void *context;
  pthread_t thread;
  bool started;
  /* under the pool's lock */
  bool alive;
  uint64_t busy;  /* grains in hand */
  double speed;   /* grains a second; 0: not known yet */
  uint64_t least; /* grains that one run should have */
  /* its own */
  uint64_t most;           /* grains that its memory suffices for */
  uint64_t blocks;         /* a grain */
  uint64_t points;         /* a block */
  _Atomic uint64_t ticked; /* blocks that the run at hand has told of */
  uint8_t *part, *sum;     /* [rows][n] of one run, of the runs that a range was cut into */
  size_t part_rows, sum_rows;
} hand;

static uint64_t least_of(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

/* ---- progress ------------------------------------------------------------ */

static void report(pool *p)
{
  const ms_sieve_job *job = p->job;
  if (!job->progress || pthread_mutex_trylock(&p->report_lock) != 0)
    return;
  double now = ms_seconds();
  /* what a lost worker had done is taken back, but not from what was told */
  uint64_t done = least_of(atomic_load_explicit(&p->done, memory_order_relaxed), p->total);
  if (now - p->reported_at >= REPORT && done >= p->reported) {
    p->reported_at = now;
    p->reported = done;
    job->progress(job->progress_user, "sieve", done / p->unit, p->total / p->unit);
  }
  pthread_mutex_unlock(&p->report_lock);
}

static void blocks_done(void *user, int thread, uint64_t blocks)
{
  hand *h = user;
  atomic_fetch_add_explicit(&h->ticked, blocks, memory_order_relaxed);
  atomic_fetch_add_explicit(&h->pool->done, blocks * h->points, memory_order_relaxed);
  if (thread == 0)
    report(h->pool);
}

/* The run at hand counts as `blocks`, whatever it has told. */
static void settle(hand *h, uint64_t blocks)
{
  uint64_t told = atomic_exchange_explicit(&h->ticked, 0, memory_order_relaxed);
  atomic_fetch_add_explicit(&h->pool->done, (blocks - told) * h->points, memory_order_relaxed);
}

/* ---- opening ------------------------------------------------------------- */

static bool is_power_of_two(uint64_t x)
{
  return x > 0 && (x & (x - 1)) == 0;
}

static void fail(pool *p, ms_status status, const ms_error *err)
{
  if (p->status == MS_OK) {
    p->status = status;
    p->error = *err;
  }
  p->ended = true;
}

static uint64_t pass_points(const pool *p)
{
  return (uint64_t)1 << p->job->problem->size;
}

static void set_grain(const pool *p, hand *h)
{
  h->blocks = h->worker->plan.blocks / p->pass_grains;
  h->points = pass_points(p) / h->worker->plan.blocks;
  h->least = (h->worker->plan.batch + h->blocks - 1) / h->blocks;
  h->least = h->least ? h->least : 1;
  h->most = UINT64_MAX;
}

/* Every worker has answered: what is a grain, how many repetitions at a time?
 * Several only where one has too little to keep all workers busy; else it ends
 * as early as may be.  A second batch is for those who would have to wait for
 * the last ones of the first. */
static ms_status plan_pool(pool *p, ms_error *err)
{
  const ms_sieve_job *job = p->job;
  uint32_t n = job->problem->instance->n, size = job->problem->size, alive = 0;
  uint64_t least = 0;
  p->pass_grains = job->rescue && size < RESCUE_BITS
                       ? 1
                       : (uint64_t)1 << (job->rescue ? size - RESCUE_BITS : size);
  p->unit = pass_points(p);
  for (uint32_t i = 0; i < p->n_hands; i++) {
    uint64_t blocks = p->hands[i].worker->plan.blocks;
    if (!p->hands[i].alive)
      continue;
    if (!is_power_of_two(blocks) || blocks > pass_points(p))
      return ms_fail(err, MS_ERR_INTERNAL, "the back end '%s' cuts 2^%u points into %llu blocks",
                     p->hands[i].worker->backend->name, size, (unsigned long long)blocks);
    p->pass_grains = least_of(p->pass_grains, blocks);
    p->unit = least_of(p->unit, pass_points(p) / blocks);
    alive++;
  }
  if (alive == 0)
    return MS_OK;
  p->grains = p->pass_grains * job->problem->variants;
  p->total = pass_points(p) * job->problem->variants * job->repetitions;
  for (uint32_t i = 0; i < p->n_hands; i++)
    if (p->hands[i].alive) {
      set_grain(p, &p->hands[i]);
      least += p->hands[i].least;
    }
  uint64_t batch = (least + p->grains - 1) / p->grains;
  p->window = (uint32_t)least_of(alive > 1 ? 2 * batch : batch, job->repetitions);
  p->q = ms_calloc(p->window, n);
  p->left = ms_alloc(p->window, sizeof *p->left);
  if (!p->q || !p->left)
    return ms_fail_memory(err, "the sieve's values");
  for (uint32_t i = 0; i < p->window; i++)
    p->left[i] = p->grains;
  return MS_OK;
}

/* A rescue comes when the grain is fixed. */
static ms_status join_pool(const pool *p, hand *h, ms_error *err)
{
  uint64_t blocks = h->worker->plan.blocks;
  if (!is_power_of_two(blocks) || blocks < p->pass_grains || blocks > pass_points(p))
    return ms_fail(
        err, MS_ERR_INTERNAL, "the back end '%s' has %llu blocks and cannot go on with %llu ranges",
        h->worker->backend->name, (unsigned long long)blocks, (unsigned long long)p->pass_grains);
  set_grain(p, h);
  return MS_OK;
}

/* The worker has opened, or cannot.  The last one to answer plans. */
static void answer(hand *h, ms_status status)
{
  pool *p = h->pool;
  ms_error err = {0};
  pthread_mutex_lock(&p->lock);
  h->alive = h->worker->opened = status == MS_OK;
  p->opening--;
  status = MS_OK;
  if (p->opening == 0 && !p->q)
    status = plan_pool(p, &err);
  else if (p->opening == 0 && h->alive)
    status = join_pool(p, h, &err);
  if (status != MS_OK)
    fail(p, status, &err);
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

/* ---- handing out --------------------------------------------------------- */

/* Grains that may be handed out now. */
static uint64_t ready(const pool *p)
{
  uint64_t end = least_of(p->job->repetitions, (uint64_t)p->job->finished + p->window) * p->grains;
  uint64_t count = end - p->next;
  for (uint32_t i = 0; i < p->n_returned; i++)
    count += p->returned[i].last - p->returned[i].first;
  return count;
}

/* How many of the grains this worker should have; 0: better none now. */
static uint64_t share(const hand *h, uint64_t count)
{
  const pool *p = h->pool;
  double speed = h->speed, others = 0, best = 0;
  uint64_t least = h->least, busy = 0;
  uint32_t alive = 1;
  for (uint32_t i = 0; i < p->n_hands; i++) {
    const hand *o = &p->hands[i];
    if (!o->alive || o == h)
      continue;
    alive++;
    others += o->speed > 0 ? o->speed : speed;
    best = o->speed > best ? o->speed : best;
    busy += o->busy;
    least += o->least;
  }
  if (alive == 1)
    return least_of(count, h->most);
  uint64_t size = h->least;
  if (speed > 0) {
    double guided = FAIR * (double)count * speed / (others + speed);
    /* plenty: rather a full run than a fair one */
    if (guided > (double)size || count < 2 * least)
      size = guided < 1 ? 1 : (uint64_t)guided;
    /* the others must not have to wait for the end of it; the fastest always
     * goes on, so that one does */
    double longest = LONGEST * speed > (double)h->least ? LONGEST * speed : (double)h->least;
    double in_time = best > speed ? speed * (double)(count + busy) / others : longest;
    if (in_time < 1 && best > speed)
      return 0;
    size = least_of(size, (uint64_t)(in_time < longest ? in_time : longest));
  } else {
    size = least_of(size, count / alive > 0 ? count / alive : 1);
  }
  return least_of(least_of(size, count), h->most);
}

/* Wait for work; false: there is no more. */
static bool take(hand *h, range *out)
{
  pool *p = h->pool;
  uint64_t size = 0;
  pthread_mutex_lock(&p->lock);
  while (!p->ended) {
    uint64_t count = p->opening == 0 ? ready(p) : 0;
    size = count > 0 ? share(h, count) : 0;
    if (size > 0)
      break;
    pthread_cond_wait(&p->changed, &p->lock);
  }
  if (size > 0 && p->n_returned > 0) {
    range *from = &p->returned[p->n_returned - 1];
    *out = (range){from->first, from->first + least_of(size, from->last - from->first)};
    from->first = out->last;
    p->n_returned -= from->first == from->last;
  } else if (size > 0) {
    uint64_t end =
        least_of(p->job->repetitions, (uint64_t)p->job->finished + p->window) * p->grains;
    *out = (range){p->next, least_of(p->next + size, end)};
    p->next = out->last;
  }
  h->busy = size > 0 ? out->last - out->first : 0;
  pthread_mutex_unlock(&p->lock);
  return size > 0;
}

/* ---- running ------------------------------------------------------------- */

static bool have_rows(uint8_t **buffer, size_t *have, size_t rows, uint32_t n)
{
  if (*buffer && *have >= rows)
    return true;
  ms_free(*buffer);
  *buffer = ms_alloc(rows, n);
  *have = *buffer ? rows : 0;
  return *buffer != NULL;
}

static int threads_for(const hand *h, uint64_t bytes)
{
  return ms_threads_for(h->worker->config.threads, bytes / 8);
}

static void merge(uint8_t *to, const uint8_t *from, size_t bytes, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static)
  for (size_t i = 0; i < bytes; i++)
    to[i] ^= from[i];
}

/* The whole range, in parts where memory is short; *q receives [rows][n], which
 * is the hand's.  Q of a failed run goes nowhere: a half-done unit XORed in
 * could never be told from a done one. */
static ms_status run_range(hand *h, range r, const uint8_t **q, ms_error *err)
{
  uint32_t n = h->pool->job->problem->instance->n;
  uint64_t repetition = h->pool->grains * h->blocks; /* in this worker's blocks */
  uint64_t first = r.first * h->blocks, last = r.last * h->blocks, step = last - first;
  size_t rows = (size_t)((last - 1) / repetition - first / repetition + 1);
  if (!have_rows(&h->part, &h->part_rows, rows, n))
    return ms_fail_memory(err, "the sieve's values");
  for (uint64_t at = first; at < last;) {
    uint64_t end = at + least_of(step, last - at), row = at / repetition;
    size_t part_rows = (size_t)((end - 1) / repetition - row + 1);
    memset(h->part, 0, part_rows * n);
    ms_status status = h->worker->backend->run(h->context, at, end, h->part, err);
    settle(h, status == MS_OK ? end - at : 0);
    if (status == MS_ERR_MEMORY && end - at > 1) {
      step = (end - at) / 2;
      continue;
    }
    if (status != MS_OK)
      return status;
    *q = h->part;
    if (at == first && end == last)
      break;
    if (!have_rows(&h->sum, &h->sum_rows, rows, n))
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

/* Count the flags of the next repetition, q. */
static void finish_repetition(pool *p, const uint8_t *q, int threads)
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

/* Repetitions that are whole now, in their order; their rows go to those that
 * the window reaches next. */
static void finish_repetitions(pool *p, int threads)
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

/* The range is done: merge it and note so in one go. */
static void publish(hand *h, range r, const uint8_t *q, double seconds)
{
  pool *p = h->pool;
  uint32_t n = p->job->problem->instance->n;
  int threads = threads_for(h, n);
  pthread_mutex_lock(&p->lock);
  double speed = seconds > 0 ? (double)(r.last - r.first) / seconds : h->speed;
  h->speed = h->speed > 0 ? (h->speed + 3 * speed) / 4
                          : speed; /* the first run may have been a slow one */
  h->busy = 0;
  if (!p->ended) {
    h->worker->points += (r.last - r.first) * (pass_points(p) / p->pass_grains);
    for (uint64_t at = r.first; at < r.last && !p->ended; q += n) {
      uint64_t repetition = at / p->grains, end = least_of((repetition + 1) * p->grains, r.last);
      uint32_t slot = (uint32_t)(repetition % p->window);
      if (end - at == p->grains && repetition == p->job->finished) {
        finish_repetition(p, q, threads); /* whole, and its turn: nothing to merge with */
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

/* The worker goes, for whatever reason; what it had in hand is the others'. */
static void leave(hand *h, ms_status status, ms_error *err, const range *r)
{
  pool *p = h->pool;
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
    fail(p, status, err);
  }
  pthread_cond_broadcast(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

static void *serve(void *user)
{
  hand *h = user;
  ms_sieve_worker *w = h->worker;
  ms_sieve_config config = w->config;
  ms_error err = {0};
  range r;
  const uint8_t *q = NULL;
  config.blocks_done = blocks_done;
  config.block_user = h;
  ms_status status =
      w->backend->open(h->pool->job->problem, &config, w->device, &h->context, &w->plan, &err);
  bool open = status == MS_OK;
  if (!open)
    leave(h, status, &err, NULL);
  answer(h, status);
  while (status == MS_OK && take(h, &r)) {
    double start = ms_seconds();
    status = run_range(h, r, &q, &err);
    if (status == MS_OK)
      publish(h, r, q, ms_seconds() - start);
    else
      leave(h, status, &err, &r);
  }
  if (open)
    w->backend->close(h->context);
  ms_free(h->part);
  ms_free(h->sum);
  return NULL;
}

/* ---- the job ------------------------------------------------------------- */

static void serve_all(pool *p, uint32_t n_workers)
{
  p->opening = n_workers;
  if (n_workers == 1) {
    serve(&p->hands[0]);
    return;
  }
  for (uint32_t i = 0; i < n_workers; i++) {
    hand *h = &p->hands[i];
    h->started = pthread_create(&h->thread, NULL, serve, h) == 0;
    if (!h->started) {
      ms_error err = {0};
      ms_fail(&err, MS_ERR_MEMORY, "no thread could be started for the back end '%s'",
              h->worker->backend->name);
      leave(h, MS_ERR_MEMORY, &err, NULL);
      answer(h, MS_ERR_MEMORY);
    }
  }
  for (uint32_t i = 0; i < n_workers; i++)
    if (p->hands[i].started)
      pthread_join(p->hands[i].thread, NULL);
}

/* Why nobody is left to go on. */
static ms_status all_lost(const pool *p, ms_error *err)
{
  const ms_error *why = NULL;
  uint32_t lost = 0;
  for (uint32_t i = 0; i < p->n_hands; i++)
    if (p->hands[i].worker->lost.status != MS_OK) {
      why = &p->hands[i].worker->lost;
      lost++;
    }
  if (!why)
    return ms_fail(err, MS_ERR_INTERNAL, "the sieve ended without a reason");
  return lost == 1
             ? ms_fail(err, why->status, "%s", why->message)
             : ms_fail(err, why->status, "all %u devices failed; the last: %s", lost, why->message);
}

static void tell_plan(ms_sieve_job *job, const pool *p)
{
  const ms_sieve_worker *first = NULL;
  for (uint32_t i = 0; i < p->n_hands; i++) {
    const ms_sieve_worker *w = p->hands[i].worker;
    if (!first || (w->opened && !first->opened) || (w->points > 0 && first->points == 0))
      first = w;
  }
  job->plan = first->plan;
}

ms_status ms_sieve_schedule(ms_sieve_job *job, ms_sieve_worker *workers, uint32_t n_workers,
                            ms_error *err)
{
  pool p = {.job = job, .n_hands = n_workers};
  ms_status status = MS_OK;
  job->finished = 0;
  job->all_flagged = false;
  job->stopped = MS_OK;
  p.hands = ms_calloc((size_t)n_workers + 1, sizeof *p.hands);
  p.returned = ms_alloc((size_t)n_workers + 1, sizeof *p.returned);
  pthread_mutex_init(&p.lock, NULL);
  pthread_mutex_init(&p.report_lock, NULL);
  pthread_cond_init(&p.changed, NULL);
  if (!p.hands || !p.returned) {
    status = ms_fail_memory(err, "the sieve's workers");
    goto done;
  }
  for (uint32_t i = 0; i <= n_workers; i++) {
    ms_sieve_worker *w = i < n_workers ? &workers[i] : job->rescue;
    p.hands[i] = (hand){.pool = &p, .worker = w};
    if (w) {
      w->opened = false;
      w->plan = (ms_sieve_plan){0};
      w->lost = (ms_error){0};
      w->points = 0;
    }
  }
  serve_all(&p, n_workers);
  if (!p.ended && job->rescue) {
    p.n_hands++;
    p.opening = 1;
    serve(&p.hands[n_workers]);
  }
  tell_plan(job, &p);
  if (p.status != MS_OK)
    status = ms_fail(err, p.status, "%s", p.error.message);
  else if (!p.ended)
    status = all_lost(&p, err);
  if (job->progress && p.total > 0)
    job->progress(job->progress_user, "sieve", p.total / p.unit, p.total / p.unit);
done:
  pthread_cond_destroy(&p.changed);
  pthread_mutex_destroy(&p.report_lock);
  pthread_mutex_destroy(&p.lock);
  ms_free(p.q);
  ms_free(p.left);
  ms_free(p.returned);
  ms_free(p.hands);
  return status;
}
