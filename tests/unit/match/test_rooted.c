/* Rooted numbers (match/count/rooted_plan.h) against brute force: each way to count them, and no
 * memory for the numbers of all vertices. */
#include "base/budget.h"
#include "match/count/counter.h"
#include "match/count/hinge.h"
#include "tests/support/graphs/hinge_case.h"
#include "tests/support/test_main.h"

#include <math.h>

enum { CASES = 240 };

/* No other shapes are asked for. */
static ms_status refuse(ms_counter *counter, const ms_shape *shape, mpz_t maps)
{
  (void)counter;
  (void)shape;
  (void)maps;
  return MS_ERR_USAGE;
}

static uint32_t bits_of(ms_bitset vertices)
{
  return (uint32_t)ms_bitset_word(vertices);
}

/* Lets brute force match the vertices of the domains alone: a map of one side is none of the
 * pattern, so that domains exclude some of them. */
static void exclude(hinge_case *c, const count_trial *t)
{
  for (uint32_t p = 0; p < c->p; p++)
    for (uint32_t id = 0; id < t->index->n; id++)
      c->excluded[p][t->index->vertex[id]] = !ms_domain_has(&t->domains.of[p], id);
}

/* Returns the sum, over all vertices, of the products of the rooted numbers of both sides. */
static uint64_t sum_by_force(const hinge_case *c, const ms_hinge *hinge)
{
  uint64_t sum = 0;
  for (uint32_t v = 0; v < c->n; v++)
    sum += hinge_case_rooted(c, bits_of(hinge->side[0]), hinge->vertex, v) *
           hinge_case_rooted(c, bits_of(hinge->side[1]), hinge->vertex, v);
  return sum;
}

static void count_ways(const ms_rooted_plan *plan, uint32_t ways[4])
{
  for (uint32_t i = 0; i < plan->count; i++)
    ways[plan->of[i]->way]++;
}

/* Checks the sum at every hinge of the case whose sides have at most five vertices. */
static void check_hinges(const hinge_case *c, const count_trial *t, uint64_t seed, uint32_t ways[4])
{
  ms_hinge hinge[MS_MAX_HINGES];
  ms_counter counter;
  mpz_t sum;
  mpz_init(sum);
  ms_counter_init(&counter, &t->query, refuse, NULL);
  for (uint32_t i = 0, hinges = ms_list_hinges(&t->shape, hinge); i < hinges; i++) {
    ms_hinge_plan plan;
    if (ms_bitset_count(hinge[i].side[0]) > 5 || ms_bitset_count(hinge[i].side[1]) > 5)
      continue;
    ck_assert_int_eq(ms_hinge_plan_new(&counter, &t->shape, &hinge[i], &plan), MS_OK);
    count_ways(&plan.rooted, ways);
    ck_assert_int_eq(ms_hinge_sum(&counter, &t->shape, &plan, sum), MS_OK);
    ck_assert_msg(mpz_cmp_ui(sum, sum_by_force(c, &hinge[i])) == 0, "seed %llu, hinge %u",
                  (unsigned long long)seed, hinge[i].vertex);
    ms_hinge_plan_free(&plan);
  }
  mpz_clear(sum);
}

/* Returns the number of cases divided by `part`, and at least 40, among which each way is met. */
static uint64_t part_of_cases(uint64_t part)
{
  enum { LEAST = 40 };
  uint64_t cases = (uint64_t)scaled(CASES) / part;
  return cases > LEAST ? cases : LEAST;
}

static void check_cases(uint64_t cases, double weight, ms_budget *budget, uint32_t ways[4])
{
  hinge_choose_weight(weight);
  for (uint64_t seed = 1; seed <= cases; seed++) {
    hinge_case c;
    hinge_trial h;
    hinge_case_draw(&c, seed);
    hinge_trial_make(&h, &c, 1 + (int)(seed % 3));
    h.t.query.budget = budget;
    exclude(&c, &h.t);
    if (!h.t.domains.empty)
      check_hinges(&c, &h.t, seed, ways);
    hinge_trial_free(&h);
  }
  hinge_choose_as_usual();
}

/* 240 random cases: sums over neighbours and products at the root are right, and each is used. */
START_TEST(every_way)
{
  uint32_t ways[4] = {0};
  check_cases(part_of_cases(1), 0, NULL, ways);
  for (int i = 0; i < 3; i++)
    ck_assert_uint_gt(ways[i], 0);
}
END_TEST

/* The same by programs alone. */
START_TEST(programs)
{
  uint32_t ways[4] = {0};
  check_cases(part_of_cases(4), INFINITY, NULL, ways);
  ck_assert_uint_gt(ways[MS_ROOTED_PROGRAM], 0);
  ck_assert_uint_eq(ways[MS_ROOTED_EDGE] + ways[MS_ROOTED_PRODUCT], 0);
}
END_TEST

/* Without memory for the numbers, or for some of them, programs count; all that was reserved is
 * released. */
START_TEST(small_budgets)
{
  for (uint64_t bound = 1; bound < 2000; bound = 3 * bound + 200) {
    uint32_t ways[4] = {0};
    ms_budget budget;
    ms_budget_open(&budget, bound);
    check_cases(part_of_cases(8), 0, &budget, ways);
    ck_assert_uint_gt(ways[MS_ROOTED_EDGE], 0);
    ck_assert_uint_eq(ms_budget_left(&budget), bound);
  }
}
END_TEST

TEST_MAIN("rooted", TEST(every_way), TEST(programs), TEST(small_budgets))
