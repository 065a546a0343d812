/* Plans for tests, and what they are made from. */
#ifndef MS_TESTS_SUPPORT_PLANS_H
#define MS_TESTS_SUPPORT_PLANS_H

#include "plan/plan.h"
#include "tests/support/graphs/shapes.h"

extern const ms_order plans_orders[4];

/* Returns a plan; aborts the test on an error. */
ms_plan *plans_new(const ms_shape *shape, const ms_plan_input *input);
/* Returns the facts of a graph of 1000 vertices and 5000 edges in which every domain is full. */
ms_plan_input plans_input(uint32_t n, ms_order order, bool constrain);
/* Returns the same with a random order, sometimes small domains, and sometimes vertices that come
 * last. */
ms_plan_input plans_random_input(uint64_t *state, uint32_t n);
/* Returns the order of the automorphism group, which is below 2^64. */
uint64_t plans_group_order(const ms_plan *plan);

#endif
