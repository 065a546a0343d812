#include "match/cpu/rooted.h"

#include "base/numbers.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/units.h"
#include "base/wide.h"
#include "match/cpu/runner.h"
#include "match/cpu/universe.h"

#include <pthread.h>
#include <stdatomic.h>

#define ROOTS_AT_ONCE 4u

/* Data that all threads share. */
typedef struct rooted {
  const ms_pattern_task *task;
  const ms_program *program[2];
  uint32_t sides; /* 1: squares */
  uint64_t roots;
  atomic_uint_fast64_t next, done; /* done: counted only for progress */
  atomic_bool halt;
  mpz_ptr sum;
  ms_wide_size *number; /* [index->n] not NULL: no sum is made */
  atomic_bool exceeds;  /* some number is too large for it */
  pthread_mutex_t lock; /* of sum, status, error and task->work */
  ms_status status;     /* of the first thread that failed */
  ms_error error;
} rooted;

/* A thread's walk through one of the programs. */
typedef struct side {
  ms_runner runner;
  ms_universe universe;
} side;

typedef struct walk {
  side side[2];
  ms_wide_size sum;
  mpz_t large; /* the part of the sum that went beyond 128 bits */
} walk;

/* ---- numbers -------------------------------------------------------------------------- */

static void flush(walk *w)
{
  ms_wide_add(w->large, w->sum);
  w->sum = 0;
}

static void add_large_product(walk *w, uint32_t sides)
{
  mpz_t a, b;
  mpz_init(a);
  mpz_init(b);
  ms_runner_total(&w->side[0].runner, a);
  if (sides > 1)
    ms_runner_total(&w->side[1].runner, b);
  mpz_addmul(w->large, a, sides > 1 ? b : a);
  mpz_clear(a);
  mpz_clear(b);
}

/* Adds the product of the totals of the sides, which are then 0. */
static void add_product(walk *w, uint32_t sides)
{
  ms_runner *a = &w->side[0].runner, *b = &w->side[sides - 1].runner;
  ms_wide_size product, sum;
  if (mpz_sgn(a->large) != 0 || mpz_sgn(b->large) != 0 || a->total < 0 || b->total < 0 ||
      __builtin_mul_overflow((ms_wide_size)a->total, (ms_wide_size)b->total, &product)) {
    add_large_product(w, sides);
    return;
  }
  a->total = b->total = 0;
  if (__builtin_add_overflow(w->sum, product, &sum)) {
    flush(w);
    sum = product;
  }
  w->sum = sum;
}

/* ---- roots ---------------------------------------------------------------------------- */

/* Counts everything under a root into the runner's total.  Returns false if it was not finished. */
static bool count_root(side *s, uint64_t root)
{
  ms_runner *r = &s->runner;
  bool ok = true;
  r->visits++;
  if (ms_runner_root(r, root)) {
    ok = !s->universe.path || ms_universe_enter(&s->universe);
    uint64_t children = ok ? ms_runner_children(r) : 0;
    if (ok)
      ok = s->universe.entered ? ms_universe_visit(&s->universe, 0, children)
                               : ms_runner_visit(r, 0, children);
  }
  ms_universe_leave(&s->universe);
  ms_runner_leave(r);
  return ok && r->status == MS_OK;
}

/* Makes sure that nothing of a root is added to the next one: a side was not finished, or is zero.
 */
static void forget_root(walk *w, uint32_t sides)
{
  for (uint32_t i = 0; i < sides; i++) {
    w->side[i].runner.total = 0;
    mpz_set_ui(w->side[i].runner.large, 0);
  }
}

/* Stores the total of a root, which is then 0. */
static void store_number(rooted *all, walk *w, uint64_t root)
{
  const ms_runner *r = &w->side[0].runner;
  if (mpz_sgn(r->large) != 0 || r->total < 0)
    atomic_store(&all->exceeds, true);
  else
    all->number[ms_program_root(all->program[0], root)] = (ms_wide_size)r->total;
  forget_root(w, 1);
}

/* Adds the product of a root, or stores its number.  An unfinished root adds nothing; its status is
 * MS_OK if another thread made this one halt. */
static ms_status add_root(rooted *all, walk *w, uint64_t root)
{
  ms_status status = ms_numbers_low() ? MS_ERR_MEMORY : ms_stop_check(all->task->stop);
  for (uint32_t i = 0; status == MS_OK && i < all->sides; i++) {
    bool finished = count_root(&w->side[i], root);
    if (!finished || (w->side[i].runner.total == 0 && mpz_sgn(w->side[i].runner.large) == 0)) {
      forget_root(w, all->sides);
      return finished ? MS_OK : w->side[i].runner.status;
    }
  }
  if (status == MS_OK && all->number)
    store_number(all, w, root);
  else if (status == MS_OK)
    add_product(w, all->sides);
  return status;
}

static void report_root(rooted *all, int thread)
{
  const ms_pattern_task *task = all->task;
  if (!task->progress)
    return;
  uint64_t before = atomic_fetch_add_explicit(&all->done, 1, memory_order_relaxed);
  if (thread == 0 && before + 1 < all->roots) /* as in match/cpu/engine.c: never the last one */
    task->progress(task->progress_user, "roots searched", before + 1, all->roots);
}

/* Takes roots, first the roots with the most neighbours, because a thread may be left alone with
 * the last one. */
static ms_status add_roots(rooted *all, walk *w, int thread)
{
  ms_status status = MS_OK;
  while (status == MS_OK && !atomic_load_explicit(&all->halt, memory_order_relaxed)) {
    uint64_t begin = atomic_fetch_add(&all->next, ROOTS_AT_ONCE);
    if (begin >= all->roots)
      break;
    for (uint64_t i = begin; status == MS_OK && i < all->roots && i < begin + ROOTS_AT_ONCE; i++) {
      uint64_t root = all->roots - 1 - i;
      if (ms_share_has(all->task->share, ms_even_unit(root)))
        status = add_root(all, w, root);
      report_root(all, thread);
    }
  }
  return status;
}

/* ---- threads -------------------------------------------------------------------------- */

static ms_status init_walk(rooted *all, walk *w, ms_error *err)
{
  for (uint32_t i = 0; i < all->sides; i++) {
    ms_runner *r = &w->side[i].runner;
    MS_TRY(ms_runner_init(r, all->program[i], err));
    r->halt = &all->halt;
    r->stop = all->task->stop;
    MS_TRY(ms_universe_init(&w->side[i].universe, r, err));
  }
  return MS_OK;
}

static void free_walk(walk *w, uint32_t sides)
{
  for (uint32_t i = 0; i < sides; i++) {
    ms_universe_free(&w->side[i].universe);
    if (w->side[i].runner.program)
      ms_runner_free(&w->side[i].runner);
  }
  mpz_clear(w->large);
}

static void run_thread(void *user, int thread)
{
  rooted *all = user;
  ms_error error = {0};
  walk w = {.sum = 0};
  mpz_init(w.large);
  ms_status status = init_walk(all, &w, &error);
  if (status == MS_OK) {
    status = add_roots(all, &w, thread);
    if (status == MS_ERR_MEMORY)
      ms_fail_memory(&error, "candidate sets");
  }
  if (status != MS_OK)
    atomic_store(&all->halt, true);
  flush(&w);
  pthread_mutex_lock(&all->lock);
  if (all->sum)
    mpz_add(all->sum, all->sum, w.large);
  for (uint32_t i = 0; i < all->sides; i++)
    ms_runner_add_work(&w.side[i].runner, all->task->work);
  /* a failure takes precedence over a stop, which all threads report */
  if (status != MS_OK && (all->status == MS_OK || status == MS_ERR_MEMORY)) {
    all->status = status;
    all->error = error;
  }
  pthread_mutex_unlock(&all->lock);
  free_walk(&w, all->sides);
}

static ms_status run(rooted *all, ms_error *err)
{
  const ms_program *p = all->program[0];
  all->roots = ms_program_roots(p);
  ms_parallel_team(ms_threads_for(all->task->threads, p->index->arcs), run_thread, all);
  if (all->status != MS_OK && err)
    *err = all->error;
  return all->status;
}

ms_status ms_rooted_sum(const ms_pattern_task *task, const ms_program *other, mpz_t sum,
                        ms_error *err)
{
  rooted all = {.task = task,
                .program = {task->program, other},
                .sides = other ? 2 : 1,
                .sum = sum,
                .lock = PTHREAD_MUTEX_INITIALIZER};
  return run(&all, err);
}

ms_status ms_rooted_values(const ms_pattern_task *task, ms_wide_size *number, bool *fit,
                           ms_error *err)
{
  rooted all = {.task = task,
                .program = {task->program},
                .sides = 1,
                .number = number,
                .lock = PTHREAD_MUTEX_INITIALIZER};
  ms_status status = run(&all, err);
  *fit = !atomic_load(&all.exceeds);
  return status;
}
