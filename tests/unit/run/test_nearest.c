/* Screens for the nearest match of each vertex, against brute force: of all connected sets, and of
 * all ways to pair their vertices with slots. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "motif/count/count.h"
#include "run/run.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <string.h>

static const oracle_shape shapes[] = {
    {.min_n = 1, .max_n = 9, .min_k = 1, .max_k = 6},
    {.min_n = 3, .max_n = 10, .min_k = 2, .max_k = 6, .color_lists = true, .wildcards = true},
    {.min_n = 3, .max_n = 9, .min_k = 2, .max_k = 6, .color_lists = true, .conditions = true},
    {.min_n = 3, .max_n = 9, .min_k = 2, .max_k = 6, .color_lists = true, .required = true}};

static ms_error err;

/* What brute force says of one vertex: the least cost, and of this cost the fewest empty slots. */
typedef struct nearest {
  bool found;
  uint32_t cost, missing;
} nearest;

static void keep_least(void *user, uint32_t set, uint32_t missing, uint32_t extra)
{
  nearest *of = user;
  for (uint32_t left = set; left; left &= left - 1) {
    nearest *at = &of[__builtin_ctz(left)];
    uint32_t cost = missing + extra;
    if (!at->found || cost < at->cost || (cost == at->cost && missing < at->missing))
      *at = (nearest){true, cost, missing};
  }
}

static void compare(const oracle_case *c, uint64_t seed, ms_screen_method method, int threads)
{
  nearest wanted[ORACLE_MAX_N];
  ms_screen_options o = {.size = sizeof(ms_screen_options),
                         .method = method,
                         .run.threads = threads,
                         .error = method == MS_METHOD_SIEVE ? 1e-12 : 0,
                         .max_missing = (uint32_t)(seed / 2 % c->k),
                         .max_extra = (uint32_t)(seed / 3 % 3)};
  ms_screen_result *r;
  memset(wanted, 0, sizeof wanted);
  oracle_near_sets(c, o.max_missing, o.max_extra, keep_least, wanted);
  ck_ok(ms_screen(c->query, &o, &r, &err));
  for (uint32_t v = 0; v < c->n; v++) {
    ck_assert_msg((r->hits[v] > 0) == wanted[v].found, "seed %llu, vertex %u: %sflagged",
                  (unsigned long long)seed, v, r->hits[v] ? "" : "not ");
    if (!wanted[v].found || !r->missing)
      continue;
    ck_assert_msg(r->missing[v] == wanted[v].missing &&
                      r->missing[v] + r->extra[v] == wanted[v].cost,
                  "seed %llu, vertex %u: %u and %u, wanted %u of %u", (unsigned long long)seed, v,
                  r->missing[v], r->extra[v], wanted[v].missing, wanted[v].cost);
  }
  ck_assert_int_eq(r->missing != NULL, o.max_missing > 0 || o.max_extra > 0);
  ck_assert(r->k == c->k && r->run.stopped == MS_OK);
  ck_assert(!r->exact || r->miss_bound == 0);
  ms_screen_result_free(r);
}

/* 4,000 random cases, some with required vertices, by each method and by 1 to 3 threads; the sieve
 * misses a vertex with a chance below 1e-12. */
START_TEST(agrees_with_brute_force)
{
  uint64_t cases = scaled(4000);
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    oracle_make(&shapes[i % 4], 70000 + i, &c);
    ms_hooks.count_way = (int)(i / 4 % (MS_COUNT_BALLS + 2));
    compare(&c, i, (ms_screen_method)(i / 4 % 3), 1 + (int)(i / 12 % 3));
    oracle_free(&c);
  }
}
END_TEST

static ms_status screen_once(void *user, ms_error *error)
{
  ms_screen_options options = {.size = sizeof(ms_screen_options),
                               .method = MS_METHOD_EXACT,
                               .run.threads = 1,
                               .max_missing = 1,
                               .max_extra = 1};
  ms_screen_result *result;
  ms_status status = ms_screen(user, &options, &result, error);
  if (status == MS_OK) {
    ck_assert_uint_gt(result->flagged, 0);
    ms_screen_result_free(result);
  }
  return status;
}

/* Whichever allocation fails, the screen reports it or does without. */
START_TEST(every_allocation_may_fail)
{
  larger_case c;
  larger_make(3, &c);
  ck_assert_int_gt(failing_runs_survived(screen_once, c.query), 10);
  larger_free(&c);
}
END_TEST

/* A screen that is stopped after any number of looks states no cost that is not the least. */
START_TEST(stops)
{
  larger_case c;
  uint32_t stopped = 0;
  ms_screen_result *whole, *r;
  ms_screen_options o = {.size = sizeof(ms_screen_options),
                         .method = MS_METHOD_EXACT,
                         .run.threads = 2,
                         .max_missing = 1,
                         .max_extra = 1};
  larger_make(8, &c);
  ck_ok(ms_screen(c.query, &o, &whole, &err));
  for (uint64_t looks = 0; looks < 200; looks += 1 + looks / 20) {
    ck_ok(ms_stop_new(&o.run.stop, &err));
    ms_stop_after_looks(o.run.stop, looks);
    ck_ok(ms_screen(c.query, &o, &r, &err));
    for (uint32_t v = 0; v < r->n; v++) {
      ck_assert(!r->hits[v] || whole->hits[v]);
      ck_assert(!r->hits[v] ||
                (r->missing[v] == whole->missing[v] && r->extra[v] == whole->extra[v]));
    }
    ck_assert(r->run.stopped == MS_ERR_LIMIT || r->flagged == whole->flagged);
    ck_assert(r->run.stopped == MS_OK || r->miss_bound == 1);
    stopped += r->run.stopped != MS_OK;
    ms_screen_result_free(r);
    ms_stop_free(o.run.stop);
  }
  ck_assert_uint_gt(stopped, 10);
  ms_screen_result_free(whole);
  larger_free(&c);
}
END_TEST

static void check_refused(const ms_query *query, ms_screen_options o, const char *word)
{
  ms_screen_result *r = NULL;
  o.size = sizeof o;
  ck_assert_int_eq(ms_screen(query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(r);
  ck_assert_msg(strstr(err.message, word) != NULL, "%s", err.message);
}

START_TEST(refuses_options)
{
  oracle_case c;
  ms_list_result *list = NULL;
  const oracle_shape shape = {.min_n = 8, .max_n = 8, .min_k = 4, .max_k = 4, .required = true};
  oracle_make(&shape, 0, &c);
  for (uint64_t seed = 1; c.query->n_required == 0; seed++) {
    oracle_free(&c);
    oracle_make(&shape, seed, &c);
  }
  check_refused(c.query, (ms_screen_options){.max_missing = 4}, "`max_missing` is 4");
  check_refused(c.query, (ms_screen_options){.max_extra = MS_MAX_K - 3}, "`max_extra` is 29");
  check_refused(c.query, (ms_screen_options){.max_extra = 1, .match_size = 4}, "`match_size`");
  ms_list_options lists = MS_LIST_OPTIONS_DEFAULT;
  lists.screen.max_extra = 1;
  ck_assert_int_eq(ms_list(c.query, &lists, &list, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "`max_extra`"));
  oracle_free(&c);
}
END_TEST

TEST_MAIN("nearest", TEST(agrees_with_brute_force), TEST(every_allocation_may_fail), TEST(stops),
          TEST(refuses_options))
