#include "plan/plan_writer.h"

uint32_t ms_plan_relation(const ms_plan *plan, const ms_plan_level *level, uint32_t from)
{
  return (plan->shape.label[plan->level[from].vertex][level->vertex] + 1u) / 2;
}

/* mpz_get_str writes into a buffer here: a text that GMP allocates would need GMP's function to be
 * freed. */
void ms_growing_put_order(ms_growing *growing, const ms_plan *plan)
{
  char digits[512]; /* 256! has 507 */
  _Static_assert(MS_MAX_PATTERN <= 256, "no group has more automorphisms");
  mpz_t order;
  mpz_init(order);
  ms_group_order(plan->group, order);
  ms_growing_put(growing, "%s", mpz_get_str(digits, 10, order));
  mpz_clear(order);
}

const char *ms_order_word(ms_order order)
{
  switch (order) {
  case MS_ORDER_AUTO:
    return "auto";
  case MS_ORDER_RI:
    return "ri";
  case MS_ORDER_DEGREE:
    return "degree";
  case MS_ORDER_REUSE:
    return "reuse";
  }
  return "unknown";
}
