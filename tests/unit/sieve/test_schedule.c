/* The scheduler of the sieve: several workers, slow ones, failing ones, and stops. The workers are
 * the CPU back end with troubles; Q has to be that of one worker without any. */
#include "base/budget.h"
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "base/threads/threads.h"
#include "gf2/gf2.h"
#include "graph/generate/generate.h"
#include "sieve/choose.h"
#include "sieve/cost.h"
#include "sieve/kernels/kernel.h"
#include "tests/support/allocations.h"
#include "tests/support/search/sieve_setting.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_RUNS = 64, MOST_WORKERS = 5, MOST_KERNELS = 8, MOST_REPETITIONS = 40, MOST_N = 64 };

/* How often something that other work of the machine can spoil is tried. */
enum { TURNS = 6 };

static void sleep_for(double seconds)
{
  struct timespec t = {.tv_sec = (time_t)seconds,
                       .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
  nanosleep(&t, NULL);
}

/* ---- problems ------------------------------------------------------------------ */

/* k slots over three colours in turn, in a graph in which each of n vertices has d neighbours. */
static void make_regular(setting *s, uint32_t n, uint32_t d, uint32_t k, uint32_t loose,
                         ms_recurrence recurrence)
{
  ms_error err = {0};
  ms_graph *graph;
  ck_assert_msg(ms_generate_regular(n, d, k, &graph, &err) == MS_OK, "%s", err.message);
  setting_make(s, graph, k, 3, loose, recurrence);
  ck_assert_uint_eq(s->instance->n_loose, loose);
}

typedef struct answer {
  ms_sieve_job job;
  uint32_t hits[MOST_N];
  uint8_t q[MOST_REPETITIONS * MOST_N]; /* [repetitions][n], without gaps */
} answer;

static ms_sieve_job job_of(const setting *s, uint32_t repetitions, answer *a)
{
  ck_assert(s->instance->n <= MOST_N && repetitions <= MOST_REPETITIONS);
  memset(a, 0, sizeof *a);
  return (ms_sieve_job){
      .problem = &s->problem, .repetitions = repetitions, .hits = a->hits, .q = a->q};
}

/* One CPU worker without troubles. */
static void reference(const setting *s, uint32_t repetitions, bool early_stop, answer *a)
{
  ms_error err;
  ms_sieve_worker worker = {.backend = &ms_sieve_backend_cpu, .config = {.threads = 1}};
  a->job = job_of(s, repetitions, a);
  a->job.early_stop = early_stop;
  ck_assert_msg(ms_sieve_schedule(&a->job, &worker, 1, &err) == MS_OK, "%s", err.message);
  /* a batch may be more than was wanted in the end */
  uint64_t points = (uint64_t)a->job.finished * s->problem.variants << s->problem.size;
  ck_assert(worker.points == points || (early_stop && worker.points > points));
}

static void same_answer(const setting *s, const answer *a, const answer *b)
{
  ck_assert_uint_eq(a->job.finished, b->job.finished);
  ck_assert_int_eq(a->job.all_flagged, b->job.all_flagged);
  ck_assert_int_eq(memcmp(a->q, b->q, (size_t)a->job.finished * s->instance->n), 0);
  ck_assert_int_eq(memcmp(a->hits, b->hits, sizeof a->hits), 0);
}

/* ---- workers with troubles -------------------------------------------------------- */

typedef enum moment { NEVER, AT_OPEN, FIRST_RUN, PAST_THE_MIDDLE, LAST_RANGE, EVERY_RUN } moment;

/* By the number of the device. */
typedef struct trouble {
  moment when;
  ms_status status; /* of the failure, after the run has written garbage */
  uint64_t most;    /* units that a run has memory for, if not 0 */
  double
      unit_seconds;  /* slept for each unit, of as many together as they take no longer than one */
  uint64_t together; /* such units; 0: one */
  uint64_t needed;   /* repetitions that an early stop needs; 0: no run waits for another */
} trouble;

static trouble troubles[MOST_WORKERS];
static double spent[MOST_WORKERS]; /* seconds in run() */
static _Atomic int failures_left;  /* of those that are not EVERY_RUN */
static _Atomic int failed, opening, open_together, open_now;
static _Atomic int beyond;      /* runs that began after the repetitions that are needed */
static _Atomic int interrupted; /* those of them that the token ended */
static _Atomic int runs,
    ragged; /* runs, and those of a number of units that is cut to no purpose */
static uint64_t total_points;
static uint64_t first_unit[MOST_RUNS]; /* of each run */
static int waits_for_runs;   /* the runs of device 1 begin after so many others; 0: at once */
static int wait_for_opening; /* open() returns when this number of workers are in it */

typedef struct fake_context {
  void *cpu;
  ms_sieve_plan plan;
  const ms_sieve_problem *problem;
  const trouble *trouble;
  const ms_stop *stop;
} fake_context;

static ms_status fake_open(const ms_sieve_problem *problem, const ms_sieve_config *config,
                           int device, void **context, ms_sieve_plan *plan, ms_error *err)
{
  const trouble *t = &troubles[device];
  int now = ++opening;
  for (int i = 0; i < 10000 && opening < wait_for_opening; i++)
    sleep_for(1e-3);
  if (now == 1)
    open_together = opening;
  if (t->when == AT_OPEN) {
    failed++;
    snprintf(err->message, sizeof err->message, "device %d would not open", device);
    return t->status;
  }
  fake_context *c = calloc(1, sizeof *c);
  c->problem = problem;
  c->trouble = t;
  c->stop = config->stop;
  ms_status status = ms_sieve_backend_cpu.open(problem, config, 0, &c->cpu, &c->plan, err);
  c->plan.together = t->together;
  *plan = c->plan;
  if (status == MS_OK) {
    open_now++;
    *context = c;
  } else {
    free(c);
  }
  return status;
}

static bool fails_now(const fake_context *c, uint64_t first, uint64_t last)
{
  uint64_t points = ((uint64_t)1 << c->problem->size) / c->plan.blocks;
  switch (c->trouble->when) {
  case EVERY_RUN:
    return true;
  case FIRST_RUN:
    return failures_left-- > 0;
  case PAST_THE_MIDDLE:
    return last * points > total_points / 2 && failures_left-- > 0;
  case LAST_RANGE:
    return last * points == total_points && failures_left-- > 0;
  default:
    (void)first;
    return false;
  }
}

/* The run of the last unit that is needed waits until another run is beyond it; a run beyond it
 * waits for the token. Each waits for a minute at most. false: the token ended the run. */
static bool waited_for_others(const fake_context *c, uint64_t first, uint64_t last, uint64_t needed)
{
  enum { MOST_WAITS = 60000 };
  if (first >= needed)
    beyond++;
  for (int i = 0; i < MOST_WAITS && first < needed && last >= needed && beyond == 0; i++)
    sleep_for(1e-3);
  for (int i = 0; i < MOST_WAITS && first >= needed; i++) {
    if (ms_stop_check(c->stop) != MS_OK) {
      interrupted++;
      return false;
    }
    sleep_for(1e-3);
  }
  return true;
}

static ms_status fake_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  fake_context *c = context;
  double start = ms_seconds();
  ms_status status = ms_sieve_backend_cpu.run(c->cpu, first, last, q, err);
  uint64_t repetition = c->plan.blocks * c->problem->variants;
  size_t rows = (size_t)((last - 1) / repetition - first / repetition + 1);
  uint64_t together = c->trouble->together ? c->trouble->together : 1;
  for (int i = 0; i < 60000 && c->trouble == &troubles[1] && runs < waits_for_runs; i++)
    sleep_for(1e-3);
  int run = runs++;
  if (run < MOST_RUNS)
    first_unit[run] = first;
  ragged += (last - first) % together != 0;
  for (uint64_t i = 0; i < (last - first + together - 1) / together && c->trouble->unit_seconds > 0;
       i++)
    sleep_for(c->trouble->unit_seconds);
  if (c->trouble->needed > 0 && !waited_for_others(c, first, last, c->trouble->needed * repetition))
    return MS_ERR_INTERRUPTED;
  spent[c->trouble - troubles] += ms_seconds() - start;
  bool short_of_memory = c->trouble->most > 0 && last - first > c->trouble->most;
  if (status != MS_OK || (!short_of_memory && !fails_now(c, first, last)))
    return status;
  failed++;
  for (size_t i = 0; i < rows * c->problem->instance->n; i++)
    q[i] ^= (uint8_t)(i * 37 + 1);
  if (short_of_memory)
    return MS_ERR_MEMORY;
  snprintf(err->message, sizeof err->message, "device %d caught fire",
           (int)(c->trouble - troubles));
  return c->trouble->status;
}

static void fake_close(void *context)
{
  fake_context *c = context;
  ms_sieve_backend_cpu.close(c->cpu);
  free(c);
  open_now--;
}

static const ms_sieve_backend fake = {
    .name = "fake", .open = fake_open, .run = fake_run, .close = fake_close};

/* Arithmetic of this processor, by points a block: different ones in turn. */
static const char *kernel_names[MOST_KERNELS];
static uint32_t kernel_count;

static void find_kernels(void)
{
  kernel_count = 0;
  for (uint32_t i = 0; i < ms_sieve_kernel_count() && kernel_count < MOST_KERNELS; i++)
    if (ms_sieve_kernel_at(i)->available())
      kernel_names[kernel_count++] = ms_sieve_kernel_at(i)->path;
}

static void make_workers(ms_sieve_worker *workers, uint32_t count, uint32_t first_kernel)
{
  memset(workers, 0, count * sizeof *workers);
  for (uint32_t i = 0; i < count; i++) {
    workers[i] = (ms_sieve_worker){.backend = &fake, .device = (int)i, .config = {.threads = 2}};
    workers[i].config.kernel = kernel_names[(first_kernel + i) % kernel_count];
  }
}

static void begin(const setting *s, uint32_t repetitions)
{
  memset(troubles, 0, sizeof troubles);
  memset(spent, 0, sizeof spent);
  failures_left = 1;
  failed = opening = open_together = open_now = runs = ragged = wait_for_opening = 0;
  beyond = 0;
  interrupted = 0;
  waits_for_runs = 0;
  total_points = (uint64_t)repetitions * s->problem.variants << s->problem.size;
}

/* The job with fakes; what every success has in common. */
static void must_agree(const setting *s, ms_sieve_worker *workers, uint32_t count,
                       ms_sieve_worker *rescue, const answer *expected)
{
  answer a;
  ms_error err = {0};
  uint64_t points = 0;
  a.job = job_of(s, expected->job.repetitions, &a);
  a.job.early_stop = expected->job.early_stop;
  a.job.rescue = rescue;
  ck_assert_msg(ms_sieve_schedule(&a.job, workers, count, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(a.job.stopped, MS_OK);
  ck_assert_int_eq(open_now, 0);
  same_answer(s, &a, expected);
  for (uint32_t i = 0; i < count; i++)
    points += workers[i].points;
  points += rescue ? rescue->points : 0;
  if (!a.job.early_stop)
    ck_assert_uint_eq(points, total_points);
}

/* ---- the same answer ---------------------------------------------------------------- */

typedef struct shape {
  uint32_t n, d, k, loose, repetitions;
} shape;

static const shape shapes[] = {
    {40, 4, 12, 0, 3}, {30, 4, 9, 2, 2}, {30, 4, 8, 3, 3},  {30, 6, 1, 0, 7}, {30, 6, 2, 0, 9},
    {30, 6, 3, 0, 40}, {30, 6, 4, 1, 5}, {30, 6, 5, 0, 20}, {30, 6, 6, 1, 3}, {30, 6, 7, 0, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* One to five workers with different kernels give the Q of one: each shape and recurrence, with and
 * without an early stop. */
START_TEST(any_workers_give_the_same_q)
{
  ms_sieve_worker workers[MOST_WORKERS];
  const shape *x = &shapes[_i / 2];
  setting s;
  answer expected;
  make_regular(&s, x->n, x->d, x->k, x->loose, (ms_recurrence)(_i % 2));
  ck_assert_uint_eq(s.problem.variants, 1u << x->loose);
  for (int early_stop = 0; early_stop < 2; early_stop++) {
    reference(&s, x->repetitions, early_stop, &expected);
    for (uint32_t count = 1; count <= MOST_WORKERS; count++)
      for (uint32_t kernel = 0; kernel < kernel_count; kernel++) {
        begin(&s, x->repetitions);
        make_workers(workers, count, kernel);
        must_agree(&s, workers, count, NULL, &expected);
      }
  }
  setting_free(&s);
}
END_TEST

/* One to five workers stop after the same repetition, with the same hits. */
START_TEST(an_early_stop_is_the_same_for_all)
{
  ms_sieve_worker workers[MOST_WORKERS];
  setting s;
  answer expected;
  make_regular(&s, 60, 8, 8, 0, MS_SIBLING);
  reference(&s, MOST_REPETITIONS, true, &expected);
  ck_assert(expected.job.all_flagged);
  ck_assert_uint_lt(expected.job.finished, MOST_REPETITIONS);
  for (uint32_t count = 1; count <= MOST_WORKERS; count++) {
    begin(&s, MOST_REPETITIONS);
    make_workers(workers, count, count);
    must_agree(&s, workers, count, NULL, &expected);
  }
  setting_free(&s);
}
END_TEST

/* ---- failures ------------------------------------------------------------------------- */

/* A worker that fails at one of four moments, lost or out of memory, changes no bit of Q: two to
 * five workers, each shape and recurrence. */
START_TEST(a_lost_worker_costs_no_bit)
{
  static const moment moments[] = {AT_OPEN, FIRST_RUN, PAST_THE_MIDDLE, LAST_RANGE};
  static const ms_status statuses[] = {MS_ERR_DEVICE_LOST, MS_ERR_MEMORY};
  ms_sieve_worker workers[MOST_WORKERS];
  const shape *x = &shapes[_i / 2];
  setting s;
  answer expected;
  make_regular(&s, x->n, x->d, x->k, x->loose, (ms_recurrence)(_i % 2));
  reference(&s, x->repetitions, false, &expected);
  for (uint32_t count = 2; count <= MOST_WORKERS; count++)
    for (int m = 0; m < 4; m++)
      for (int e = 0; e < 2; e++) {
        uint32_t lost = 0;
        begin(&s, x->repetitions);
        make_workers(workers, count, (uint32_t)m);
        /* whoever comes to that place first fails, and nobody after it */
        for (uint32_t i = 0; i < count; i++)
          troubles[i] = (trouble){.when = moments[m], .status = statuses[e]};
        if (moments[m] == AT_OPEN)
          for (uint32_t i = 1; i < count; i++)
            troubles[i].when = NEVER;
        must_agree(&s, workers, count, NULL, &expected);
        for (uint32_t i = 0; i < count; i++) {
          lost += workers[i].lost.status != MS_OK;
          if (workers[i].lost.status != MS_OK) {
            ck_assert_int_eq(workers[i].lost.status, statuses[e]);
            ck_assert_ptr_nonnull(
                strstr(workers[i].lost.message, moments[m] == AT_OPEN ? "open" : "fire"));
          }
        }
        /* out of memory it tries again in halves: one failure, and no loss, if it has several
         * blocks */
        if (statuses[e] == MS_ERR_DEVICE_LOST || moments[m] == AT_OPEN)
          ck_assert_uint_eq(lost, 1);
        ck_assert_int_ge(failed, 1);
      }
  setting_free(&s);
}
END_TEST

/* Under sanitizers half of the shapes, and shorter runs. */
static bool runs_short(void)
{
  return test_scale() < 0.5;
}

/* Where all of one to five workers are lost, the rescue worker finishes with the same Q, and
 * without it the job says why it failed: four sizes, both recurrences, each kernel of one and of
 * five workers, and one kernel of the other numbers. */
START_TEST(the_rescue_goes_on_when_all_are_lost)
{
  ms_sieve_worker workers[MOST_WORKERS];
  uint32_t largest = runs_short() ? 9 : 12;
  for (int recurrence = 0; recurrence < 2; recurrence++)
    for (uint32_t k = 3; k <= largest; k += 3) {
      setting s;
      answer expected, a;
      ms_error err = {0};
      make_regular(&s, 40, 4, k, 0, (ms_recurrence)recurrence);
      reference(&s, 5, false, &expected);
      for (uint32_t count = 1; count <= MOST_WORKERS; count++)
        for (int m = AT_OPEN; m <= PAST_THE_MIDDLE; m++)
          for (uint32_t kernel = 0; kernel < kernel_count; kernel++) {
            if (count > 1 && count < MOST_WORKERS && kernel != (count + k / 3) % kernel_count)
              continue;
            ms_sieve_worker rescue = {.backend = &ms_sieve_backend_cpu, .config = {.threads = 1}};
            rescue.config.kernel = kernel_names[kernel];
            begin(&s, 5);
            failures_left = (int)count;
            make_workers(workers, count, kernel + 1);
            for (uint32_t i = 0; i < count; i++)
              troubles[i] = (trouble){.when = (moment)m, .status = MS_ERR_DEVICE_LOST};
            /* the last of several may still do all that is left, with no failure in reach */
            bool all_fail = m != PAST_THE_MIDDLE || count == 1;
            must_agree(&s, workers, count, &rescue, &expected);
            if (all_fail)
              ck_assert(rescue.opened && rescue.points > 0);
            /* and without it */
            begin(&s, 5);
            failures_left = (int)count;
            for (uint32_t i = 0; i < count; i++)
              troubles[i] = (trouble){.when = (moment)m, .status = MS_ERR_DEVICE_LOST};
            a.job = job_of(&s, 5, &a);
            ms_status status = ms_sieve_schedule(&a.job, workers, count, &err);
            if (all_fail) {
              ck_assert_int_eq(status, MS_ERR_DEVICE_LOST);
              ck_assert_ptr_nonnull(
                  strstr(err.message, m == AT_OPEN ? "would not open" : "caught fire"));
              ck_assert((strstr(err.message, "all ") != NULL) == (count > 1));
            }
            ck_assert_int_eq(open_now, 0);
          }
      setting_free(&s);
    }
}
END_TEST

/* The rescue worker is opened only where all others are lost, and its failure is reported with
 * theirs. */
START_TEST(a_rescue_that_is_not_needed_is_not_opened)
{
  ms_sieve_worker workers[2], rescue = {.backend = &fake, .device = 2, .config = {.threads = 1}};
  setting s;
  answer expected;
  make_regular(&s, 40, 4, 10, 0, MS_SIBLING);
  reference(&s, 3, false, &expected);
  begin(&s, 3);
  make_workers(workers, 2, 0);
  must_agree(&s, workers, 2, &rescue, &expected);
  ck_assert(!rescue.opened);
  ck_assert_int_eq(opening, 2);
  /* one that fails, too: its reason is reported with theirs */
  begin(&s, 3);
  for (int i = 0; i < 3; i++)
    troubles[i] = (trouble){.when = EVERY_RUN, .status = MS_ERR_DEVICE_LOST};
  answer a;
  ms_error err = {0};
  a.job = job_of(&s, 3, &a);
  a.job.rescue = &rescue;
  ck_assert_int_eq(ms_sieve_schedule(&a.job, workers, 2, &err), MS_ERR_DEVICE_LOST);
  ck_assert_str_eq(err.message, "all 3 devices failed; the last: device 2 caught fire");
  setting_free(&s);
}
END_TEST

/* Workers that lack memory for large ranges get smaller ones, with the same Q; where one lacks it
 * for a single block the others do the work, or the job fails. */
START_TEST(large_ranges_that_lack_memory)
{
  ms_sieve_worker workers[MOST_WORKERS];
  setting s;
  answer expected, a;
  ms_error err = {0};
  make_regular(&s, 40, 4, 12, 0, (ms_recurrence)_i);
  reference(&s, 3, false, &expected);
  for (uint32_t count = 1; count <= MOST_WORKERS; count++)
    for (uint64_t most = 1; most <= 9; most += 4)
      for (uint32_t others = 0; others < 2; others++) {
        begin(&s, 3);
        make_workers(workers, count, count);
        for (uint32_t i = 0; i < count; i++)
          troubles[i].most = i == 0 || others ? most : 0;
        must_agree(&s, workers, count, NULL, &expected);
        ck_assert_int_eq(workers[0].lost.status, MS_OK);
        ck_assert_int_ge(failed, count == 1);
      }
  /* not even one block: the others have to do it, or nobody can */
  begin(&s, 3);
  make_workers(workers, 2, 0);
  troubles[0] = (trouble){.when = EVERY_RUN, .status = MS_ERR_MEMORY};
  must_agree(&s, workers, 2, NULL, &expected);
  ck_assert_int_eq(workers[0].lost.status, MS_ERR_MEMORY);
  a.job = job_of(&s, 3, &a);
  ck_assert_int_eq(ms_sieve_schedule(&a.job, workers, 1, &err), MS_ERR_MEMORY);
  setting_free(&s);
}
END_TEST

/* An internal error or a wrong request of one worker ends the job with its message and without a
 * rescue: one to five workers at three moments. */
START_TEST(a_bug_ends_the_job)
{
  static const moment moments[] = {AT_OPEN, FIRST_RUN, LAST_RANGE};
  ms_sieve_worker workers[MOST_WORKERS], rescue = {.backend = &ms_sieve_backend_cpu};
  setting s;
  make_regular(&s, 40, 4, 10, 0, MS_SIBLING);
  for (uint32_t count = 1; count <= MOST_WORKERS; count++)
    for (int m = 0; m < 3; m++) {
      answer a;
      ms_error err = {0};
      begin(&s, 3);
      make_workers(workers, count, 0);
      for (uint32_t i = 0; i < count; i++)
        if (i == count - 1 || m == 2)
          troubles[i] =
              (trouble){.when = moments[m], .status = m == 0 ? MS_ERR_USAGE : MS_ERR_INTERNAL};
      a.job = job_of(&s, 3, &a);
      a.job.rescue = &rescue;
      ms_status status = ms_sieve_schedule(&a.job, workers, count, &err);
      /* others may have been faster than its first run */
      if (failed > 0) {
        ck_assert_int_eq(status, m == 0 ? MS_ERR_USAGE : MS_ERR_INTERNAL);
        ck_assert_ptr_nonnull(strstr(err.message, m == 0 ? "would not open" : "caught fire"));
      } else {
        ck_assert(m == 1 && count > 1);
      }
      ck_assert(!rescue.opened);
      ck_assert_int_eq(open_now, 0);
    }
  setting_free(&s);
}
END_TEST

/* ---- shares ------------------------------------------------------------------------------ */

/* Five workers are opened at the same time. */
START_TEST(workers_open_together)
{
  ms_sieve_worker workers[MOST_WORKERS];
  setting s;
  answer expected;
  make_regular(&s, 40, 4, 8, 0, MS_SIBLING);
  reference(&s, 2, false, &expected);
  begin(&s, 2);
  wait_for_opening = MOST_WORKERS;
  make_workers(workers, MOST_WORKERS, 0);
  must_agree(&s, workers, MOST_WORKERS, NULL, &expected);
  ck_assert_int_eq(open_together, MOST_WORKERS);
  setting_free(&s);
}
END_TEST

/* Two workers and one that is 50 times slower.  Returns what is wrong with their shares and the
 * time of the job, or NULL. */
static const char *slow_worker(const setting *s, const answer *expected)
{
  ms_sieve_worker workers[3];
  double speed[3], all = 0;
  begin(s, 8);
  make_workers(workers, 3, 0);
  for (uint32_t i = 0; i < 3; i++) {
    workers[i].config.kernel = "bitslice64"; /* 64 blocks a repetition */
    troubles[i].unit_seconds = i == 1 ? 25e-3 : 0.5e-3;
  }
  double start = ms_seconds();
  must_agree(s, workers, 3, NULL, expected);
  double seconds = ms_seconds() - start;
  for (uint32_t i = 0; i < 3; i++) {
    speed[i] = (double)workers[i].points / spent[i];
    all += speed[i];
  }
  /* its first run, of the 4 blocks that its plan asks for, says that it is slow; 5
   * blocks would be fair */
  double first = 4 * 64, fair = (double)total_points * speed[1] / all;
  if (workers[1].points < 4 * 64 || (double)workers[1].points > first + 1.5 * fair + 64)
    return "the share of the slow worker is not fair";
  /* in the worst case that run is waited for */
  if (seconds >= 2 * ((double)total_points / all + first / speed[1]))
    return "the slow worker was waited for";
  /* and they had equal shares, more or less */
  return workers[0].points > total_points / 5 && workers[2].points > total_points / 5
             ? NULL
             : "the shares of the fast workers differ";
}

/* A worker that is 50 times slower than two others gets about its fair share, and the job takes at
 * most about twice the ideal time: in one of some runs, because other work of the machine may hold
 * any worker up. */
START_TEST(a_slow_worker_holds_nobody_up)
{
  setting s;
  answer expected;
  const char *wrong = "";
  make_regular(&s, 30, 4, 12, 0, MS_SIBLING);
  reference(&s, 8, false, &expected);
  for (int turn = 0; turn < TURNS && wrong; turn++)
    wrong = slow_worker(&s, &expected);
  ck_assert_msg(!wrong, "%s", wrong);
  setting_free(&s);
}
END_TEST

/* A single worker gets whole repetitions, and smaller ranges after the first failure for memory. */
START_TEST(a_single_worker_gets_whole_batches)
{
  ms_sieve_worker worker;
  setting s;
  answer expected;
  make_regular(&s, 30, 4, 12, 0, MS_SIBLING);
  reference(&s, 3, false, &expected);
  begin(&s, 3);
  make_workers(&worker, 1, 0);
  troubles[0] = (trouble){.when = EVERY_RUN, .status = MS_ERR_INTERNAL};
  answer a;
  a.job = job_of(&s, 3, &a);
  ck_assert_int_eq(ms_sieve_schedule(&a.job, &worker, 1, NULL), MS_ERR_INTERNAL);
  ck_assert_int_eq(failed, 1);
  /* a run a repetition: as many failures as there are runs when each range is one unit too large */
  begin(&s, 3);
  troubles[0].most = worker.plan.blocks - 1;
  must_agree(&s, &worker, 1, NULL, &expected);
  ck_assert_int_eq(failed, 1); /* then it knows */
  setting_free(&s);
}
END_TEST

/* So many workers of equal speed get whole runs only.  Returns whether each of them got some. */
static bool stay_together(const setting *s, uint32_t count, const answer *expected)
{
  enum { TOGETHER = 4 };
  ms_sieve_worker workers[MOST_WORKERS];
  bool each = true;
  begin(s, 3);
  make_workers(workers, count, 0);
  for (uint32_t i = 0; i < count; i++) {
    workers[i].config.kernel = kernel_names[0];
    troubles[i] = (trouble){.unit_seconds = 2e-3, .together = TOGETHER};
  }
  wait_for_opening = (int)count;
  must_agree(s, workers, count, NULL, expected);
  uint64_t blocks = workers[0].plan.blocks * 3;
  ck_assert_uint_eq(blocks % TOGETHER, 0);
  ck_assert_uint_ge(blocks, 4 * TOGETHER * MOST_WORKERS);
  ck_assert_int_eq(ragged, 0);
  ck_assert_uint_ge(blocks / TOGETHER, (uint64_t)runs);
  for (uint32_t i = 0; i < count; i++)
    each = each && workers[i].points > 0;
  return each;
}

/* Units that take no longer together than one of them are not given away one by one: two to five
 * workers of equal speed get whole runs only, and each of them gets some, unless other work of the
 * machine holds it up until all is done. */
START_TEST(units_stay_together)
{
  setting s;
  answer expected;
  make_regular(&s, 30, 4, 12, 0, MS_SIBLING);
  reference(&s, 3, false, &expected);
  for (uint32_t count = 2; count <= MOST_WORKERS; count++) {
    bool each = false;
    for (int turn = 0; turn < TURNS && !each; turn++)
      each = stay_together(&s, count, &expected);
    ck_assert_msg(each, "one of %u workers got nothing", count);
  }
  setting_free(&s);
}
END_TEST

/* Where each worker gets few whole runs, those with most labels come first.  There are eight runs,
 * and the second of two workers holds one of them until the first one has done the others, whose
 * order is then certain. */
START_TEST(few_runs_go_by_their_labels)
{
  static const uint64_t by_labels[8] = {5, 2, 4, 6, 1, 3, 7, 0}; /* of b ^ b >> 1 */
  enum { RUNS = 8, LENGTH = 8 };
  ms_sieve_worker workers[2];
  setting s;
  answer expected;
  make_regular(&s, 30, 4, 12, 0, MS_SIBLING);
  reference(&s, 1, false, &expected);
  begin(&s, 1);
  make_workers(workers, 2, 0);
  for (int i = 0; i < 2; i++) {
    workers[i].config.kernel = "bitslice64";
    troubles[i].together = LENGTH;
  }
  wait_for_opening = 2;
  waits_for_runs = RUNS - 1;
  must_agree(&s, workers, 2, NULL, &expected);
  ck_assert_uint_eq(workers[0].plan.blocks, RUNS * LENGTH);
  ck_assert_int_eq(ragged, 0);
  ck_assert_int_eq(runs, RUNS);
  uint64_t held = first_unit[RUNS - 1] / LENGTH;
  for (int i = 0, next = 0; i < RUNS; i++)
    if (by_labels[i] != held)
      ck_assert_uint_eq(first_unit[next++], LENGTH * by_labels[i]);
  setting_free(&s);
}
END_TEST

/* When all vertices are flagged, a worker that is busy with a further repetition stops: two
 * workers, of which one is at it when the other ends the last repetition that was needed. */
START_TEST(an_early_stop_ends_what_others_do)
{
  ms_sieve_worker workers[2];
  setting s;
  answer expected;
  make_regular(&s, 30, 6, 6, 0, MS_SIBLING);
  reference(&s, MOST_REPETITIONS, true, &expected);
  ck_assert(expected.job.all_flagged && expected.job.finished < MOST_REPETITIONS);
  begin(&s, MOST_REPETITIONS);
  make_workers(workers, 2, 0);
  for (int i = 0; i < 2; i++) {
    workers[i].config.kernel = kernel_names[0];
    troubles[i] = (trouble){.needed = expected.job.finished};
  }
  wait_for_opening = 2;
  must_agree(&s, workers, 2, NULL, &expected);
  ck_assert_int_gt(beyond, 0);
  ck_assert_int_eq(interrupted, beyond);
  setting_free(&s);
}
END_TEST

/* ---- stopping and progress ------------------------------------------------------------------ */

static void *stop_soon(void *stop)
{
  sleep_for(0.05);
  ms_stop_request(stop);
  return NULL;
}

/* A deadline or a request ends the job of so many workers with whole repetitions whose hits are
 * right.  Returns false if other work of the machine held up the request until the job was done. */
static bool is_stopped(const setting *s, uint32_t count, bool deadline, const answer *expected)
{
  ms_sieve_worker workers[MOST_WORKERS];
  answer a;
  ms_error err = {0};
  ms_stop *stop = NULL;
  pthread_t thread;
  uint32_t hits[MOST_N] = {0}, n = s->instance->n;
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  begin(s, MOST_REPETITIONS);
  make_workers(workers, count, 0);
  for (uint32_t i = 0; i < count; i++) {
    workers[i].config.stop = stop;
    troubles[i].unit_seconds = 1e-3; /* some seconds in all */
  }
  a.job = job_of(s, MOST_REPETITIONS, &a);
  if (deadline)
    ms_stop_after(stop, 0.05);
  else
    ck_assert_int_eq(pthread_create(&thread, NULL, stop_soon, stop), 0);
  ck_assert_msg(ms_sieve_schedule(&a.job, workers, count, &err) == MS_OK, "%s", err.message);
  if (!deadline)
    pthread_join(thread, NULL);
  ms_stop_free(stop);
  if (!deadline && a.job.stopped == MS_OK && a.job.finished == MOST_REPETITIONS)
    return false;
  ck_assert_int_eq(a.job.stopped, deadline ? MS_ERR_LIMIT : MS_ERR_INTERRUPTED);
  ck_assert_uint_lt(a.job.finished, MOST_REPETITIONS);
  ck_assert_int_eq(open_now, 0);
  /* what is there are whole repetitions */
  ck_assert_int_eq(memcmp(a.q, expected->q, (size_t)a.job.finished * n), 0);
  for (uint32_t i = 0; i < a.job.finished; i++)
    for (uint32_t v = 0; v < n; v++)
      hits[v] += expected->q[(size_t)i * n + v] != 0;
  ck_assert_int_eq(memcmp(hits, a.hits, sizeof hits), 0);
  return true;
}

/* A deadline and a request end the job: one to five workers. */
START_TEST(a_stop_ends_all)
{
  setting s;
  answer expected;
  make_regular(&s, 40, 4, 12, 0, MS_SIBLING);
  reference(&s, MOST_REPETITIONS, false, &expected);
  for (uint32_t count = 1; count <= MOST_WORKERS; count++)
    for (int deadline = 0; deadline < 2; deadline++) {
      int turn = 0;
      while (!is_stopped(&s, count, deadline, &expected))
        ck_assert_int_lt(++turn, TURNS);
    }
  setting_free(&s);
}
END_TEST

typedef struct watcher {
  _Atomic int inside;
  uint64_t calls, last, total;
  bool wrong;
} watcher;

static void watch(void *user, const char *what, uint64_t done, uint64_t total)
{
  watcher *w = user;
  if (++w->inside != 1 || done < w->last || done > total || (w->total && w->total != total) ||
      strcmp(what, "sieve") != 0)
    w->wrong = true;
  sleep_for(1e-3);
  w->last = done;
  w->total = total;
  w->calls++;
  w->inside--;
}

/* Progress never goes back, comes from one thread at a time, and ends at its total: 1, 3 and 5
 * workers, some of which fail. */
START_TEST(progress_goes_forward_from_one_thread_at_a_time)
{
  ms_sieve_worker workers[MOST_WORKERS];
  setting s;
  make_regular(&s, 40, 4, 12, 0, MS_SIBLING);
  for (uint32_t count = 1; count <= MOST_WORKERS; count += 2) {
    answer a;
    watcher w = {0};
    begin(&s, 8);
    make_workers(workers, count, 0);
    for (uint32_t i = 0; i < count; i++)
      troubles[i] = (trouble){.unit_seconds = 2e-3,
                              .when = count > 1 ? PAST_THE_MIDDLE : NEVER,
                              .status = MS_ERR_DEVICE_LOST};
    a.job = job_of(&s, 8, &a);
    a.job.run.progress = watch;
    a.job.run.progress_user = &w;
    ck_assert_int_eq(ms_sieve_schedule(&a.job, workers, count, NULL), MS_OK);
    ck_assert(!w.wrong);
    ck_assert_uint_ge(w.calls, 3);
    ck_assert_uint_eq(w.last, w.total);
    ck_assert_uint_ge(w.total, 8 * 16);
  }
  setting_free(&s);
}
END_TEST

/* Progress of a job of so many workers that a deadline ends never says that all was done.  Returns
 * the number of reports: none if other work of the machine took the time before the deadline. */
static uint64_t reports_until_stop(const setting *s, uint32_t count)
{
  ms_sieve_worker workers[MOST_WORKERS];
  answer a;
  watcher w = {0};
  ms_stop *stop = NULL;
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  begin(s, MOST_REPETITIONS);
  make_workers(workers, count, 0);
  for (uint32_t i = 0; i < count; i++) {
    workers[i].config.stop = stop;
    troubles[i].unit_seconds = 1e-3;
  }
  a.job = job_of(s, MOST_REPETITIONS, &a);
  a.job.run.progress = watch;
  a.job.run.progress_user = &w;
  ms_stop_after(stop, 0.05);
  ck_assert_int_eq(ms_sieve_schedule(&a.job, workers, count, NULL), MS_OK);
  ck_assert_int_eq(a.job.stopped, MS_ERR_LIMIT);
  ck_assert(!w.wrong);
  ck_assert(w.calls == 0 || w.last < w.total);
  ms_stop_free(stop);
  return w.calls;
}

/* The same for 1 to 5 workers. */
START_TEST(progress_of_what_was_stopped)
{
  setting s;
  make_regular(&s, 40, 4, 12, 0, MS_SIBLING);
  for (uint32_t count = 1; count <= MOST_WORKERS; count++) {
    int turn = 0;
    while (reports_until_stop(&s, count) == 0)
      ck_assert_int_lt(++turn, TURNS);
  }
  setting_free(&s);
}
END_TEST

/* ---- memory of the host ------------------------------------------------------------------------
 */

/* An allocation that fails costs a worker or the job, and never a bit of Q or a block. */
START_TEST(every_allocation_may_fail)
{
  ms_sieve_worker workers[2];
  setting s;
  answer expected, a;
  long refused = 0, served = 0;
  make_regular(&s, 30, 4, 9, 0, MS_SIBLING);
  reference(&s, 2, false, &expected);
  for (long fail_at = 1;; fail_at++) {
    meter m = {.fail_at = fail_at};
    ms_error err = {0};
    begin(&s, 2);
    make_workers(workers, 2, 0);
    troubles[0].most = 2;
    a.job = job_of(&s, 2, &a);
    meter_start(&m);
    ms_status status = ms_sieve_schedule(&a.job, workers, 2, &err);
    meter_stop();
    ck_assert_int_eq(m.live, 0);
    if (status == MS_OK) {
      same_answer(&s, &a, &expected);
      served++;
    } else {
      ck_assert_msg(status == MS_ERR_MEMORY, "%s", err.message);
      refused++;
    }
    if (!meter_has_failed(&m))
      break;
  }
  ck_assert_int_gt(refused, 2);
  ck_assert_int_gt(served, 5);
  setting_free(&s);
}
END_TEST

/* ---- choosing
 * -------------------------------------------------------------------------------------- */

static int present;                             /* GPUs */
static double cpu_seconds, gpu_start, gpu_work; /* seconds; the last for all repetitions */
static int asked_for_devices;

static int some_devices(void)
{
  asked_for_devices++;
  return present;
}

static double cpu_guess(const ms_sieve_problem *problem, const ms_sieve_config *config, int device,
                        uint32_t repetitions)
{
  (void)problem, (void)config, (void)device, (void)repetitions;
  return cpu_seconds;
}

static double gpu_guess(const ms_sieve_problem *problem, const ms_sieve_config *config, int device,
                        uint32_t repetitions)
{
  (void)problem, (void)config, (void)device;
  return repetitions ? gpu_start + gpu_work : gpu_start;
}

static const ms_sieve_backend guessing_cpu = {.name = "cpu", .estimate = cpu_guess};
static const ms_sieve_backend guessing_gpu = {
    .name = "gpu", .devices = some_devices, .estimate = gpu_guess};

/* What is chosen: GPUs, and whether the CPU works with them. */
static ms_budget bound;

static void chosen(const ms_screen_options *o, uint32_t gpus, bool cpu, const char *reason)
{
  ms_sieve_choice c;
  ms_error err = {0};
  asked_for_devices = 0;
  ck_assert_msg(ms_sieve_choose(NULL, o, 6, &bound, &guessing_cpu, &guessing_gpu, &c, &err) ==
                    MS_OK,
                "%s", err.message);
  ck_assert_msg(c.n_workers == gpus + cpu, "%u workers: %s", c.n_workers, c.reason);
  ck_assert_msg(strstr(c.reason, reason) != NULL, "%s", c.reason);
  ck_assert_int_eq(c.with_rescue, o->backend == MS_BACKEND_AUTO && gpus > 0);
  for (uint32_t i = 0; i < c.n_workers; i++) {
    bool on_gpu = i < gpus;
    ck_assert_ptr_eq(c.workers[i].backend, on_gpu ? &guessing_gpu : &guessing_cpu);
    if (on_gpu)
      ck_assert_int_eq(c.workers[i].device, o->run.n_devices ? o->run.devices[i] : (int)i);
    /* the bound and the arithmetic are the CPU's */
    ck_assert_ptr_eq(c.workers[i].config.budget, on_gpu ? NULL : &bound);
    if (!on_gpu || !cpu)
      ck_assert_ptr_eq(c.workers[i].config.kernel, o->kernel);
    else
      ck_assert_ptr_null(c.workers[i].config.kernel);
    ck_assert_ptr_eq(c.workers[i].config.stop, o->run.stop);
  }
  ms_sieve_choice_clear(&c);
}

static void refused(const ms_screen_options *o, const char *message)
{
  ms_sieve_choice c;
  ms_error err = {0};
  ck_assert_int_eq(ms_sieve_choose(NULL, o, 6, &bound, &guessing_cpu, &guessing_gpu, &c, &err),
                   MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
  ms_sieve_choice_clear(&c);
}

/* The workers chosen follow from the guessed times, the devices present and the options, each with
 * its reason: 18 settings that work and 6 that are refused. */
START_TEST(the_choice_of_workers)
{
  static const int some[] = {3, 1}, twice[] = {1, 2, 1}, far[] = {0, 4}, negative[] = {-1};
  ms_screen_options o = {.size = sizeof(ms_screen_options), .run.threads = 2};
  present = 4;
  gpu_start = 0.3;
  gpu_work = 0.1;
  /* short jobs do not even ask */
  cpu_seconds = 0.1;
  chosen(&o, 0, true, "0.1 s");
  ck_assert_int_eq(asked_for_devices, 0);
  /* what takes longer to start than to do */
  cpu_seconds = 0.35;
  chosen(&o, 0, true, "GPUs need about 0.4 s");
  ck_assert_int_eq(asked_for_devices, 1);
  cpu_seconds = 0.5;
  chosen(&o, 1, false, "1 of 4 GPUs");
  /* more GPUs as they pay; T(g) = 0.3 (1 + (g-1)/4) + work / g */
  gpu_work = 0.2;
  cpu_seconds = 1;
  chosen(&o, 1, false, "1 of 4 GPUs"); /* 0.5, 0.475 */
  gpu_work = 0.5;
  cpu_seconds = 100;
  chosen(&o, 2, false, "2 of 4 GPUs"); /* 0.8, 0.625, 0.617, 0.65 */
  gpu_work = 50;
  chosen(&o, 4, false, "4 of 4 GPUs");
  gpu_work = 200;
  chosen(&o, 4, false, "the CPU needs about 1e+02 s"); /* alone it would be slower */
  /* only those that are named */
  o.run.devices = some;
  o.run.n_devices = 2;
  chosen(&o, 0, true, "GPUs need about 1e+02 s"); /* 100.4 s on two */
  gpu_work = 50;
  chosen(&o, 2, false, "2 of 2 GPUs");
  o.run.n_devices = 0;
  /* none, or none that can */
  gpu_work = HUGE_VAL;
  chosen(&o, 0, true, "more memory");
  present = 0;
  chosen(&o, 0, true, "no usable GPU");
  present = 4;
  gpu_work = 50;
  cpu_seconds = HUGE_VAL;
  chosen(&o, 4, false, "the CPU needs more memory");
  /* arithmetic of the CPU */
  o.kernel = "table";
  chosen(&o, 0, true, "arithmetic");
  ck_assert_int_eq(asked_for_devices, 0);
  /* as asked for */
  o.backend = MS_BACKEND_CPU;
  chosen(&o, 0, true, "as asked for");
  ck_assert_int_eq(asked_for_devices, 0);
  o.backend = MS_BACKEND_BOTH;
  chosen(&o, 4, true, "4 of 4 GPUs and the CPU");
  o.kernel = NULL;
  o.backend = MS_BACKEND_CUDA;
  chosen(&o, 4, false, "4 of 4 GPUs, as asked for");
  o.run.devices = some;
  o.run.n_devices = 2;
  chosen(&o, 2, false, "2 of 4 GPUs");
  /* without any, the first is tried, to say why */
  present = 0;
  chosen(&o, 1, false, "");
  o.backend = MS_BACKEND_AUTO;
  present = 4;
  o.run.devices = twice;
  o.run.n_devices = 3;
  refused(&o, "GPU 1 is named twice");
  o.run.devices = far;
  o.run.n_devices = 2;
  refused(&o, "no GPU 4; there are 0 to 3");
  present = 1;
  refused(&o, "no GPU 4; the only one is 0");
  o.run.devices = negative;
  o.run.n_devices = 1;
  refused(&o, "no GPU -1");
  o.run.devices = some;
  o.backend = MS_BACKEND_CPU;
  refused(&o, "on the CPU");
  o.backend = (ms_backend)9;
  refused(&o, "number 9");
}
END_TEST

/* ---- counts and guesses
 * -------------------------------------------------------------------------- */

/* Work counted by a sample is within 2 % of the whole, and where two vertices share a line, each of
 * them has half of it: both recurrences and seven sizes of blocks on 30,000 vertices. */
START_TEST(a_sample_is_near_the_whole)
{
  enum { HALVES_BITS = 6 };
  ms_error err = {0};
  ms_sieve_problem p = {0};
  ms_graph *graph = NULL;
  ms_coloring *colors = NULL;
  ms_motif *motif = NULL;
  ms_query *query = NULL;
  ms_instance *in = NULL;
  ck_assert_int_eq(ms_generate_regular(30000, 16, 5, &graph, &err), MS_OK);
  ck_assert_int_eq(ms_generate_colors(graph, 12, 5, &colors, &err), MS_OK);
  ck_assert_int_eq(ms_motif_parse("c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11", colors, &motif, &err),
                   MS_OK);
  ck_assert_int_eq(ms_query_new(graph, colors, motif, 0, NULL, &query, &err), MS_OK);
  ck_assert_int_eq(ms_instance_new(query, 1, &in, &err), MS_OK);
  for (int recurrence = 0; recurrence < 2; recurrence++) {
    ck_assert_int_eq(ms_sieve_problem_init(&p, in, 12, (ms_recurrence)recurrence, 1, 1, &err),
                     MS_OK);
    for (uint32_t inner = 0; inner <= 12; inner += 2) {
      ms_sieve_work last = {0};
      const bool may_share = inner == HALVES_BITS && recurrence == MS_SIBLING;
      for (int lines = 0; lines <= (may_share ? MS_SIEVE_QUADRATIC : MS_SIEVE_WHOLE); lines++) {
        ms_sieve_work all = ms_sieve_count(&p, inner, 2, (ms_sieve_lines)lines),
                      some = ms_sieve_count_quickly(&p, inner, 2, (ms_sieve_lines)lines);
        uint32_t halves = 0; /* they are live in each of the 2^6 blocks */
        for (uint32_t v = 0; v < in->n && lines != MS_SIEVE_WHOLE; v++)
          halves += ms_sieve_half_bit(&p, HALVES_BITS, v) < HALVES_BITS;
        ck_assert_double_eq_tol(all.vertex_lines, all.live_vertices - 32.0 * halves, 1e-3);
        ck_assert_double_eq_tol(some.vertex_lines / all.vertex_lines, 1, 0.02);
        ck_assert_double_eq_tol(some.arc_lines / all.arc_lines, 1, 0.02);
        ck_assert(lines != MS_SIEVE_WHOLE ? halves > 0 && all.arc_lines < all.live_arcs
                                          : all.arc_lines == all.live_arcs);
        ck_assert_double_eq_tol(some.live_vertices / all.live_vertices, 1, 0.02);
        ck_assert_double_eq_tol(some.live_arcs / all.live_arcs, 1, 0.02);
        ck_assert_double_eq_tol(some.products / all.products, 1, 0.02);
        ck_assert_double_eq_tol(some.row_lines / all.row_lines, 1, 0.02);
        ck_assert_double_eq_tol(some.state_lines / all.state_lines, 1, 0.02);
        if (lines == MS_SIEVE_QUADRATIC) { /* step 2 had a row for each arc, scaled at the head */
          double products = all.vertex_lines + ms_sieve_siblings(12, 2) * all.live_arcs;
          ck_assert_double_eq_tol(last.row_lines - all.row_lines, all.arc_lines, 1e-3);
          ck_assert_double_eq_tol(last.products - all.products, products, 1e-3);
          ck_assert(all.state_lines < last.state_lines);
        }
        last = all;
      }
    }
    ms_sieve_problem_clear(&p);
  }
  ms_instance_free(in);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(colors);
  ms_graph_free(graph);
}
END_TEST

/* The guessed time grows with slots, halves never with more threads than asked, doubles with the
 * repetitions, and is infinite where the job cannot run: 2 to 20 slots. */
START_TEST(the_guess_grows_with_the_work)
{
  for (int recurrence = 0; recurrence < 2; recurrence++) {
    double before = 0;
    for (uint32_t k = 2; k <= 20; k++) {
      setting s;
      ms_sieve_config one = {.threads = 1, .kernel = "bitslice64"}, two = one, tiny = one,
                      wrong = one;
      ms_budget few;
      ms_budget_open(&few, 1000);
      two.threads = 2;
      tiny.budget = &few;
      wrong.kernel = "abacus";
      make_regular(&s, 60, 6, k, 0, (ms_recurrence)recurrence);
      double guess = ms_sieve_backend_cpu.estimate(&s.problem, &one, 0, 6);
      ck_assert(isfinite(guess) && guess > before);
      ck_assert(guess < 1e3);
      ck_assert_double_le(ms_sieve_backend_cpu.estimate(&s.problem, &two, 0, 6), guess);
      ck_assert_double_eq_tol(ms_sieve_backend_cpu.estimate(&s.problem, &one, 0, 12) / guess, 2,
                              1e-9);
      ck_assert_double_eq(ms_sieve_backend_cpu.estimate(&s.problem, &one, 0, 0), 0);
      ck_assert(isinf(ms_sieve_backend_cpu.estimate(&s.problem, &tiny, 0, 6)));
      ck_assert(isinf(ms_sieve_backend_cpu.estimate(&s.problem, &wrong, 0, 6)));
      before = guess;
      setting_free(&s);
    }
  }
}
END_TEST

int main(void)
{
#ifndef __SANITIZE_THREAD__      /* which does not know libgomp's barriers */
  ms_hooks.work_for_threads = 4; /* counting and merging, too, go by several threads */
#endif
  find_kernels();
  int times = runs_short() ? SHAPES : 2 * SHAPES;
  return RUN_TESTS(
      "schedule", TEST_TIMES(any_workers_give_the_same_q, times),
      TEST(an_early_stop_is_the_same_for_all), TEST_TIMES(a_lost_worker_costs_no_bit, times),
      TEST(the_rescue_goes_on_when_all_are_lost), TEST(a_rescue_that_is_not_needed_is_not_opened),
      TEST_TIMES(large_ranges_that_lack_memory, 2), TEST(a_bug_ends_the_job),
      TEST(workers_open_together), TEST(a_slow_worker_holds_nobody_up),
      TEST(a_single_worker_gets_whole_batches), TEST(units_stay_together),
      TEST(few_runs_go_by_their_labels), TEST(an_early_stop_ends_what_others_do),
      TEST(a_stop_ends_all), TEST(progress_goes_forward_from_one_thread_at_a_time),
      TEST(progress_of_what_was_stopped), TEST(every_allocation_may_fail),
      TEST(the_choice_of_workers), TEST(a_sample_is_near_the_whole),
      TEST(the_guess_grows_with_the_work));
}
