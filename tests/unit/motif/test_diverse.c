/* Matches of a motif that share no vertex, found in lists, in rows of bits and in balls, against
 * brute force and against the whole list. */
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "motif/count/count.h"
#include "motif/count/count_sets.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/larger_case.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the next searches take this way (0: the one that is chosen), states of this many bytes, and
 * the i-th instruction set.  Returns its name, or NULL if there are no more. */
static const char *set_way(int way, uint64_t bytes, unsigned i)
{
  const ms_set_counting *path = ms_set_counting_at(i);
  ms_hooks.count_way = way;
  ms_hooks.state_bytes = bytes;
  if (path)
    setenv("MOTIFSIEVE_SETS", path->name, 1);
  return path ? path->name : NULL;
}

static ms_list_options options_of(uint64_t limit, int threads)
{
  return (ms_list_options){.size = sizeof(ms_list_options),
                           .exact = true,
                           .diverse = true,
                           .limit = limit,
                           .screen = {.size = sizeof(ms_screen_options), .run.threads = threads}};
}

static ms_list_result *choose(const ms_query *query, uint64_t limit, int threads)
{
  ms_list_options options = options_of(limit, threads);
  ms_list_result *r;
  ms_error err;
  ck_ok(ms_list(query, &options, &r, &err));
  return r;
}

/* Marks the vertices of the rows in used[n], and checks that none is in two rows. */
static void mark(const ms_list_result *r, uint8_t *used)
{
  memset(used, 0, r->n);
  for (uint64_t i = 0; i < r->matches * r->k; i++) {
    ck_assert_int_eq(used[r->vertices[i]], 0);
    used[r->vertices[i]] = 1;
  }
}

/* Chooses again, and compares. */
static void choose_again(const ms_query *query, const ms_list_result *want, int threads,
                         const char *how)
{
  ms_list_result *r = choose(query, 0, threads);
  size_t bytes = r->matches * r->k * sizeof *r->vertices;
  ck_assert_msg(r->matches == want->matches &&
                    (!bytes || memcmp(r->vertices, want->vertices, bytes) == 0),
                "%s, %d threads: other rows", how, threads);
  ms_list_result_free(r);
}

/* With a limit, the rows are some of those without one. */
static void check_limit(const ms_query *query, const ms_list_result *whole, uint64_t limit)
{
  ms_list_result *r = choose(query, limit, 1);
  uint64_t at = 0;
  ck_assert_uint_eq(r->matches, limit < whole->matches ? limit : whole->matches);
  ck_assert_int_eq(r->run.stopped, limit <= whole->matches ? MS_ERR_LIMIT : MS_OK);
  for (uint64_t i = 0; i < r->matches; i++, at++) {
    while (at < whole->matches && memcmp(r->vertices + i * r->k, whole->vertices + at * r->k,
                                         r->k * sizeof *r->vertices) != 0)
      at++;
    ck_assert_uint_lt(at, whole->matches);
  }
  ms_list_result_free(r);
}

/* The rows are matches, share no vertex, and no match can be added: 1,500 random cases in every
 * way, with the same rows for each instruction set and any number of threads. */
START_TEST(agrees_with_oracle)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  uint64_t several = 0;
  for (uint64_t i = 0; i < scaled(1500); i++) {
    oracle_case c;
    char how[80];
    const char *name;
    oracle_make(&oracle_short_motifs[i % ORACLE_SHAPES], 4000 + i, &c);
    uint32_t matches = oracle_matches(&c, masks);
    for (int way = 0; way <= MS_COUNT_BALLS + 1; way++) {
      uint8_t used[ORACLE_MAX_N];
      uint32_t all = 0;
      set_way(way, 1 << 20, 0);
      ms_list_result *r = choose(c.query, 0, 1);
      ck_assert_int_eq(r->run.stopped, MS_OK);
      mark(r, used);
      for (uint32_t v = 0; v < c.n; v++)
        all |= (uint32_t)used[v] << v;
      for (uint64_t row = 0; row < r->matches; row++) {
        uint32_t set = 0, at = 0;
        for (uint32_t j = 0; j < r->k; j++)
          set |= 1u << r->vertices[row * r->k + j];
        while (at < matches && masks[at] != set)
          at++;
        ck_assert_uint_lt(at, matches);
      }
      for (uint32_t m = 0; m < matches; m++)
        ck_assert_uint_ne(masks[m] & all, 0);
      several += r->matches > 2;
      check_limit(c.query, r, 1 + i % 3);
      for (unsigned p = 0; (name = set_way(way, i % 2 ? 1 << 20 : i % 4 ? 4000 : 0, p)); p++) {
        snprintf(how, sizeof how, "case %llu, way %d, %s", (unsigned long long)i, way, name);
        choose_again(c.query, r, 1 + (int)(i % 4), how);
      }
      ms_list_result_free(r);
    }
    oracle_free(&c);
  }
  ck_assert_uint_ge(several + 2, scaled(100)); /* few cases may have none */
}
END_TEST

/* True if each row of the list shares a vertex with a marked one; an ms_list_rows_fn. */
typedef struct touching {
  const uint8_t *used;
  uint32_t k;
  uint64_t rows;
} touching;

static bool touch(void *user, const uint32_t *rows, uint64_t count)
{
  touching *t = user;
  for (uint64_t i = 0; i < count; i++, t->rows++) {
    uint32_t j = 0;
    while (j < t->k && !t->used[rows[i * t->k + j]])
      j++;
    ck_assert_uint_lt(j, t->k);
  }
  return true;
}

/* The same in graphs whose balls have from a few to too many vertices: 40 random cases, whose first
 * 200,000 matches are compared. */
START_TEST(agrees_with_lists)
{
  uint64_t most = 0;
  for (uint64_t i = 0; i < scaled(40); i++) {
    larger_case c;
    char how[80];
    const char *name;
    larger_make(i, &c);
    for (int way = 0; way <= MS_COUNT_BALLS + 1; way++) {
      set_way(way, 1 << 20, 0);
      ms_list_result *r = choose(c.query, 0, 1), *all;
      ms_error err;
      uint8_t *used = calloc(r->n, 1);
      mark(r, used);
      touching t = {used, r->k, 0};
      ms_list_options whole = options_of(200000, 2);
      whole.diverse = false;
      whole.rows = touch;
      whole.rows_user = &t;
      ck_ok(ms_list(c.query, &whole, &all, &err));
      ms_list_result_free(all);
      most = r->matches > most ? r->matches : most;
      check_limit(c.query, r, 2);
      for (unsigned p = 0; (name = set_way(way, i % 5 ? 1 << 20 : 20000, p)); p++) {
        snprintf(how, sizeof how, "case %llu, way %d, %s", (unsigned long long)i, way, name);
        choose_again(c.query, r, 1 + (int)p, how);
      }
      free(used);
      ms_list_result_free(r);
    }
    larger_free(&c);
  }
  ck_assert_uint_gt(most, 10);
}
END_TEST

/* A search that is stopped after any number of looks has rows that share no vertex. */
START_TEST(a_stopped_search_has_rows)
{
  larger_case c;
  ms_error err;
  uint64_t stopped = 0;
  uint8_t used[1024];
  larger_make(8, &c);
  for (int way = 1; way <= MS_COUNT_BALLS + 1; way++)
    for (uint64_t looks = 0; looks < 60; looks++) {
      ms_list_options options = options_of(0, 1);
      ms_list_result *r;
      ck_ok(ms_stop_new(&options.screen.run.stop, &err));
      ms_stop_after_looks(options.screen.run.stop, looks);
      set_way(way, 1 << 20, 0);
      ck_ok(ms_list(c.query, &options, &r, &err));
      ck_assert_uint_le(r->n, sizeof used);
      mark(r, used);
      stopped += r->run.stopped == MS_ERR_LIMIT && r->regions > 0;
      ms_list_result_free(r);
      ms_stop_free(options.screen.run.stop);
    }
  ck_assert_uint_gt(stopped, 6);
  larger_free(&c);
}
END_TEST

static ms_status choose_once(void *user, ms_error *err)
{
  ms_list_options options = options_of(0, 1);
  ms_list_result *result;
  ms_status status = ms_list(user, &options, &result, err);
  if (status == MS_OK) {
    ck_assert_uint_gt(result->matches, 0);
    ms_list_result_free(result);
  }
  return status;
}

/* Whichever allocation fails, the search reports it or does without, in each way. */
START_TEST(every_allocation_may_fail)
{
  larger_case c;
  larger_make(3, &c);
  for (int way = 1; way <= MS_COUNT_BALLS + 1; way++) {
    set_way(way, 1 << 16, 0);
    ck_assert_int_gt(failing_runs_survived(choose_once, c.query), 10);
  }
  larger_free(&c);
}
END_TEST

/* Options that it cannot honour are refused. */
START_TEST(refusals)
{
  oracle_case c;
  ms_list_result *result;
  ms_error err;
  oracle_make(&oracle_short_motifs[0], 1, &c);
  for (int i = 0; i < 3; i++) {
    ms_list_options o = options_of(0, 1);
    o.count_only = i == 0;
    o.sample = i == 1;
    o.exact = i != 2;
    ck_assert_int_eq(ms_list(c.query, &o, &result, &err), MS_ERR_USAGE);
    ck_assert_ptr_null(result);
    ck_assert_ptr_nonnull(strstr(err.message, "`diverse`"));
  }
  oracle_free(&c);
}
END_TEST

TEST_MAIN("diverse", TEST(agrees_with_oracle), TEST(agrees_with_lists),
          TEST(a_stopped_search_has_rows), TEST(every_allocation_may_fail), TEST(refusals))
