/* Triangles with vertices next to all of them, which an engine on GPUs counts by products of bit
 * matrices (match/count/count_products.c): which patterns, and what is counted if the engine
 * fails.  The engine is one of the tests', which counts on the CPU. */
#include "base/hooks.h"
#include "match/count/count.h"
#include "match/count/count_methods.h"
#include "tests/support/search/count_trial.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { CASES = 60, MOST_VERTICES = 40, MOST_EDGES = 400 };

static uint32_t calls;        /* of the engine's count_triangles */
static ms_status call_status; /* what it returns */

static ms_status count_at_triangles(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  const ms_pattern_index *index = task->program->index;
  (void)err;
  calls++;
  mpz_add_ui(sum, sum, call_status != MS_OK); /* nobody may use it after a failure */
  for (uint32_t a = 0; call_status == MS_OK && a < index->n; a++)
    for (uint32_t b = 0; b < a; b++)
      for (uint32_t c = 0; count_trial_adjacent(index, a, b) && c < b; c++) {
        uint64_t common = 0, value = 6;
        if (!count_trial_adjacent(index, a, c) || !count_trial_adjacent(index, b, c))
          continue;
        for (uint32_t x = 0; x < index->n; x++)
          common += count_trial_adjacent(index, a, x) && count_trial_adjacent(index, b, x) &&
                    count_trial_adjacent(index, c, x);
        for (uint32_t i = 0; i < task->square_common; i++)
          value *= common > i ? common - i : 0;
        mpz_add_ui(sum, sum, value);
      }
  return call_status;
}

/* Returns a triangle with so many vertices next to all of it; `less`: without the last edge. */
static ms_pattern *pattern_of(uint32_t common, bool less)
{
  uint32_t edge[15][2] = {{0, 1}, {0, 2}, {1, 2}}, m = 3;
  ms_pattern *pattern;
  for (uint32_t i = 0; i < common; i++)
    for (uint32_t j = 0; j < 3; j++, m++) {
      edge[m][0] = j;
      edge[m][1] = 3 + i;
    }
  ck_assert_int_eq(ms_pattern_from_edges(3 + common, m - less, (const uint32_t(*)[2])edge, false,
                                         NULL, &pattern, NULL),
                   MS_OK);
  return pattern;
}

static void make_trial(count_trial *t, uint64_t seed, uint32_t common, bool less,
                       const ms_pattern_engine *engine)
{
  uint64_t state = seed;
  count_trial_make(t, count_trial_graph(&state, MOST_VERTICES, MOST_EDGES),
                   pattern_of(common, less), engine, 1);
}

static ms_status count(count_trial *t, double weight, mpz_t maps)
{
  calls = 0;
  ms_hooks.probe_steps = -1;
  ms_hooks.count_dense_weight = weight;
  ms_hooks.count_dense_degree = 0;
  ms_status status = ms_count_maps(&t->query, &t->shape, maps, NULL);
  ms_hooks = ms_hooks_default;
  return status;
}

/* By products there are as many maps as by the CPU's engine, whose domains may be filtered further
 * so that it counts in any case; where the engine lacks memory or is lost, another way counts the
 * same. */
START_TEST(counts_are_right)
{
  static const ms_status statuses[] = {MS_OK, MS_ERR_MEMORY, MS_ERR_DEVICE_LOST};
  ms_pattern_engine engine = ms_pattern_engine_cpu;
  uint32_t by_products = 0, cases = (uint32_t)scaled(CASES);
  engine.count_triangles = count_at_triangles;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    count_trial t;
    mpz_t maps, expected;
    mpz_inits(maps, expected, NULL);
    make_trial(&t, seed, 1 + (uint32_t)(seed / 3 % 3), false, &engine);
    call_status = statuses[seed % 3];
    ck_assert_int_eq(count(&t, INFINITY, expected), MS_OK);
    ck_assert_uint_eq(calls, 0);
    ck_assert_int_eq(count(&t, 0, maps), MS_OK);
    by_products += calls;
    ck_assert_msg(mpz_cmp(maps, expected) == 0, "seed %llu", (unsigned long long)seed);
    mpz_clears(maps, expected, NULL);
    count_trial_free(&t);
  }
  ck_assert_uint_ge(2 * by_products, cases);
}
END_TEST

/* One to three vertices next to all of a triangle are counted so, in graphs of a great mean degree
 * and if the pattern is not induced, and no other pattern. */
START_TEST(which_patterns)
{
  for (uint32_t common = 0; common < 5; common++)
    for (int less = 0; less < 2; less++) {
      count_trial t;
      uint32_t found = 0;
      if (common == 0 && less)
        continue;
      make_trial(&t, 9, common, less, &ms_pattern_engine_cpu);
      ck_assert(!ms_dense_triangles_find(&t.query, &t.shape, t.domains.of, &found));
      ms_hooks.count_dense_degree = 0;
      bool finds = ms_dense_triangles_find(&t.query, &t.shape, t.domains.of, &found);
      ck_assert_int_eq(finds, common >= 1 && common <= 3 && !less);
      ck_assert(!finds || found == common);
      t.shape.induced = true;
      ck_assert(!ms_dense_triangles_find(&t.query, &t.shape, t.domains.of, &found));
      ms_hooks = ms_hooks_default;
      count_trial_free(&t);
    }
}
END_TEST

TEST_MAIN("dense_triangles", TEST(counts_are_right), TEST(which_patterns))
