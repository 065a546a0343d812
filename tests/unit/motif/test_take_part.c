/* Screens of motifs by enumeration: in lists, in rows of bits and in balls, by each instruction
 * set, against brute force and against the sieve; and what happens where it takes too long. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "motif/count/count.h"
#include "motif/count/count_sets.h"
#include "run/run.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

static ms_error err;

static ms_screen_result *screen_of(const ms_query *query, uint32_t match_size,
                                   ms_screen_method method, int threads, ms_stop *stop)
{
  ms_screen_options options = {.size = sizeof(ms_screen_options),
                               .method = method,
                               .match_size = match_size,
                               .run.threads = threads,
                               .run.stop = stop,
                               .error = method == MS_METHOD_EXACT ? 0 : 1e-12};
  ms_screen_result *result;
  ck_ok(ms_screen(query, &options, &result, &err));
  return result;
}

static ms_screen_result *screen(const ms_query *query, ms_screen_method method, int threads,
                                ms_stop *stop)
{
  return screen_of(query, 0, method, threads, stop);
}

/* Each way flags the vertices that brute force finds, by every instruction set, whether states are
 * kept or not: 900 random cases by 1 to 3 threads. */
START_TEST(agrees_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t cases = scaled(900), flags = 0;
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    uint16_t wanted = 0;
    oracle_make(&oracle_long_motifs[i % ORACLE_SHAPES], 30000 + i, &c);
    uint32_t matches = oracle_matches(&c, masks);
    for (uint32_t m = 0; m < matches; m++)
      wanted = (uint16_t)(wanted | masks[m]);
    const ms_set_counting *path;
    for (int way = 0; way <= MS_COUNT_BALLS + 1; way++)
      for (unsigned p = 0; (path = ms_set_counting_at(p)); p++) {
        ms_hooks.count_way = way;
        ms_hooks.state_bytes = i % 2 ? 1 << 20 : i % 4 ? 4000 : 0;
        setenv("MOTIFSIEVE_SETS", path->name, 1);
        ms_screen_result *r = screen(c.query, MS_METHOD_EXACT, 1 + (int)(i % 3), NULL);
        uint16_t got = 0;
        for (uint32_t v = 0; v < c.n; v++)
          got = (uint16_t)(got | (r->hits[v] > 0) << v);
        ck_assert_msg(got == wanted, "seed %llu, way %d, %s: flags %x, wanted %x",
                      (unsigned long long)(30000 + i), way, path->name, got, wanted);
        ck_assert_uint_eq(r->flagged, (uint32_t)__builtin_popcount(wanted));
        ck_assert(r->exact && r->miss_bound == 0 && r->run.stopped == MS_OK && r->repetitions == 0);
        ck_assert_uint_eq(r->settled, r->vertices_kept);
        flags += r->flagged;
        ms_screen_result_free(r);
      }
    oracle_free(&c);
  }
  ck_assert_uint_gt(flags, cases);
}
END_TEST

/* The same for matches of fewer vertices than slots: 900 random cases, each method. */
START_TEST(fewer_vertices_than_slots)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t cases = scaled(900), flags = 0, unflagged = 0;
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    uint16_t wanted = 0;
    oracle_make(&oracle_long_motifs[i % 2], 50000 + i, &c); /* without required vertices */
    uint32_t size = 1 + (uint32_t)(i / 2 % c.k), matches = oracle_matches_of(&c, size, masks);
    for (uint32_t m = 0; m < matches; m++)
      wanted = (uint16_t)(wanted | masks[m]);
    for (int way = 0; way <= MS_COUNT_BALLS + 1; way++) {
      ms_hooks.count_way = way;
      ms_hooks.state_bytes = i % 2 ? 1 << 20 : i % 4 ? 4000 : 0;
      ms_screen_result *r = screen_of(c.query, size, way % 2 ? MS_METHOD_EXACT : MS_METHOD_AUTO,
                                      1 + (int)(i % 3), NULL);
      uint16_t got = 0;
      for (uint32_t v = 0; v < c.n; v++)
        got = (uint16_t)(got | (r->hits[v] > 0) << v);
      ck_assert_msg(got == wanted, "seed %llu, way %d, size %u of %u: flags %x, wanted %x",
                    (unsigned long long)(50000 + i), way, size, c.k, got, wanted);
      ck_assert(r->exact && r->miss_bound == 0 && r->settled == r->vertices_kept);
      flags += r->flagged;
      unflagged += c.n - r->flagged;
      ms_screen_result_free(r);
    }
    oracle_free(&c);
  }
  ck_assert_uint_gt(flags, cases);
  ck_assert_uint_gt(unflagged, cases);
}
END_TEST

/* Each way flags the vertices that the sieve flags, in larger graphs: 66 random cases, every third
 * of them of matches that leave a slot empty. */
START_TEST(agrees_with_the_sieve)
{
  uint64_t cases = scaled(66), some = 0;
  for (uint64_t i = 0; i < cases; i++) {
    larger_case c;
    larger_make(i, &c);
    uint32_t k = ms_motif_size(c.motif);
    uint32_t size = i % 3 == 2 && k > 1 && c.query->n_required == 0 ? k - 1 : k;
    ms_screen_result *wanted = screen_of(c.query, size, MS_METHOD_SIEVE, 2, NULL);
    some += wanted->flagged > 0 && wanted->flagged < wanted->vertices_kept;
    for (int way = 0; way <= MS_COUNT_BALLS + 1; way++) {
      ms_hooks.count_way = way;
      ms_screen_result *r = screen_of(c.query, size, MS_METHOD_EXACT, 1 + (int)(i % 3), NULL);
      for (uint32_t v = 0; v < r->n; v++)
        ck_assert_msg((r->hits[v] > 0) == (wanted->hits[v] > 0),
                      "case %llu, way %d: vertex %u is %sflagged", (unsigned long long)i, way, v,
                      r->hits[v] ? "" : "not ");
      ms_screen_result_free(r);
    }
    ms_screen_result_free(wanted);
    larger_free(&c);
  }
  ck_assert(cases < 66 || some > 0);
}
END_TEST

/* Where enumeration takes too long, the sieve goes on, and its flags are all there is; how much
 * work is too much does not depend on the threads: 20 bounds of the work, three ways. */
START_TEST(gives_up)
{
  larger_case c;
  uint32_t exact = 0, sieved = 0;
  larger_make(8, &c);
  ms_screen_result *wanted = screen(c.query, MS_METHOD_SIEVE, 2, NULL);
  for (int way = 1; way <= MS_COUNT_BALLS + 1; way++) {
    ms_hooks.count_way = way;
    for (int i = 0; i < 20; i++) {
      bool first = false;
      ms_hooks.exact_work = 1 << i;
      ms_hooks.exact_products_per_word = 1e30; /* the sieve seems to take no time */
      ms_hooks.exact_words_per_step = 0;
      for (int threads = 1; threads <= 3; threads++) {
        ms_screen_result *r = screen(c.query, MS_METHOD_AUTO, threads, NULL);
        first = threads == 1 ? r->exact : first;
        ck_assert_int_eq(r->exact, first);
        ck_assert_uint_eq(r->flagged, wanted->flagged);
        for (uint32_t v = 0; v < r->n; v++)
          ck_assert_int_eq(r->hits[v] > 0, wanted->hits[v] > 0);
        ck_assert_int_eq(r->repetitions == 0, r->exact);
        exact += r->exact;
        sieved += !r->exact;
        ms_screen_result_free(r);
      }
    }
  }
  ck_assert_uint_gt(exact, 10);
  ck_assert_uint_gt(sieved, 10);
  ms_screen_result_free(wanted);
  larger_free(&c);
}
END_TEST

/* A screen that is stopped after any number of looks has right flags, and says so. */
START_TEST(stops)
{
  larger_case c;
  uint32_t stopped = 0;
  larger_make(8, &c);
  ms_screen_result *whole = screen(c.query, MS_METHOD_EXACT, 2, NULL);
  for (int way = 1; way <= MS_COUNT_BALLS + 1; way++)
    for (uint64_t looks = 0; looks < 60; looks++) {
      ms_stop *stop;
      ms_hooks.count_way = way;
      ck_ok(ms_stop_new(&stop, &err));
      ms_stop_after_looks(stop, looks);
      ms_screen_result *r = screen(c.query, MS_METHOD_EXACT, 2, stop);
      for (uint32_t v = 0; v < r->n; v++)
        ck_assert(!r->hits[v] || whole->hits[v]);
      ck_assert(r->run.stopped == MS_ERR_LIMIT || r->flagged == whole->flagged);
      ck_assert(r->run.stopped == MS_OK || r->miss_bound == 1);
      stopped += r->run.stopped != MS_OK && r->exact;
      ms_screen_result_free(r);
      ms_stop_free(stop);
    }
  ck_assert_uint_gt(stopped, 10);
  ms_screen_result_free(whole);
  larger_free(&c);
}
END_TEST

static ms_status screen_once(void *user, ms_error *error)
{
  ms_screen_options options = {
      .size = sizeof(ms_screen_options), .method = MS_METHOD_EXACT, .run.threads = 1};
  ms_screen_result *result;
  ms_status status = ms_screen(user, &options, &result, error);
  if (status == MS_OK) {
    ck_assert_uint_gt(result->flagged, 0);
    ms_screen_result_free(result);
  }
  return status;
}

/* Whichever allocation fails, a screen reports it or does without. */
START_TEST(every_allocation_may_fail)
{
  larger_case c;
  larger_make(3, &c);
  for (int way = 1; way <= MS_COUNT_BALLS + 1; way++) {
    ms_hooks.count_way = way;
    ms_hooks.state_bytes = 1 << 16;
    ck_assert_int_gt(failing_runs_survived(screen_once, c.query), 10);
  }
  larger_free(&c);
}
END_TEST

/* Options that only the sieve has are refused. */
START_TEST(refuses_options_of_the_sieve)
{
  larger_case c;
  ms_screen_result *result;
  larger_make(3, &c);
  ms_screen_options options = {
      .size = sizeof(ms_screen_options), .method = MS_METHOD_EXACT, .repetitions = 3};
  ck_assert_int_eq(ms_screen(c.query, &options, &result, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`repetitions`"));
  options.repetitions = 0;
  options.error = 0.1;
  ck_assert_int_eq(ms_screen(c.query, &options, &result, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`error`"));
  options.method = MS_METHOD_AUTO;
  ck_ok(ms_screen(c.query, &options, &result, &err));
  ms_screen_result_free(result);
  larger_free(&c);
}
END_TEST

TEST_MAIN("take_part", TEST(agrees_with_oracle), TEST(fewer_vertices_than_slots),
          TEST(agrees_with_the_sieve), TEST(gives_up), TEST(stops), TEST(every_allocation_may_fail),
          TEST(refuses_options_of_the_sieve))
