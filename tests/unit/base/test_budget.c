/* The memory budget (base/budget.h), and that the runs of all kinds of queries stay below the bound
 * and give everything back. */
#include "base/alloc.h"
#include "base/budget.h"
#include "run/match/typed.h"
#include "run/run.h"
#include "tests/support/search/typed_cases.h"
#include "tests/support/test_main.h"

#include <pthread.h>
#include <stdlib.h>

#define KIB UINT64_C(1024)

/* Reservations are granted exactly up to the bound, a refusal takes nothing, and a release gives
 * back what was reserved, step by step on a budget of 100 bytes. */
START_TEST(reserves_up_to_the_bound)
{
  ms_budget budget;
  ms_budget_open(&budget, 100);
  ck_assert_uint_eq(budget.bound, 100);
  ck_assert_uint_eq(ms_budget_left(&budget), 100);
  ck_assert(ms_budget_reserve(&budget, 60));
  ck_assert(!ms_budget_reserve(&budget, 41));
  ck_assert_uint_eq(ms_budget_left(&budget), 40); /* a refusal takes nothing */
  ck_assert(!ms_budget_reserve(&budget, UINT64_MAX));
  ck_assert(!ms_budget_reserve(&budget, UINT64_MAX - 59)); /* the sum would wrap to 0 */
  ck_assert(ms_budget_reserve(&budget, 40));
  ck_assert(ms_budget_reserve(&budget, 0));
  ck_assert(!ms_budget_reserve(&budget, 1));
  ms_budget_release(&budget, 60);
  ck_assert_uint_eq(ms_budget_left(&budget), 60);
  ck_assert(ms_budget_reserve(&budget, 1));
  ms_budget_release(&budget, 41);
  ck_assert_uint_eq(ms_budget_left(&budget), 100);
  ck_assert_uint_eq(budget.peak, 100);
}
END_TEST

/* A bound of 0 is the default one, and without a budget everything is granted. */
START_TEST(no_bound_and_the_default)
{
  ms_budget budget;
  ms_budget_open(&budget, 0);
  ck_assert_uint_eq(budget.bound, ms_memory_bound(0));
  ck_assert(ms_budget_reserve(NULL, UINT64_MAX));
  ck_assert_uint_eq(ms_budget_left(NULL), UINT64_MAX);
  ms_budget_release(NULL, 1);
}
END_TEST

typedef struct sharing {
  ms_budget budget;
  _Atomic uint64_t held, most, refused, granted;
} sharing;

static void *take_turns(void *user)
{
  enum { TURNS = 20000 };
  static _Atomic uint32_t threads = 0;
  sharing *s = user;
  uint32_t random = 7919u * ++threads;
  for (int turn = 0; turn < TURNS; turn++) {
    random = random * 1664525u + 1013904223u;
    uint64_t bytes = random >> 22; /* up to 1023 */
    if (!ms_budget_reserve(&s->budget, bytes)) {
      s->refused++;
      continue;
    }
    uint64_t now = atomic_fetch_add(&s->held, bytes) + bytes, before = s->most;
    while (before < now && !atomic_compare_exchange_weak(&s->most, &before, now))
      continue;
    s->granted++;
    s->held -= bytes;
    ms_budget_release(&s->budget, bytes);
  }
  return NULL;
}

/* What eight threads hold together, by a sum that they keep apart, never exceeds the bound, and all
 * of it comes back: 20,000 requests each. */
START_TEST(threads_share_it)
{
  enum { THREADS = 8, BOUND = 1000 };
  pthread_t thread[THREADS];
  sharing s = {.held = 0};
  ms_budget_open(&s.budget, BOUND);
  for (int i = 0; i < THREADS; i++)
    ck_assert_int_eq(pthread_create(&thread[i], NULL, take_turns, &s), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(thread[i], NULL);
  ck_assert_uint_le(s.most, BOUND);
  ck_assert_uint_le(s.budget.peak, BOUND);
  ck_assert_uint_ge(s.budget.peak, s.most);
  ck_assert_uint_gt(s.granted, 0);
  ck_assert_uint_gt(s.refused, 0); /* sizes above the bound, at least */
  ck_assert_uint_eq(ms_budget_left(&s.budget), BOUND);
}
END_TEST

/* ---- runs ------------------------------------------------------------------- */

/* Checks what every run leaves behind, whether it succeeded or not. */
static void check_kept(const ms_budget *budget)
{
  ck_assert_uint_gt(budget->peak, 0);
  ck_assert_uint_le(budget->peak, budget->bound);
  ck_assert_uint_eq(budget->reserved, 0);
}

#define N 40u

/* A clique of N vertices, as many of each of the first colours. */
static void make_clique(uint32_t n_colors, ms_graph **graph, ms_coloring **coloring)
{
  static uint32_t edge[N * (N - 1) / 2][2], pair[N][2];
  static const char *const colors[] = {"a", "b", "c", "d", "e", "f", "g"};
  uint32_t m = 0;
  for (uint32_t v = 0; v < N; v++) {
    for (uint32_t w = 0; w < v; w++, m++) {
      edge[m][0] = v;
      edge[m][1] = w;
    }
    pair[v][0] = v;
    pair[v][1] = v % n_colors;
  }
  ck_assert_int_eq(ms_graph_from_edges(N, m, (const uint32_t(*)[2])edge, NULL, graph, NULL), MS_OK);
  ck_assert_int_eq(ms_coloring_from_pairs(*graph, N, (const uint32_t(*)[2])pair, n_colors, colors,
                                          coloring, NULL),
                   MS_OK);
}

/* A listing of C(20, 2)^2 = 36,100 motif matches behind the sieve finds them all, or some and says
 * that memory ended it, or is refused for memory, and keeps to its bound: five bounds from 8 KiB to
 * 16 MiB, by 1 and 3 threads. */
START_TEST(a_motif_listing)
{
  static const uint64_t bounds[] = {8 * KIB, 128 * KIB, 512 * KIB, 1 << 20, 16 << 20};
  unsigned done = 0, refused = 0;
  ms_graph *graph;
  ms_coloring *coloring;
  ms_motif *motif;
  ms_query *query;
  make_clique(2, &graph, &coloring);
  ck_assert_int_eq(ms_motif_parse("a:2,b:2", coloring, &motif, NULL), MS_OK);
  ck_assert_int_eq(ms_query_new(graph, coloring, motif, 0, NULL, &query, NULL), MS_OK);
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    for (int threads = 1; threads <= 3; threads += 2) {
      ms_list_options o = {
          .size = sizeof(ms_list_options),
          .screen = {.size = sizeof(ms_screen_options), .run.seed = 1, .run.threads = threads}};
      ms_list_result *result = NULL;
      ms_error err;
      ms_budget budget;
      ms_budget_open(&budget, bounds[i]);
      ms_status status = ms_list_within(query, &o, &budget, &result, &err);
      if (i > 0) /* else not even the sieve may have begun */
        check_kept(&budget);
      bool part = status == MS_OK && result->run.stopped == MS_ERR_MEMORY;
      ck_assert_msg(status == MS_OK ? part || result->matches == 36100 : status == MS_ERR_MEMORY,
                    "%s", err.message);
      done += status == MS_OK && !part;
      refused += status == MS_ERR_MEMORY;
      ms_list_result_free(result);
    }
  ck_assert_uint_gt(done, 0);
  ck_assert_uint_gt(refused, 0);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

static bool swallow(void *user, const uint32_t *rows, uint64_t count)
{
  (void)rows;
  *(uint64_t *)user += count;
  return true;
}

/* A listing of 40 * 39 * 38 = 59,280 paths keeps to its bound: stored, it has as many as
 * find room, or is refused where none does; a receiver gets them under each of four bounds from 4
 * KiB to 4 MiB. */
START_TEST(a_pattern_listing)
{
  static const uint64_t bounds[] = {4 * KIB, 64 * KIB, 600 * KIB, 4 << 20};
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *pattern;
  ms_pattern_index *index;
  make_clique(2, &graph, &coloring);
  ck_assert_int_eq(ms_pattern_named("path:3", &pattern, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, NULL), MS_OK);
  for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
    for (int receives = 0; receives < 2; receives++) {
      uint64_t received = 0;
      ms_pattern_options o = {.size = sizeof(ms_pattern_options),
                              .embeddings = true,
                              .screen = {.size = sizeof(ms_screen_options), .run.threads = 3},
                              .rows = receives ? swallow : NULL,
                              .rows_user = &received};
      ms_pattern_result *result = NULL;
      ms_error err;
      ms_budget budget;
      ms_budget_open(&budget, bounds[i]);
      ms_status status = ms_pattern_list_within(index, pattern, &o, &budget, NULL, &result, &err);
      check_kept(&budget);
      bool whole = receives || i == 3;
      ck_assert(whole ? status == MS_OK : status == MS_OK || i == 0);
      if (status == MS_OK) {
        ck_assert_int_eq(result->run.stopped, whole ? MS_OK : MS_ERR_MEMORY);
        ck_assert(whole ? result->matches == 59280 : result->matches > 0);
        ck_assert_uint_le(result->matches * 12, receives ? UINT64_MAX : bounds[i]);
      }
      ck_assert_uint_eq(received, receives ? 59280 : 0);
      ms_pattern_result_free(result);
    }
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* A count by factors keeps to its bound and is the same under each of five bounds from 1 byte to
 * 16 MiB. */
START_TEST(a_count_that_remembers)
{
  const char *const color[] = {"a", "b", "c", "d", "e", "f", "g"};
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}};
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern *pattern;
  ms_pattern_index *index;
  char counted[64] = "";
  uint64_t peak = 0;
  make_clique(7, &graph, &coloring);
  ck_assert_int_eq(ms_pattern_from_edges(7, 6, edges, false, color, &pattern, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &index, NULL), MS_OK);
  for (uint64_t bound = 1; bound <= 64 << 20; bound *= 64) {
    ms_pattern_options o = {.size = sizeof(ms_pattern_options),
                            .count_only = true,
                            .screen_mode = MS_SCREEN_NEVER,
                            .screen = {.size = sizeof(ms_screen_options), .run.threads = 1}};
    ms_pattern_result *result;
    ms_budget budget;
    ms_budget_open(&budget, bound);
    ck_assert_int_eq(ms_pattern_list_within(index, pattern, &o, &budget, NULL, &result, NULL),
                     MS_OK);
    ck_assert_uint_le(budget.peak, bound);
    ck_assert_uint_eq(budget.reserved, 0);
    ck_assert(!*counted || strcmp(counted, result->count_text) == 0);
    strncpy(counted, result->count_text, sizeof counted - 1);
    peak = budget.peak;
    ms_pattern_result_free(result);
  }
  ck_assert_uint_gt(peak, 0);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* A typed listing has the matches of plain trial, or some of them and says that memory ended it, or
 * is refused for memory where there is none for a match, and keeps to its bound: 300 random cases
 * under ten bounds. */
START_TEST(typed_listings)
{
  unsigned done = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    typed_case c;
    typed_case_make(&c, seed, 9, 5);
    typed_case_solve(&c);
    ms_typed_match_options o = {.size = sizeof(ms_typed_match_options),
                                .embeddings = true,
                                .run.threads = 1 + (int)(seed % 3)};
    ms_typed_result *result = NULL;
    ms_budget budget;
    ms_budget_open(&budget, UINT64_C(64) << seed % 10);
    ms_status status = ms_typed_match_part(c.query, &o, NULL, &budget, &result, NULL);
    ck_assert_uint_le(budget.peak, budget.bound);
    ck_assert_uint_eq(budget.reserved, 0);
    bool part = status == MS_OK && result->run.stopped == MS_ERR_MEMORY;
    ck_assert(status == MS_OK ? part || result->matches == c.maps : status == MS_ERR_MEMORY);
    ck_assert(!part || (result->matches > 0 && result->matches < c.maps));
    done += status == MS_OK && !part && c.maps > 0;
    refused += status == MS_ERR_MEMORY;
    ms_typed_result_free(result);
    typed_case_free(&c);
  }
  ck_assert_uint_gt(done, 0);
  ck_assert_uint_gt(refused, 0);
}
END_TEST

TEST_MAIN("budget", TIME_LIMIT(120), TEST(reserves_up_to_the_bound), TEST(no_bound_and_the_default),
          TEST(threads_share_it), TEST(a_motif_listing), TEST(a_pattern_listing),
          TEST(a_count_that_remembers), TEST(typed_listings))
