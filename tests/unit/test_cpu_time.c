/* The predicted seconds of the CPU sieve (sieve/cpu_time.h) against what it takes. */
#include "sieve/cpu_time.h"
#include "tests/support/sieve_setting.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* A prediction may be off by this factor.  The rates were fitted on one processor, within a factor
 * of two; others are slower or faster, and this one may be busy. */
#define SLACK 8.0

enum { RUNS = 40, LEAST_SLOTS = 6, MOST_SLOTS = 18 };

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

/* Each kernel, with whole lines and with those that two vertices share: a repetition that is
 * predicted to take 10 ms or more takes that time, within the factor; the nearest of some runs. */
static void check_kernel(const ms_sieve_kernel *kernel, uint64_t cache, bool is_halved)
{
  ms_sieve_config config = {.threads = 1, .kernel = kernel->path};
  double predicted = 0, least = HUGE_VAL;
  ms_sieve_cache_bytes = cache;
  for (uint32_t k = LEAST_SLOTS; k <= MOST_SLOTS && predicted < 0.01; k++) {
    setting s;
    make(&s, 2000, k);
    predicted = ms_sieve_backend_cpu.estimate(&s.problem, &config, 0, 1);
    if (predicted >= 0.01) {
      ck_assert_int_eq(ms_sieve_cpu_shape(&s.problem, kernel, 0).is_halved, is_halved);
      for (int run = 0; run < RUNS && (run < 2 || least > SLACK * predicted); run++) {
        double seconds = seconds_of(&s, &config);
        least = seconds < least ? seconds : least;
      }
    }
    setting_free(&s);
  }
  ms_sieve_cache_bytes = 0;
  ck_assert_msg(least < SLACK * predicted && least > predicted / SLACK,
                "%s%s: predicted %.4f s, took %.4f s", kernel->path, is_halved ? ", halved" : "",
                predicted, least);
}

START_TEST(predictions_are_near_the_truth)
{
  for (uint32_t i = 0; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    if (!kernel->available())
      continue;
    check_kernel(kernel, UINT64_MAX, false);
    if (kernel->halves && kernel->halves->available())
      check_kernel(kernel, 1, true);
  }
}
END_TEST

TEST_MAIN("predicted times", TEST(every_kernel_has_rates),
          TEST_IF(predictions_are_near_the_truth, IS_FAST))
