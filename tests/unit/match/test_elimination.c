/* Counts by elimination (match/count/elimination.h) against searches and brute force: random graphs
 * with hubs and random connected patterns; which patterns are counted so, and what is said of it;
 * numbers that do not fit; memory; stops. */
#include "base/alloc.h"
#include "base/budget.h"
#include "base/hooks.h"
#include "base/threads/stop.h"
#include "match/count/count_methods.h"
#include "tests/support/graphs/hinge_case.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { CASES = 300 };

/* A connected pattern of 4 to 7 vertices, with any number of edges, and a graph of 7 to 14 vertices
 * whose first two are hubs. */
static void draw(hinge_case *c, uint64_t seed)
{
  uint64_t state = seed * 77 + 5;
  memset(c, 0, sizeof *c);
  c->n = 7 + (uint32_t)(random_below(&state, 8));
  c->p = 4 + (uint32_t)(random_below(&state, 4));
  uint32_t pairs = c->p * (c->p - 1) / 2 - (c->p - 1),
           more = (uint32_t)(random_below(&state, pairs + 1));
  for (uint32_t v = 1; v < c->p; v++)
    hinge_case_want(c, &state, (uint32_t)(random_below(&state, v)), v);
  while (more > 0) {
    uint32_t v = random_below(&state, c->p), u = random_below(&state, c->p), before = c->wants;
    if (u != v)
      hinge_case_want(c, &state, u, v);
    more -= c->wants > before;
  }
  for (uint32_t v = 0; v < c->p; v++)
    c->accepts[v] = 7;
  for (uint32_t v = 1; v < c->n; v++)
    for (uint32_t u = 0; u < v; u++)
      if (c->edges < HINGE_MOST_M && random_below(&state, 100) < (u < 2 ? 75u : 35u))
        hinge_case_join(c, u, v);
}

/* Elimination is used wherever it may be (weight 0), as elsewhere, or never (INFINITY). */
static void choose_weight(double weight)
{
  ms_hooks.probe_steps = -1;
  ms_hooks.count_elimination_weight = weight;
}

static bool is_eliminated(const count_trial *t)
{
  ms_count_case *k;
  ck_assert_int_eq(ms_count_choose_way(&t->query, &t->shape, &k, NULL), MS_OK);
  bool so = strcmp(k->way->name, "elimination") == 0;
  ms_count_case_free(k);
  return so;
}

/* Patterns of 4 to 7 vertices have as many maps when their vertices are eliminated as a search and
 * brute force find: 300 random cases on one to three threads, most of which have maps. */
START_TEST(counts_are_right)
{
  uint32_t found = 0, eliminated = 0, cases = (uint32_t)scaled(CASES);
  ms_hooks.work_for_threads = 0;
  for (uint64_t seed = 1; seed <= cases; seed++) {
    hinge_case c;
    hinge_trial h;
    mpz_t maps, searched;
    mpz_inits(maps, searched, NULL);
    draw(&c, seed);
    hinge_trial_make(&h, &c, 1 + (int)(seed % 3));
    choose_weight(0);
    bool so = is_eliminated(&h.t);
    ck_assert_int_eq(ms_count_maps(&h.t.query, &h.t.shape, maps, NULL), MS_OK);
    choose_weight(INFINITY);
    ck_assert_int_eq(ms_count_maps(&h.t.query, &h.t.shape, searched, NULL), MS_OK);
    uint64_t expected = hinge_case_maps(&c);
    ck_assert_msg(mpz_cmp_ui(maps, expected) == 0 && mpz_cmp_ui(searched, expected) == 0,
                  "seed %llu: %llu maps, not %llu", (unsigned long long)seed,
                  (unsigned long long)expected, (unsigned long long)mpz_get_ui(maps));
    found += expected > 0;
    eliminated += so;
    mpz_clears(maps, searched, NULL);
    hinge_trial_free(&h);
  }
  hinge_choose_as_usual();
  ck_assert_uint_ge(2 * found, cases);
  ck_assert_uint_ge(10 * eliminated, 8 * cases);
}
END_TEST

/* ---- what is said, memory and stops ------------------------------------------------------------
 */

/* Two squares that share an edge, with a tail. */
static const uint32_t ladder[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0},
                                     {2, 4}, {4, 5}, {5, 3}, {0, 6}};

static void make_trial(count_trial *t, uint32_t vertices, uint32_t edges, int threads)
{
  ms_pattern *pattern;
  uint64_t state = 2;
  ck_assert_int_eq(ms_pattern_from_edges(7, 8, ladder, false, NULL, &pattern, NULL), MS_OK);
  count_trial_make(t, count_trial_graph(&state, vertices, edges), pattern, &ms_pattern_engine_cpu,
                   threads);
}

/* The plan names the vertices that are fixed.  It needs all vertices of the graph of their degree,
 * and a pattern that is not induced. */
START_TEST(explained)
{
  static const char *const name[] = {"a", "b", "c", "d", "e", "f", "g"};
  count_trial t;
  char *said;
  make_trial(&t, 60, 500, 1);
  choose_weight(0);
  ck_assert(is_eliminated(&t));
  ck_assert_int_eq(ms_count_explain(&t.query, &t.shape, name, false, &said, NULL), MS_OK);
  ck_assert_msg(strstr(said, "counted: for the candidates of ") == said, "%s", said);
  ms_free(said);
  ck_assert_int_eq(ms_count_explain(&t.query, &t.shape, name, true, &said, NULL), MS_OK);
  ck_assert_msg(strstr(said, "{\"maps\":\"elimination\",\"fixed\":[\"") == said, "%s", said);
  ms_free(said);
  t.domains.implied = false;
  t.domains.of[0] = (ms_domain){.lo = 1, .hi = 3, .count = 2};
  ck_assert(!is_eliminated(&t));
  t.domains.of[0] = t.domains.of[1];
  t.shape.induced = true;
  ck_assert(!is_eliminated(&t));
  hinge_choose_as_usual();
  count_trial_free(&t);
}
END_TEST

/* Without room for the weights, another way counts. */
START_TEST(little_memory)
{
  count_trial t;
  mpz_t all, maps;
  mpz_inits(all, maps, NULL);
  make_trial(&t, 60, 500, 1);
  choose_weight(0);
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, all, NULL), MS_OK);
  ck_assert_int_gt(mpz_sgn(all), 0);
  ms_budget few;
  ms_budget_open(&few, 1000);
  t.query.budget = &few;
  ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, maps, NULL), MS_OK);
  ck_assert_int_eq(mpz_cmp(all, maps), 0);
  hinge_choose_as_usual();
  mpz_clears(all, maps, NULL);
  count_trial_free(&t);
}
END_TEST

/* A count that stops wherever it looks finds no more maps than there are. */
START_TEST(stops)
{
  ms_hooks.work_for_threads = 0;
  choose_weight(0);
  for (int threads = 1; threads < 3; threads++) {
    count_trial t;
    mpz_t all, maps;
    ms_stop *stop;
    ms_status status = MS_ERR_LIMIT;
    mpz_inits(all, maps, NULL);
    make_trial(&t, 40, 200, threads);
    ck_assert_int_eq(ms_count_maps(&t.query, &t.shape, all, NULL), MS_OK);
    ck_assert_int_eq(ms_stop_new(&stop, NULL), MS_OK);
    t.query.stop = stop;
    for (uint64_t looks = 0; status != MS_OK; looks += 1 + looks / 8) {
      ms_stop_after_looks(stop, looks);
      status = ms_count_maps(&t.query, &t.shape, maps, NULL);
      ck_assert(status == MS_OK || status == MS_ERR_LIMIT);
      ck_assert_int_le(mpz_cmp(maps, all), 0);
    }
    ck_assert_int_eq(mpz_cmp(maps, all), 0);
    ms_stop_free(stop);
    mpz_clears(all, maps, NULL);
    count_trial_free(&t);
  }
  hinge_choose_as_usual();
}
END_TEST

TEST_MAIN("elimination", TEST(counts_are_right), TEST(explained), TEST(little_memory), TEST(stops))
