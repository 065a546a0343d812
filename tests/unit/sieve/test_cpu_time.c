/* The predicted seconds of the CPU sieve (sieve/cpu_time.h) against what it takes. */
#include "base/hooks.h"
#include "sieve/cpu_time.h"
#include "tests/support/search/sieve_setting.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* The prediction of a kernel may be off by this factor more than the others'.  The rates were
 * fitted on one processor, within a factor of two; others are slower or faster, and this one may be
 * busy.
 */
#define SLACK 8.0

enum { TURNS = 20, MOST_KERNELS = 8, LEAST_SLOTS = 6, MOST_SLOTS = 18 };

/* Code that was made for other purposes than speed takes far longer, as code in an emulator of
 * another processor does. */
#if !defined __OPTIMIZE__ || defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ ||        \
    !defined __x86_64__
#define IS_FAST false
#else
#define IS_FAST true
#endif

static void make(setting *s, uint32_t n, uint32_t k)
{
  ms_error err = {0};
  ms_graph *graph;
  ck_assert_msg(ms_generate_regular(n, 12, k, &graph, &err) == MS_OK, "%s", err.message);
  setting_make(s, graph, k, k, 0, MS_SIBLING);
}

/* Every kernel has rates of its own, and rates for lines that two vertices share exactly if it has
 * such lines.  A byte beyond the caches costs at least what one in them does. */
START_TEST(every_kernel_has_rates)
{
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    for (int halved = 0; halved < 2; halved++) {
      const ms_sieve_rates *r = ms_sieve_cpu_rates(kernel->path, halved);
      ck_assert_int_eq(r != NULL, !halved || kernel->halves != NULL);
      if (r)
        ck_assert(r->product >= 0 && r->near_byte > 0 && r->far_byte >= r->near_byte);
    }
  }
  ck_assert_ptr_null(ms_sieve_cpu_rates("abacus", false));
}
END_TEST

static double processor_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Returns the processor time of one repetition on one thread, with its weights. */
static double seconds_of(const setting *s, const ms_sieve_config *config)
{
  ms_sieve_plan plan;
  ms_error err;
  void *context;
  uint8_t *q = calloc(s->problem.instance->n, 1);
  ck_assert_ptr_nonnull(q);
  ck_ok(ms_sieve_backend_cpu.open(&s->problem, config, 0, &context, &plan, &err));
  double start = processor_seconds();
  ck_ok(ms_sieve_backend_cpu.run(context, 0, plan.blocks, q, &err));
  double seconds = processor_seconds() - start;
  ms_sieve_backend_cpu.close(context);
  free(q);
  return seconds;
}

/* What a repetition took, divided by its prediction. */
typedef struct measured {
  const ms_sieve_kernel *kernel;
  bool is_halved;
  double ratio; /* the least of all turns */
} measured;

/* Measures a repetition that is predicted to take 10 ms or more, on one thread. */
static void measure(measured *m)
{
  ms_sieve_config config = {.threads = 1, .kernel = m->kernel->path};
  double predicted = 0;
  ms_hooks.sieve_cache = m->is_halved ? 1 : UINT64_MAX;
  for (uint32_t k = LEAST_SLOTS; k <= MOST_SLOTS && predicted < 0.01; k++) {
    setting s;
    make(&s, 2000, k);
    predicted = ms_sieve_backend_cpu.estimate(&s.problem, &config, 0, 1);
    if (predicted >= 0.01) {
      ck_assert_int_eq(ms_sieve_cpu_shape(&s.problem, m->kernel, 0).is_halved, m->is_halved);
      m->ratio = fmin(m->ratio, seconds_of(&s, &config) / predicted);
    }
    setting_free(&s);
  }
  ms_hooks = ms_hooks_default;
}

/* Returns the greatest factor between a ratio and the geometric mean of all, which is how much
 * slower this machine is than the one of the rates, and which kernel has it. */
static double worst_of(const measured *m, uint32_t count, uint32_t *which)
{
  double mean = 0, worst = 0;
  for (uint32_t i = 0; i < count; i++)
    mean += log(m[i].ratio) / count;
  for (uint32_t i = 0; i < count; i++)
    if (fabs(log(m[i].ratio) - mean) > worst) {
      worst = fabs(log(m[i].ratio) - mean);
      *which = i;
    }
  return exp(worst);
}

/* A machine may be faster or slower than predicted, by the same factor for each kernel, with whole
 * lines and with those that two vertices share; the least of some turns, because it may be busy. */
START_TEST(predictions_are_near_the_truth)
{
  measured m[2 * MOST_KERNELS];
  uint32_t count = 0, which = 0;
  double worst = HUGE_VAL;
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    ck_assert_uint_le(count + 2, 2 * MOST_KERNELS);
    if (!kernel->available())
      continue;
    m[count++] = (measured){kernel, false, HUGE_VAL};
    if (kernel->halves && kernel->halves->available())
      m[count++] = (measured){kernel, true, HUGE_VAL};
  }
  for (int turn = 0; turn < TURNS && (turn < 2 || worst > SLACK); turn++) {
    for (uint32_t i = 0; i < count; i++)
      measure(&m[i]);
    worst = worst_of(m, count, &which);
  }
  ck_assert_msg(worst < SLACK, "%s%s takes %.3g times its prediction, a factor of %.1f from others",
                m[which].kernel->path, m[which].is_halved ? ", halved" : "", m[which].ratio, worst);
}
END_TEST

TEST_MAIN("predicted times", TEST(every_kernel_has_rates),
          TEST_IF(predictions_are_near_the_truth, IS_FAST))
