#include "tests/support/search/plans.h"
#include "tests/support/random.h"

#include <check.h>

const ms_order plans_orders[] = {MS_ORDER_AUTO, MS_ORDER_RI, MS_ORDER_DEGREE, MS_ORDER_REUSE};

ms_plan *plans_new(const ms_shape *shape, const ms_plan_input *input)
{
  ms_error err = {0};
  ms_plan *plan = NULL;
  ms_status status = ms_plan_new(shape, input, &plan, &err);
  ck_assert_msg(status == MS_OK, "%s", err.message);
  return plan;
}

ms_plan_input plans_input(uint32_t n, ms_order order, bool constrain)
{
  ms_plan_input input = {.vertices = 1000,
                         .arcs = 10000,
                         .square_degrees = 200000,
                         .order = order,
                         .constrain = constrain};
  for (uint32_t v = 0; v < n; v++)
    input.domain[v] = 1000;
  return input;
}

ms_plan_input plans_random_input(uint64_t *state, uint32_t n)
{
  ms_plan_input input =
      plans_input(n, plans_orders[random_below(state, 4)], random_below(state, 2));
  bool selective = random_below(state, 2);
  for (uint32_t v = 0; v < n && selective; v++)
    input.domain[v] = random_below(state, 1001);
  if (random_below(state, 3) == 0)
    input.last =
        ms_bitset_and(ms_bitset_of_word(random_below(state, UINT32_MAX)), ms_bitset_below(n));
  return input;
}

uint64_t plans_group_order(const ms_plan *plan)
{
  mpz_t order;
  mpz_init(order);
  ms_group_order(plan->group, order);
  uint64_t value = mpz_get_ui(order);
  mpz_clear(order);
  return value;
}
