#include "plan/plan.h"

#include "base/alloc.h"
#include "base/status.h"
#include "plan/match_order.h"
#include "plan/reuse.h"

#define BIT(v) (UINT64_C(1) << (v))

/* Chooses RI if some domain is selective, because RI starts there.  Otherwise estimates
 * decide, if all orders can be compared. */
static ms_order choose_order(const ms_shape *shape, const ms_plan_input *input)
{
  if (input->order != MS_ORDER_AUTO)
    return input->order;
  if (input->row)
    return MS_ORDER_REUSE;
  for (uint32_t v = 0; v < shape->n; v++) {
    if (input->domain[v] < input->vertices / 2)
      return MS_ORDER_RI;
  }
  return shape->n <= MS_ORDER_EXHAUSTIVE ? MS_ORDER_REUSE : MS_ORDER_RI;
}

static void find_order(ms_order order, ms_order_state *walk)
{
  if (order == MS_ORDER_RI)
    ms_order_ri(walk);
  else if (order == MS_ORDER_DEGREE)
    ms_order_degree(walk);
  else if (walk->input->row)
    ms_order_candidates(walk);
  else
    ms_order_reuse(walk);
}

/* Returns the levels of a set of vertices, as bits. */
static uint64_t levels_of(const uint8_t *level, uint64_t vertices)
{
  uint64_t levels = 0;
  for (; vertices; vertices &= vertices - 1)
    levels |= BIT(level[ms_lowest(vertices)]);
  return levels;
}

static void fill_levels(ms_plan *plan, const ms_order_state *walk, const uint8_t *level_of)
{
  const ms_shape *shape = &plan->shape;
  for (uint32_t i = 0; i < shape->n; i++) {
    ms_plan_level *level = &plan->level[i];
    uint64_t earlier = BIT(i) - 1;
    level->vertex = walk->order[i];
    level->back_out = levels_of(level_of, shape->in[level->vertex]) & earlier;
    level->back_in = levels_of(level_of, shape->out[level->vertex]) & earlier;
    if (shape->induced) {
      level->not_out = earlier & ~level->back_out;
      level->not_in = earlier & ~level->back_in;
    }
    level->candidates = walk->candidates[i];
    level->matches = walk->matches[i + 1];
  }
}

/* Fills the constraints "row[base[i]] < row[x]" for all points x of orbit i. A
 * constraint that follows from two others is left out. */
static void fill_constraints(ms_plan *plan, const ms_plan_input *input, const uint8_t *level_of)
{
  /* [n] `above` of each level with all levels that follow from it */
  uint64_t all[MS_MAX_PATTERN] = {0};
  for (uint32_t i = 0; i < (input->constrained ? input->constrained : plan->shape.n); i++) {
    for (uint64_t rest = levels_of(level_of, plan->group->orbit[i]) & ~BIT(i); rest;
         rest &= rest - 1)
      all[ms_lowest(rest)] |= BIT(i);
  }
  for (uint32_t j = 0; j < plan->shape.n; j++) {
    uint64_t implied = 0;
    for (uint64_t rest = all[j]; rest; rest &= rest - 1)
      implied |= all[ms_lowest(rest)];
    all[j] |= implied;
    *(input->largest_first ? &plan->level[j].below : &plan->level[j].above) = all[j] & ~implied;
  }
}

/* Estimates with constraints: the share of the maps of the first i levels in
 * which each base[a] has the smallest vertex among the points of its orbit that
 * are already matched. In the end it is 1 / |Aut|. */
static void estimate(ms_plan *plan, const ms_order_state *walk, const uint8_t *level_of)
{
  double before = 1;
  plan->cost = 0;
  for (uint32_t i = 0; i < plan->shape.n; i++) {
    double share = 1;
    for (uint32_t a = 0; a <= i && plan->constrained; a++)
      share /= ms_size_of(levels_of(level_of, plan->group->orbit[a]) & (BIT(i) * 2 - 1));
    plan->cost += before * (1 + walk->work[i]);
    before = plan->level[i].matches = walk->matches[i + 1] * share;
  }
}

ms_status ms_plan_new(const ms_shape *shape, const ms_plan_input *input, ms_plan **out,
                      ms_error *err)
{
  uint8_t level_of[MS_MAX_PATTERN];
  ms_order_state walk;
  *out = NULL;
  ms_plan *plan = ms_calloc(1, sizeof *plan);
  if (!plan)
    return ms_fail_memory(err, "the plan");
  plan->shape = *shape;
  plan->order = choose_order(shape, input);
  plan->constrained = input->constrain;
  ms_order_state_init(&plan->shape, input, &walk);
  if (input->fixed)
    for (uint32_t i = 0; i < shape->n; i++)
      ms_order_state_place(&walk, input->fixed[i]);
  else
    find_order(plan->order, &walk);
  for (uint32_t i = 0; i < shape->n; i++)
    level_of[walk.order[i]] = (uint8_t)i;
  ms_status status = ms_group_new(&plan->shape, walk.order, ~input->last, &plan->group, err);
  if (status != MS_OK) {
    ms_plan_free(plan);
    return status;
  }
  fill_levels(plan, &walk, level_of);
  if (plan->constrained)
    fill_constraints(plan, input, level_of);
  estimate(plan, &walk, level_of);
  ms_plan_find_reuse(plan);
  *out = plan;
  return MS_OK;
}

void ms_plan_free(ms_plan *plan)
{
  if (plan) {
    ms_group_free(plan->group);
    ms_free(plan);
  }
}
