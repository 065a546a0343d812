/* Lists of the nearest matches, against brute force: of all connected sets, and of all ways to pair
 * their vertices with slots. */
#include "base/threads/stop.h"
#include "run/run.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"
#include "verify/near.h"

#include <stdlib.h>
#include <string.h>

static const oracle_shape shapes[] = {
    {.min_n = 1, .max_n = 8, .min_k = 1, .max_k = 6},
    {.min_n = 3, .max_n = 9, .min_k = 2, .max_k = 6, .color_lists = true, .wildcards = true},
    {.min_n = 3, .max_n = 9, .min_k = 2, .max_k = 6, .color_lists = true, .required = true},
    {.min_n = 3, .max_n = 8, .min_k = 2, .max_k = 6, .color_lists = true, .conditions = true}};

static ms_error err;

/* A set that brute force has found. */
typedef struct found {
  uint32_t set, cost, missing; /* set: bits of vertices */
} found;

/* Compares the vertices of two sets, ascending, as words. */
static int compare_sets(uint32_t a, uint32_t b)
{
  for (; a && b; a &= a - 1, b &= b - 1)
    if (__builtin_ctz(a) != __builtin_ctz(b))
      return __builtin_ctz(a) < __builtin_ctz(b) ? -1 : 1;
  return a ? 1 : b ? -1 : 0;
}

static int compare_found(const void *a, const void *b)
{
  const found *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return compare_sets(x->set, y->set);
}

typedef struct finds {
  found *set;
  uint64_t count;
} finds;

static void keep_all(void *user, uint32_t set, uint32_t missing, uint32_t extra)
{
  finds *f = user;
  f->set[f->count++] = (found){set, missing + extra, missing};
}

/* Fills in all matches in their order; returns their number. */
static uint64_t find_by_force(const oracle_case *c, const ms_nearest_options *o, found *out)
{
  finds f = {.set = out};
  oracle_near_sets(c, o->max_missing, o->max_extra, keep_all, &f);
  if (f.count > 1)
    qsort(out, f.count, sizeof *out, compare_found);
  for (uint64_t i = 0; o->nearest_only && i < f.count; i++)
    if (out[i].cost > out[0].cost)
      return i;
  return f.count;
}

static uint32_t set_of_row(const ms_nearest_result *r, uint64_t i)
{
  uint32_t set = 0;
  for (uint64_t at = r->begin[i]; at < r->begin[i + 1]; at++) {
    ck_assert(at == r->begin[i] || r->vertex[at - 1] < r->vertex[at]);
    set |= 1u << r->vertex[at];
  }
  return set;
}

static void compare(const oracle_case *c, uint64_t seed)
{
  static found wanted[1u << ORACLE_MAX_N];
  ms_nearest_options o = {.size = sizeof(ms_nearest_options),
                          .max_missing = (uint32_t)(seed / 2 % c->k),
                          .max_extra = (uint32_t)(seed / 3 % 3),
                          .nearest_only = seed / 7 % 4 == 0,
                          .run.threads = 1 + (int)(seed / 5 % 3)};
  ms_nearest_result *r, *count, *some;
  uint64_t matches = find_by_force(c, &o, wanted);
  ck_ok(ms_list_nearest(c->query, &o, &r, &err));
  ck_assert_msg(r->matches == matches, "seed %llu: %llu matches, wanted %llu",
                (unsigned long long)seed, (unsigned long long)r->matches,
                (unsigned long long)matches);
  for (uint64_t i = 0; i < matches; i++)
    ck_assert_msg(set_of_row(r, i) == wanted[i].set && r->cost[i] == wanted[i].cost &&
                      r->missing[i] == wanted[i].missing &&
                      r->extra[i] + r->missing[i] == wanted[i].cost,
                  "seed %llu, row %llu", (unsigned long long)seed, (unsigned long long)i);
  ck_assert(r->run.stopped == MS_OK && r->k == c->k && r->n == c->n);
  o.count_only = true;
  ck_ok(ms_list_nearest(c->query, &o, &count, &err));
  ck_assert_str_eq(count->count_text, r->count_text);
  ck_assert_ptr_null(count->begin);
  ms_nearest_result_free(count);
  /* with a limit, cheaper matches come first */
  o.count_only = false;
  o.limit = 1 + seed % 9;
  ck_ok(ms_list_nearest(c->query, &o, &some, &err));
  ck_assert_uint_eq(some->matches, matches < o.limit ? matches : o.limit);
  ck_assert_int_eq(some->run.stopped, matches < o.limit ? MS_OK : MS_ERR_LIMIT);
  for (uint64_t i = 0; i < some->matches; i++)
    ck_assert_uint_eq(some->cost[i], wanted[i].cost);
  ms_nearest_result_free(some);
  ms_nearest_result_free(r);
}

/* 4,000 random cases with several colours a vertex, wildcards, conditions and required vertices, by
 * 1 to 3 threads: the rows, their order and their costs; the count; and the costs of the first rows
 * with a limit. */
START_TEST(agrees_with_brute_force)
{
  uint64_t cases = scaled(4000);
  for (uint64_t i = 0; i < cases; i++) {
    oracle_case c;
    oracle_make(&shapes[i % 4], 90000 + i, &c);
    compare(&c, i / 4);
    oracle_free(&c);
  }
}
END_TEST

static ms_status list_once(void *user, ms_error *error)
{
  ms_nearest_options options = {
      .size = sizeof(ms_nearest_options), .run.threads = 1, .max_missing = 1, .max_extra = 1};
  ms_nearest_result *result;
  ms_status status = ms_list_nearest(user, &options, &result, error);
  if (status == MS_OK) {
    ck_assert_uint_gt(result->matches, 0);
    ms_nearest_result_free(result);
  }
  return status;
}

/* Whichever allocation fails, the list reports it or ends early. */
START_TEST(every_allocation_may_fail)
{
  oracle_case c;
  const oracle_shape shape = {.min_n = 9, .max_n = 9, .min_k = 4, .max_k = 4};
  oracle_make(&shape, 5, &c);
  ck_assert_int_gt(failing_runs_survived(list_once, c.query), 10);
  oracle_free(&c);
}
END_TEST

/* Is the row among the rows of this cost? */
static bool has_row(const ms_nearest_result *r, const ms_nearest_result *part, uint64_t row)
{
  uint64_t size = part->begin[row + 1] - part->begin[row];
  for (uint64_t i = 0; i < r->matches; i++)
    if (r->cost[i] == part->cost[row] && r->begin[i + 1] - r->begin[i] == size &&
        memcmp(r->vertex + r->begin[i], part->vertex + part->begin[row],
               size * sizeof *r->vertex) == 0)
      return true;
  return false;
}

static uint64_t rows_below(const ms_nearest_result *r, uint32_t cost)
{
  uint64_t rows = 0;
  while (rows < r->matches && r->cost[rows] < cost)
    rows++;
  return rows;
}

/* A list that is stopped after any number of looks, or has too little memory, holds matches only,
 * and all that cost less than its last one. */
START_TEST(stops)
{
  larger_case c;
  uint32_t stopped = 0, full = 0,
           first = 0; /* first: has a part of the matches of the first cost */
  ms_nearest_result *whole, *r;
  ms_nearest_options o = {
      .size = sizeof(ms_nearest_options), .run.threads = 2, .max_missing = 2, .max_extra = 0};
  larger_make(8, &c);
  ck_ok(ms_list_nearest(c.query, &o, &whole, &err));
  ck_assert_uint_gt(whole->matches, 1000);
  for (uint64_t looks = 0; looks < 300; looks += looks < 150 ? 1 + looks / 10 : 1) {
    ck_ok(ms_stop_new(&o.run.stop, &err));
    o.run.memory = looks < 150 ? 0 : 10000 * (looks - 149);
    if (o.run.memory == 0)
      ms_stop_after_looks(o.run.stop, looks);
    ms_status status = ms_list_nearest(c.query, &o, &r, &err);
    ck_assert(status == MS_OK || (o.run.memory && status == MS_ERR_MEMORY));
    ms_stop_free(o.run.stop);
    if (status != MS_OK)
      continue;
    stopped += r->run.stopped == MS_ERR_LIMIT;
    full += r->run.stopped == MS_ERR_MEMORY;
    first +=
        r->run.stopped == MS_ERR_MEMORY && r->matches > 0 && r->cost[r->matches - 1] == r->cost[0];
    for (uint64_t i = 0; i < r->matches; i += 1 + i / 4)
      ck_assert(has_row(whole, r, i));
    if (r->matches > 0) {
      uint32_t last = r->cost[r->matches - 1];
      ck_assert_uint_eq(rows_below(r, last), rows_below(whole, last));
    }
    ck_assert(r->run.stopped != MS_OK || r->matches == whole->matches);
    ms_nearest_result_free(r);
  }
  ck_assert_uint_gt(stopped, 3);
  ck_assert_uint_gt(full, 0);
  ck_assert_uint_gt(first, 0);
  ms_nearest_result_free(whole);
  larger_free(&c);
}
END_TEST

static void check_refused(const ms_query *query, ms_nearest_options o, const char *word)
{
  ms_nearest_result *r = NULL;
  o.size = sizeof o;
  ck_assert_int_eq(ms_list_nearest(query, &o, &r, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(r);
  ck_assert_msg(strstr(err.message, word) != NULL, "%s", err.message);
}

START_TEST(refuses_options)
{
  oracle_case c;
  const oracle_shape shape = {.min_n = 8, .max_n = 8, .min_k = 4, .max_k = 4};
  oracle_make(&shape, 0, &c);
  check_refused(c.query, (ms_nearest_options){.max_missing = 4}, "`max_missing` is 4");
  check_refused(c.query, (ms_nearest_options){.max_extra = MS_MAX_K - 3}, "`max_extra` is 29");
  oracle_free(&c);
}
END_TEST

TEST_MAIN("nearest_list", TEST(agrees_with_brute_force), TEST(every_allocation_may_fail),
          TEST(stops), TEST(refuses_options))
