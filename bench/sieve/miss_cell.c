#include "bench/sieve/miss_cell.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "bench/harness.h"
#include "sieve/bound.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

/* ---- one trial ------------------------------------------------------------- */

typedef struct tally {
  uint64_t misses, flags, false_flags, undecided, redrawn;
  double expected;
} tally;

/* Compares every flag with the truth. */
static void judge_flags(const planted_case *c, const ms_screen_result *r, tally *t)
{
  uint64_t in_match = c->core;
  for (uint32_t v = 0; v < c->n; v++) {
    if (r->hits[v] == 0)
      continue;
    t->flags++;
    if (in_match >> v & 1)
      continue;
    planted_search found = {0};
    if (!planted_core_is_all(c))
      found = planted_find(c, v, 1);
    in_match |= found.covered;
    t->undecided += found.matches == 0 && found.gave_up;
    t->false_flags += found.matches == 0 && !found.gave_up;
  }
}

static ms_status try_one(const miss_cell *cell, uint64_t trial_seed, tally *t, ms_error *err)
{
  planted_case c;
  ms_screen_result *r = NULL;
  ms_screen_options o = {.size = sizeof(ms_screen_options),
                         .recurrence = cell->recurrence,
                         .repetitions = 1,
                         .run.seed = trial_seed,
                         .run.threads = 1,
                         .run.memory = UINT64_C(1) << 30,
                         .no_prune = true,
                         .no_early_stop = true,
                         .backend = MS_BACKEND_CPU};
  ms_status status = planted_make(&cell->setting, trial_seed, &c, err);
  if (status == MS_OK)
    status = ms_screen(c.query, &o, &r, err);
  if (status == MS_OK) {
    t->misses += r->hits[c.vertex] == 0;
    t->redrawn += c.redrawn;
    t->expected += planted_expected(&c, cell->recurrence);
    judge_flags(&c, r, t);
  }
  ms_screen_result_free(r);
  planted_free(&c);
  return status;
}

/* ---- a cell ------------------------------------------------------------------- */

/* Returns a seed that is most likely distinct for all trials of all cells: planted_mix is a
 * bijection, and results have seeds of 63 bits. */
static uint64_t seed_of(const miss_cell *cell, uint64_t seed, uint64_t trial)
{
  uint64_t number = cell->setting.host;
  number = number * PLANTED_MOTIFS + cell->setting.motif;
  number = number * 2 + cell->setting.crowded;
  number = number * 2 + cell->recurrence;
  number = number * (MS_MAX_K + 1) + cell->setting.k;
  return planted_mix((number << 40 | trial) ^ planted_mix(seed)) >> 1;
}

static int ascending(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static ms_status count_matches(miss_cell *cell, uint64_t seed, ms_error *err)
{
  uint64_t count[MISS_COUNTED], counted = cell->trials < MISS_COUNTED ? cell->trials : MISS_COUNTED;
  for (uint64_t i = 0; i < counted; i++) {
    planted_case c;
    ms_status status = planted_make(&cell->setting, seed_of(cell, seed, i), &c, err);
    if (status == MS_OK)
      count[i] = planted_find(&c, c.vertex, MISS_MOST_MATCHES).matches;
    planted_free(&c);
    if (status != MS_OK)
      return status;
  }
  qsort(count, counted, sizeof *count, ascending);
  cell->matches = counted ? count[counted / 2] : 0;
  return MS_OK;
}

typedef struct trial_run {
  const miss_cell *cell;
  uint64_t seed;
  pthread_mutex_t lock; /* of the members below */
  miss_cell sum;
  double expected;
  ms_status status;
  ms_error error;
} trial_run;

static void run_trial(trial_run *run, uint64_t i)
{
  tally t = {0};
  ms_error own;
  ms_status now = try_one(run->cell, seed_of(run->cell, run->seed, i), &t, &own);
  pthread_mutex_lock(&run->lock);
  if (now != MS_OK) {
    run->status = now;
    run->error = own;
  }
  run->sum.misses += t.misses;
  run->sum.flags += t.flags;
  run->sum.false_flags += t.false_flags;
  run->sum.undecided += t.undecided;
  run->sum.redrawn += t.redrawn;
  run->expected += t.expected;
  pthread_mutex_unlock(&run->lock);
}

static void run_trials(void *user, ms_range r)
{
  trial_run *run = user;
  for (uint64_t i = r.begin; i < r.end; i++) {
    pthread_mutex_lock(&run->lock);
    bool over = run->status != MS_OK;
    pthread_mutex_unlock(&run->lock);
    if (!over)
      run_trial(run, i);
  }
}

ms_status miss_cell_run(miss_cell *cell, uint64_t seed, int threads, ms_error *err)
{
  trial_run run = {.cell = cell, .seed = seed, .lock = PTHREAD_MUTEX_INITIALIZER};
  ms_parallel(threads, cell->trials, 64, run_trials, &run);
  ms_status status = run.status;
  if (status != MS_OK && err)
    *err = run.error;
  if (status == MS_OK)
    status = count_matches(cell, seed, err);
  cell->misses = run.sum.misses;
  cell->flags = run.sum.flags;
  cell->false_flags = run.sum.false_flags;
  cell->undecided = run.sum.undecided;
  cell->redrawn = run.sum.redrawn;
  cell->expected = run.expected / (double)cell->trials;
  return status;
}

/* ---- what to compare with -------------------------------------------------------- */

uint32_t miss_degree(const planted_setting *setting)
{
  return 2 * setting->k - 1;
}

uint32_t miss_tight_degree(const planted_setting *setting)
{
  return 2 * setting->k - 1 - planted_colors(setting->motif, setting->k);
}

double miss_bound(uint32_t degree)
{
  mpq_t bound;
  mpq_init(bound);
  ms_miss_bound(bound, degree, 1);
  double up = ms_round_up(bound);
  mpq_clear(bound);
  return up;
}

miss_verdict miss_cell_judge(const miss_cell *cell)
{
  double low, high;
  if (cell->false_flags)
    return MISS_FALSE_FLAG;
  bench_interval(cell->misses, cell->trials, 0.025, &low, &high);
  if (low > miss_bound(miss_degree(&cell->setting)))
    return MISS_ABOVE_BOUND;
  bench_interval(cell->misses, cell->trials, 1e-6, &low, &high);
  if (low > miss_bound(miss_tight_degree(&cell->setting)))
    return MISS_ABOVE_TIGHT;
  if (low > 1.01 * cell->expected || high < 0.99 * cell->expected) /* false for NAN */
    return MISS_UNEXPECTED;
  return MISS_FINE;
}

const char *miss_verdict_text(miss_verdict verdict)
{
  static const char *const text[] = {
      "fine", "a vertex in no match was flagged", "more misses than the bound allows",
      "more misses than the tighter bound allows", "not the misses that theory expects"};
  return text[verdict];
}
