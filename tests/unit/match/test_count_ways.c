/* The comparison of all ways to count a small shape: the bounds by which it gives up orders are no
 * larger than costs, and it finds the same ways with and without them. */
#include "match/count/count_ways.h"
#include "tests/support/graphs/shapes.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

enum { CASES = 200, FAR = 50 };

static double real(uint64_t *state, double least, double most)
{
  return least + (most - least) * random_below(state, 1001) / 1000;
}

/* Sets a connected shape of 3 to 6 vertices, and facts of a graph that need not exist. */
static void random_estimator(uint64_t *state, ms_shape *shape, ms_count_estimator *e)
{
  do {
    *shape = shapes_random(state, 3 + random_below(state, 4), false, 80 + random_below(state, 150),
                           1 + random_below(state, 3));
  } while (!ms_shape_is_connected(shape));
  *e = (ms_count_estimator){.shape = shape, .tables = random_below(state, 2)};
  e->touched = e->tables && random_below(state, 2);
  e->vertices = exp(real(state, 2, 15));
  e->degree = real(state, 1, 40);
  e->ends = e->degree * real(state, 1, 50);
  e->square_degrees = e->vertices * e->degree * e->ends;
  e->two_hops = fmin(e->degree * e->ends, e->vertices);
  e->closure[0] = real(state, 0.001, 0.5);
  e->closure[1] = real(state, 0.001, 1);
  for (uint32_t i = 0; i < shape->n; i++)
    e->domain[i] = e->vertices * (random_below(state, 2) ? 1 : real(state, 0, 1));
}

/* ---- bounds ----------------------------------------------------------------------- */

/* Sets `c` to a tail of one to three vertices, and the order to the others, ascending. */
static uint32_t random_tail(uint64_t *state, uint32_t n, ms_count_choice *c)
{
  uint32_t prefix = 0, tail = 1 + random_below(state, n > 3 ? 3 : n - 1);
  *c = (ms_count_choice){.product = random_below(state, 2), .module = random_below(state, 4) == 0};
  c->inner = c->module ? real(state, 0, 1000) : 0;
  while ((uint32_t)__builtin_popcountll(c->tail) < tail)
    c->tail |= UINT64_C(1) << random_below(state, n);
  for (uint32_t v = 0; v < n; v++)
    if (!(c->tail >> v & 1))
      c->order[prefix++] = (uint8_t)v;
  return prefix;
}

/* Checks the bounds of all levels of one order; returns the share of the cost that the last one
 * is. */
static double check_order(ms_count_bound *bound, const ms_count_choice *c, uint32_t prefix)
{
  double cost = ms_count_cost(bound->e, c, prefix, bound->symmetry), before = 0;
  ms_count_least least = {.matches = 1};
  for (uint32_t level = 0; level < prefix; level++) {
    least = ms_count_bound_level(bound, c->order, level, least);
    ck_assert_msg(least.cost <= cost * (1 + 1e-9), "level %u of %u: bound %g, cost %g", level,
                  prefix, least.cost, cost);
    ck_assert(least.cost >= before);
    before = least.cost;
  }
  return cost > 0 ? least.cost / cost : 1;
}

/* No bound of the first levels is above the cost of an order that begins with them, and those of
 * all levels are half of it in most orders: all orders of five random tails of 200 random shapes,
 * with the cost itself as the second method. */
START_TEST(bounds_are_below_costs)
{
  uint64_t state = 1;
  uint32_t orders = 0, close = 0;
  for (int i = 0; i < 5 * CASES; i++) {
    ms_shape shape;
    ms_count_estimator e;
    ms_count_bound bound;
    ms_count_choice c;
    random_estimator(&state, &shape, &e);
    uint32_t prefix = random_tail(&state, shape.n, &c);
    ms_count_bound_init(&bound, &e);
    ms_count_bound_tail(&bound, &c, 1 + random_below(&state, 12));
    do {
      close += check_order(&bound, &c, prefix) > 0.5;
      orders++;
    } while (shapes_next_permutation(prefix, c.order));
  }
  ck_assert_msg(2 * close > orders, "%u of %u orders", close, orders);
}
END_TEST

/* ---- ways ------------------------------------------------------------------------- */

static void check_same(const ms_count_choice *a, const ms_count_choice *b)
{
  ck_assert(a->cost == b->cost && a->quotients == b->quotients);
  ck_assert(a->tail == b->tail && a->product == b->product && a->module == b->module);
  ck_assert_mem_eq(a->order, b->order, sizeof a->order);
}

/* The best way alone, all ways from the start, and all ways after the best one, are the same, and
 * so are the best ways of all tails that are not far from it: 200 random shapes, a third of which
 * have ways with inner patterns. */
START_TEST(ways_are_the_same)
{
  static ms_count_ways best, all, later; /* they are large */
  uint64_t state = 2;
  ms_error err = {0};
  for (int i = 0; i < CASES; i++) {
    ms_shape shape;
    memset(&best, 0, sizeof best);
    random_estimator(&state, &shape, &best.e);
    best.by_degree = random_below(&state, 3) == 0 ? (UINT64_C(1) << shape.n) - 1 : 0;
    all = later = best;
    later.far = FAR;
    ck_assert_int_eq(ms_count_find_best_way(&best, &err), MS_OK);
    ck_assert_int_eq(ms_count_compare_ways(&all, &err), MS_OK);
    ck_assert_int_eq(ms_count_find_best_way(&later, &err), MS_OK);
    ck_assert_int_eq(ms_count_compare_ways(&later, &err), MS_OK);
    check_same(&best.best, &all.best);
    check_same(&later.best, &all.best);
    for (int product = 0; product < 2; product++)
      for (uint32_t t = 1; t < 1u << shape.n; t++) {
        const ms_count_choice *a = &all.of_tail[product][t], *l = &later.of_tail[product][t];
        if (a->cost <= FAR * all.best.cost)
          check_same(a, l);
        else
          ck_assert(l->cost == 0 || l->cost > FAR * all.best.cost);
      }
  }
}
END_TEST

TEST_MAIN("count_ways", TEST(bounds_are_below_costs), TEST(ways_are_the_same))
