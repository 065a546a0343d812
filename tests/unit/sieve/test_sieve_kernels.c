/* The kernels of the sieve against each other where whole runs would take too long: up to 32 slots,
 * and graphs whose rows do not fit a cache. */
#include "base/threads/threads.h"
#include "graph/generate/generate.h"
#include "sieve/kernels/kernel.h"
#include "tests/support/search/sieve_setting.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

/* A multiple of the lanes of every line */
enum { POINTS = 256 };

/* Computes the contribution of POINTS points to q[n]: those of the numbers from `part` * POINTS on,
 * in the order of the blocks. */
static void run_part(const setting *s, const char *kernel, uint64_t part, uint8_t *q)
{
  ms_sieve_config config = {.threads = 1, .kernel = kernel};
  ms_sieve_plan plan;
  ms_error err = {0};
  void *context = NULL;
  memset(q, 0, s->instance->n);
  ck_ok(ms_sieve_backend_cpu.open(&s->problem, &config, 0, &context, &plan, &err));
  ck_assert_str_eq(plan.kernel, kernel);
  uint64_t blocks = POINTS / plan.block_points;
  ck_ok(ms_sieve_backend_cpu.run(context, part * blocks, (part + 1) * blocks, q, &err));
  ms_sieve_backend_cpu.close(context);
}

/* Returns the number of the block whose points have all outer labels, or nearly all. */
static uint64_t fullest_part(uint32_t size)
{
  uint64_t gray = ((uint64_t)1 << (size - 8)) - 1, part = 0;
  for (; gray; gray >>= 1)
    part ^= gray;
  return part;
}

/* Compares a part of the points over all kernels of this processor with the first one's. Returns
 * how many were compared. */
static uint32_t compare_kernels(const setting *s, uint32_t first, uint64_t part)
{
  uint32_t n = s->instance->n, compared = 0;
  uint8_t *expected = malloc(n), *q = malloc(n);
  ck_assert(expected && q);
  run_part(s, ms_sieve_kernel_at(first)->path, part, expected);
  uint32_t nonzero = 0;
  for (uint32_t v = 0; v < n; v++)
    nonzero += expected[v] != 0;
  ck_assert_msg(nonzero > n / 4, "size %u: only %u values are not zero", s->problem.size, nonzero);
  for (uint32_t i = first + 1; i < ms_sieve_kernel_count(); i++) {
    const ms_sieve_kernel *kernel = ms_sieve_kernel_at(i);
    if (!kernel->available())
      continue;
    run_part(s, kernel->path, part, q);
    ck_assert_msg(memcmp(q, expected, n) == 0, "size %u, part %llu: %s differs", s->problem.size,
                  (unsigned long long)part, kernel->path);
    compared++;
  }
  free(expected);
  free(q);
  return compared;
}

/* All kernels add the same to Q as the table's: both recurrences, all sizes from 8 to 32 slots, at
 * 256 points that have nearly all labels, and so with every number of siblings up to 15. */
START_TEST(every_size)
{
  uint32_t size = (uint32_t)_i, n = 40;
  for (int recurrence = 0; recurrence < 2; recurrence++) {
    setting s;
    ms_graph *graph = NULL;
    ms_error err = {0};
    ck_ok(ms_generate_regular(n, 6, size, &graph, &err));
    setting_make(&s, graph, size, 4, 0, (ms_recurrence)recurrence);
    ck_assert_uint_ge(compare_kernels(&s, 0, fullest_part(size)), 1);
    setting_free(&s);
  }
}
END_TEST

/* The same where the rows that vertices publish exceed the L2 cache, so that kernels prefetch them:
 * all 256 points of 8 slots, against bit-sliced words. */
START_TEST(rows_beyond_the_cache)
{
  setting s;
  ms_graph *graph = NULL;
  ms_error err = {0};
  uint32_t n = (uint32_t)(ms_l2_bytes() / (3 * 64) + 2) & ~1u; /* 3 lines a vertex at t = 2 */
  ck_assert_str_eq(ms_sieve_kernel_at(1)->path, "bitslice64");
  ck_ok(ms_generate_regular(n, 3, 1, &graph, &err));
  setting_make(&s, graph, 8, 2, 0, MS_SIBLING);
  compare_kernels(&s, 1, 0);
  setting_free(&s);
}
END_TEST

#define SIZES(from, to)                                                                            \
  ((test_entry){.test = every_size, .first = (from), .times = (to) - (from) + 1})

TEST_MAIN("sieve kernels", SIZES(8, 32), TEST(rows_beyond_the_cache))
