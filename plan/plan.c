#include "plan/plan.h"

#include "base/alloc.h"
#include "base/status.h"
#include "plan/match_order.h"
#include "plan/reuse.h"

#include <string.h>

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

static ms_status find_order(ms_order order, ms_order_state *walk, ms_error *err)
{
  if (order == MS_ORDER_RI)
    ms_order_ri(walk);
  else if (order == MS_ORDER_DEGREE)
    ms_order_degree(walk);
  else if (walk->input->row)
    ms_order_candidates(walk);
  else
    return ms_order_reuse(walk, err);
  return MS_OK;
}

/* Returns the levels of a set of vertices. */
static ms_bitset levels_of(const uint8_t *level, ms_bitset vertices)
{
  ms_bitset levels = {{0}};
  MS_EACH_MEMBER (v, vertices)
    ms_bitset_add(&levels, level[v]);
  return levels;
}

static void fill_levels(ms_plan *plan, const ms_order_state *walk, const uint8_t *level_of)
{
  const ms_shape *shape = &plan->shape;
  for (uint32_t i = 0; i < shape->n; i++) {
    ms_plan_level *level = &plan->level[i];
    ms_bitset earlier = ms_bitset_below(i);
    level->vertex = walk->order[i];
    level->back_out = ms_bitset_and(levels_of(level_of, shape->in[level->vertex]), earlier);
    level->back_in = ms_bitset_and(levels_of(level_of, shape->out[level->vertex]), earlier);
    if (shape->induced) {
      level->not_out = ms_bitset_minus(earlier, level->back_out);
      level->not_in = ms_bitset_minus(earlier, level->back_in);
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
  ms_bitset all[MS_MAX_PATTERN];
  memset(all, 0, plan->shape.n * sizeof *all);
  for (uint32_t i = 0; i < (input->constrained ? input->constrained : plan->shape.n); i++) {
    ms_bitset others = ms_bitset_without(levels_of(level_of, plan->group->orbit[i]), i);
    MS_EACH_MEMBER (j, others)
      ms_bitset_add(&all[j], i);
  }
  for (uint32_t j = 0; j < plan->shape.n; j++) {
    ms_bitset implied = {{0}};
    MS_EACH_MEMBER (i, all[j])
      implied = ms_bitset_or(implied, all[i]);
    all[j] = ms_bitset_or(all[j], implied);
    *(input->largest_first ? &plan->level[j].below : &plan->level[j].above) =
        ms_bitset_minus(all[j], implied);
  }
}

/* Estimates with constraints: the share of the maps of the first i levels in
 * which each base[a] has the smallest vertex among the points of its orbit that
 * are already matched. In the end it is 1 / |Aut|. */
static void estimate(ms_plan *plan, const ms_order_state *walk, const uint8_t *level_of)
{
  double before = 1;
  ms_bitset orbit[MS_MAX_PATTERN]; /* [n] levels of each orbit */
  for (uint32_t a = 0; a < plan->shape.n; a++)
    orbit[a] = levels_of(level_of, plan->group->orbit[a]);
  plan->cost = 0;
  for (uint32_t i = 0; i < plan->shape.n; i++) {
    double share = 1;
    for (uint32_t a = 0; a <= i && plan->constrained; a++)
      share /= ms_bitset_count(ms_bitset_and(orbit[a], ms_bitset_below(i + 1)));
    plan->cost += before * (1 + walk->work[i]);
    before = plan->level[i].matches = walk->matches[i + 1] * share;
  }
}

ms_plan *ms_plan_alloc(const ms_shape *shape)
{
  ms_plan *plan = ms_calloc(1, sizeof *plan + shape->n * sizeof *plan->level);
  if (plan)
    plan->shape = *shape;
  return plan;
}

/* Fills a new plan; *walk is room for the order. */
static ms_status make_plan(const ms_plan_input *input, ms_plan *plan, ms_order_state *walk,
                           ms_error *err)
{
  uint8_t level_of[MS_MAX_PATTERN];
  uint32_t n = plan->shape.n;
  ms_order_state_init(&plan->shape, input, walk);
  if (input->fixed)
    for (uint32_t i = 0; i < n; i++)
      ms_order_state_place(walk, input->fixed[i]);
  else
    MS_TRY(find_order(plan->order, walk, err));
  for (uint32_t i = 0; i < n; i++)
    level_of[walk->order[i]] = (uint8_t)i;
  MS_TRY(ms_group_new(&plan->shape, walk->order, ms_bitset_minus(ms_bitset_all(), input->last),
                      &plan->group, err));
  fill_levels(plan, walk, level_of);
  if (plan->constrained)
    fill_constraints(plan, input, level_of);
  estimate(plan, walk, level_of);
  return ms_plan_find_reuse(plan, err);
}

ms_status ms_plan_new(const ms_shape *shape, const ms_plan_input *input, ms_plan **out,
                      ms_error *err)
{
  *out = NULL;
  ms_plan *plan = ms_plan_alloc(shape);
  ms_order_state *walk = ms_alloc(1, sizeof *walk); /* it is large for a stack */
  ms_status status = plan && walk ? MS_OK : ms_fail_memory(err, "the plan");
  if (status == MS_OK) {
    plan->order = choose_order(shape, input);
    plan->constrained = input->constrain;
    status = make_plan(input, plan, walk, err);
  }
  ms_free(walk);
  if (status == MS_OK)
    *out = plan;
  else
    ms_plan_free(plan);
  return status;
}

void ms_plan_free(ms_plan *plan)
{
  if (plan) {
    ms_group_free(plan->group);
    ms_free(plan);
  }
}
