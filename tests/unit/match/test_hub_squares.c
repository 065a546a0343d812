/* Wheels that an engine on GPUs counts by products of bit matrices (match/count/count_products.c):
 * which patterns, when such an engine is asked for and when another one counts, and what is counted
 * if it fails.  The engine is one of the tests', which counts on the CPU. */
#include "base/hooks.h"
#include "match/count/count.h"
#include "match/count/count_methods.h"
#include "tests/support/search/count_trial.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { CASES = 60, MOST_VERTICES = 60, MOST_EDGES = 600 };

static uint32_t calls;        /* of the engine's count_hub_squares */
static ms_status call_status; /* what it returns */

static ms_status count_by_codegrees(const ms_pattern_task *task, mpz_t sum, ms_error *err)
{
  const ms_pattern_index *index = task->program->index;
  (void)err;
  calls++;
  mpz_add_ui(sum, sum, call_status != MS_OK); /* nobody may use it after a failure */
  for (uint32_t hub = 0; call_status == MS_OK && hub < index->n; hub++) {
    uint32_t size;
    const uint32_t *row = ms_row(&index->rows[MS_ROWS_ANY], hub, &size);
    for (uint32_t i = 0; i < size; i++)
      for (uint32_t j = 0; j < i; j++) {
        uint64_t common = 0;
        for (uint32_t k = 0; k < size; k++)
          common += count_trial_adjacent(index, row[i], row[k]) &&
                    count_trial_adjacent(index, row[j], row[k]);
        mpz_add_ui(sum, sum, common > 0 ? 2 * common * (common - 1) : 0);
      }
  }
  return call_status;
}

static void make_trial(count_trial *t, uint64_t seed, const char *name,
                       const ms_pattern_engine *engine)
{
  uint64_t state = seed;
  ms_pattern *pattern;
  ck_assert_int_eq(ms_pattern_named(name, &pattern, NULL), MS_OK);
  count_trial_make(t, count_trial_graph(&state, MOST_VERTICES, MOST_EDGES), pattern, engine, 1);
}

static ms_status count(count_trial *t, double weight, mpz_t maps)
{
  calls = 0;
  ms_hooks.probe_steps = -1;
  ms_hooks.count_hub_weight = weight;
  ms_status status = ms_count_maps(&t->query, &t->shape, maps, NULL);
  ms_hooks = ms_hooks_default;
  return status;
}

static ms_pattern_engine engine_with_products(void)
{
  ms_pattern_engine engine = ms_pattern_engine_cpu;
  engine.count_hub_squares = count_by_codegrees;
  return engine;
}

/* By products there are as many maps as by the CPU's engine, whose domains may be filtered further
 * so that it counts in any case; where the engine lacks memory or is lost, another way counts the
 * same. */
START_TEST(counts_are_right)
{
  static const ms_status statuses[] = {MS_OK, MS_ERR_MEMORY, MS_ERR_DEVICE_LOST};
  ms_pattern_engine engine = engine_with_products();
  uint32_t by_products = 0, cases = (uint32_t)scaled(CASES);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    count_trial t;
    mpz_t maps, expected;
    mpz_inits(maps, expected, NULL);
    make_trial(&t, seed, "wheel:4", &engine);
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

/* A count goes to query->large if this takes no time to start, and the report says so; with a long
 * start it stays on the CPU.  A stop and other failures are passed on. */
START_TEST(large_engine)
{
  ms_pattern_engine engine = engine_with_products();
  count_trial t;
  mpz_t maps, expected;
  ms_count_report report;
  mpz_inits(maps, expected, NULL);
  make_trial(&t, 4, "wheel:4", &ms_pattern_engine_cpu);
  call_status = MS_OK;
  ck_assert_int_eq(count(&t, 0, expected), MS_OK);
  ck_assert_uint_eq(calls, 0);
  t.query.large = &engine;
  t.query.report = &report;
  ck_assert_int_eq(count(&t, 0, maps), MS_OK);
  ck_assert_uint_eq(calls, 1);
  ck_assert(report.used_large);
  ck_assert_int_eq(mpz_cmp(maps, expected), 0);
  t.query.large_start = 1e18;
  ck_assert_int_eq(count(&t, 0, maps), MS_OK);
  ck_assert_uint_eq(calls, 0);
  ck_assert(!report.used_large);
  t.query.large_start = 0;
  call_status = MS_ERR_LIMIT;
  ck_assert_int_eq(count(&t, 0, maps), MS_ERR_LIMIT);
  ck_assert_uint_eq(calls, 1);
  t.query.estimate = true;
  ck_assert_int_eq(count(&t, 0, maps), MS_OK);
  ck_assert_uint_eq(calls, 0);
  mpz_clears(maps, expected, NULL);
  count_trial_free(&t);
}
END_TEST

/* Wheels of four that are not induced are counted so, and no other pattern. */
START_TEST(which_patterns)
{
  static const char *const others[] = {"wheel:5", "octahedron", "clique:5", "square", "house"};
  count_trial t;
  make_trial(&t, 9, "wheel:4", &ms_pattern_engine_cpu);
  ck_assert(ms_hub_squares_find(&t.query, &t.shape, t.domains.of));
  t.shape.induced = true;
  ck_assert(!ms_hub_squares_find(&t.query, &t.shape, t.domains.of));
  count_trial_free(&t);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    make_trial(&t, 9, others[i], &ms_pattern_engine_cpu);
    ck_assert_msg(!ms_hub_squares_find(&t.query, &t.shape, t.domains.of), "%s", others[i]);
    count_trial_free(&t);
  }
}
END_TEST

TEST_MAIN("hub_squares", TEST(counts_are_right), TEST(large_engine), TEST(which_patterns))
