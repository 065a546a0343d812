/* Counts of 4-cycles with vertices that are adjacent to both ends of one edge
 * (match/count/edge_product.h) against searches, and against numbers known by formula: random
 * graphs with hubs, several threads; which patterns are counted so; stops; a budget that is too
 * small. */
#include "base/budget.h"
#include "base/hooks.h"
#include "match/count/count.h"
#include "match/count/edge_product.h"
#include "match/engine.h"
#include "tests/support/search/count_trial.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { CASES = 400, MOST_VERTICES = 60, MOST_EDGES = 500, MOST_ROOFS = 3 };

/* Returns the square 0-1-2-3 with so many vertices next to 0 and 1. */
static ms_pattern *house_of(uint32_t roofs)
{
  uint32_t edge[4 + 2 * MOST_ROOFS][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}}, m = 4;
  ms_pattern *pattern;
  for (uint32_t roof = 4; roof < 4 + roofs; roof++)
    for (uint32_t end = 0; end < 2; end++, m++) {
      edge[m][0] = end;
      edge[m][1] = roof;
    }
  ck_assert_int_eq(
      ms_pattern_from_edges(4 + roofs, m, (const uint32_t(*)[2])edge, false, NULL, &pattern, NULL),
      MS_OK);
  return pattern;
}

/* Counts with the weight of edge products, and returns the status. */
static ms_status count(count_trial *t, double weight, mpz_t maps, ms_error *err)
{
  ms_hooks.probe_steps = -1;
  ms_hooks.count_edge_weight = weight;
  ms_status status = ms_count_maps(&t->query, &t->shape, maps, err);
  ms_hooks = ms_hooks_default;
  return status;
}

static bool is_counted_so(const count_trial *t)
{
  ms_edge_product product;
  return ms_edge_product_find(&t->query, &t->shape, t->domains.of, &product);
}

/* ---- counts ------------------------------------------------------------------------------ */

/* Houses with one to three roofs have as many maps by edges as by a search.  In most cases no
 * domain was filtered, so that they are counted by edges indeed. */
START_TEST(counts_are_right)
{
  uint32_t found = 0, by_edges = 0, cases = (uint32_t)scaled(CASES);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    count_trial t;
    uint64_t state = seed;
    mpz_t maps, expected;
    mpz_inits(maps, expected, NULL);
    ms_graph *graph = count_trial_graph(&state, MOST_VERTICES, MOST_EDGES);
    count_trial_make(&t, graph, house_of(1 + seed % MOST_ROOFS), &ms_pattern_engine_cpu,
                     1 + (int)(seed % 3));
    by_edges += is_counted_so(&t);
    ck_assert_int_eq(count(&t, 0, maps, NULL), MS_OK);
    ck_assert_int_eq(count(&t, INFINITY, expected, NULL), MS_OK);
    ck_assert_msg(mpz_cmp(maps, expected) == 0, "seed %llu", (unsigned long long)seed);
    found += mpz_sgn(maps) > 0;
    mpz_clears(maps, expected, NULL);
    count_trial_free(&t);
  }
  ck_assert_uint_ge(2 * found, cases);
  ck_assert_uint_ge(2 * by_edges, cases);
}
END_TEST

/* Patterns of which a house is a part: a quotient of a square with leaves, so that vertices of the
 * house are several of the pattern, and a component, whose vertices have other numbers there. */
static const struct larger {
  uint32_t n, m, edge[7][2];
} larger[] = {{6, 6, {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {2, 3}, {3, 5}}},
              {6, 7, {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {2, 3}, {3, 5}, {0, 2}}},
              {7, 7, {{0, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 2}, {6, 2}, {6, 3}}}};

/* The counts of these patterns are those without edge products. */
START_TEST(houses_in_larger_patterns)
{
  uint32_t found = 0, cases = (uint32_t)scaled(CASES / 4);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    const struct larger *l = &larger[seed % (sizeof larger / sizeof *larger)];
    count_trial t;
    uint64_t state = seed;
    mpz_t maps, expected;
    ms_pattern *pattern;
    mpz_inits(maps, expected, NULL);
    ck_assert_int_eq(ms_pattern_from_edges(l->n, l->m, l->edge, false, NULL, &pattern, NULL),
                     MS_OK);
    count_trial_make(&t, count_trial_graph(&state, MOST_VERTICES, MOST_EDGES), pattern,
                     &ms_pattern_engine_cpu, 1);
    ck_assert_int_eq(count(&t, 0, maps, NULL), MS_OK);
    ck_assert_int_eq(count(&t, INFINITY, expected, NULL), MS_OK);
    ck_assert_msg(mpz_cmp(maps, expected) == 0, "seed %llu", (unsigned long long)seed);
    found += mpz_sgn(maps) > 0;
    mpz_clears(maps, expected, NULL);
    count_trial_free(&t);
  }
  ck_assert_uint_ge(2 * found, cases);
}
END_TEST

/* In a complete graph of n vertices, any sequence of different vertices is a map. */
START_TEST(complete_graph)
{
  enum { N = 90 };
  static uint32_t edge[N * (N - 1) / 2][2];
  uint32_t m = 0;
  for (uint32_t v = 0; v < N; v++)
    for (uint32_t u = 0; u < v; u++, m++) {
      edge[m][0] = u;
      edge[m][1] = v;
    }
  for (uint32_t roofs = 1; roofs <= MOST_ROOFS; roofs++) {
    count_trial t;
    ms_graph *graph;
    mpz_t maps, expected;
    mpz_init(maps);
    mpz_init_set_ui(expected, 1);
    ck_assert_int_eq(ms_graph_from_edges(N, m, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                     MS_OK);
    count_trial_make(&t, graph, house_of(roofs), &ms_pattern_engine_cpu, 2);
    for (uint32_t i = 0; i < 4 + roofs; i++)
      mpz_mul_ui(expected, expected, N - i);
    ck_assert_int_eq(count(&t, 0, maps, NULL), MS_OK);
    ck_assert_int_eq(mpz_cmp(maps, expected), 0);
    mpz_clears(maps, expected, NULL);
    count_trial_free(&t);
  }
}
END_TEST

/* ---- which patterns ---------------------------------------------------------------------- */

static bool counts_by_edges(uint32_t n, uint32_t m, const uint32_t (*edge)[2], bool induced)
{
  count_trial t;
  uint64_t state = 7;
  ms_pattern *pattern;
  ck_assert_int_eq(ms_pattern_from_edges(n, m, edge, false, NULL, &pattern, NULL), MS_OK);
  count_trial_make(&t, count_trial_graph(&state, MOST_VERTICES, MOST_EDGES), pattern,
                   &ms_pattern_engine_cpu, 1);
  t.shape.induced = induced;
  bool so = is_counted_so(&t);
  count_trial_free(&t);
  return so;
}

START_TEST(which_patterns)
{
  static const uint32_t house[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}};
  static const uint32_t chord[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {1, 4}, {0, 2}};
  static const uint32_t tail[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}};
  static const uint32_t both[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0},
                                     {0, 4}, {1, 4}, {2, 5}, {3, 5}};
  static const uint32_t square[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  static const uint32_t renamed[][2] = {{4, 2}, {2, 0}, {0, 3}, {3, 4}, {4, 1}, {2, 1}};
  ck_assert(counts_by_edges(5, 6, house, false));
  ck_assert(counts_by_edges(5, 6, renamed, false));
  ck_assert(!counts_by_edges(5, 6, house, true));
  ck_assert(!counts_by_edges(5, 7, chord, false));
  ck_assert(!counts_by_edges(5, 5, tail, false));
  ck_assert(!counts_by_edges(6, 8, both, false));
  ck_assert(!counts_by_edges(4, 4, square, false));
}
END_TEST

/* An engine without these sums is not asked for them. */
START_TEST(other_engines)
{
  ck_assert(ms_edge_product_has(NULL));
  ck_assert(ms_edge_product_has(&ms_pattern_engine_cpu));
  ck_assert(!ms_edge_product_has(&ms_pattern_engine_trie));
  ck_assert(!ms_edge_product_has(&ms_pattern_engine_flood));
}
END_TEST

/* ---- ends before the end ------------------------------------------------------------------- */

/* A count that is stopped after any number of looks at the token is at most the true one; some
 * such counts are not zero. */
START_TEST(stops)
{
  count_trial t;
  uint64_t state = 3, looks = 0;
  uint32_t some = 0;
  mpz_t all, maps;
  ms_stop *stop;
  mpz_inits(all, maps, NULL);
  count_trial_make(&t, count_trial_graph(&state, MOST_VERTICES, MOST_EDGES), house_of(1),
                   &ms_pattern_engine_cpu, 1);
  ck_assert_int_eq(count(&t, 0, all, NULL), MS_OK);
  ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
  t.query.stop = stop;
  ms_status status = MS_ERR_LIMIT;
  for (; status != MS_OK; looks++) {
    ms_stop_after_looks(stop, looks);
    status = count(&t, 0, maps, NULL);
    ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
    ck_assert_int_le(mpz_cmp(maps, all), 0);
    some += status == MS_ERR_LIMIT && mpz_sgn(maps) > 0;
  }
  ck_assert_int_eq(mpz_cmp(maps, all), 0);
  ck_assert_uint_gt(some, 0);
  ms_stop_free(stop);
  mpz_clears(all, maps, NULL);
  count_trial_free(&t);
}
END_TEST

/* Without room for the weights, a search counts. */
START_TEST(small_budget)
{
  count_trial t;
  uint64_t state = 5;
  ms_budget budget;
  mpz_t maps, expected;
  mpz_inits(maps, expected, NULL);
  count_trial_make(&t, count_trial_graph(&state, MOST_VERTICES, MOST_EDGES), house_of(2),
                   &ms_pattern_engine_cpu, 1);
  ck_assert_int_eq(count(&t, INFINITY, expected, NULL), MS_OK);
  ms_budget_open(&budget, 1000);
  t.query.budget = &budget;
  ck_assert_int_eq(count(&t, 0, maps, NULL), MS_OK);
  ck_assert_int_eq(mpz_cmp(maps, expected), 0);
  ck_assert_uint_eq(ms_budget_left(&budget), 1000);
  mpz_clears(maps, expected, NULL);
  count_trial_free(&t);
}
END_TEST

TEST_MAIN("edge_product", TEST(counts_are_right), TEST(houses_in_larger_patterns),
          TEST(complete_graph), TEST(which_patterns), TEST(other_engines), TEST(stops),
          TEST(small_budget))
