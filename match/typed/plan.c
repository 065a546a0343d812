#include "match/typed/search.h"

/* Returns the pair that joins i and j, or NULL. */
static ms_typed_pair *find_pair(ms_typed_index *index, uint32_t i, uint32_t j)
{
  for (uint32_t p = 0; p < index->pairs; p++) {
    ms_typed_pair *pair = &index->pair[p];
    if ((pair->a == i && pair->b == j) || (pair->a == j && pair->b == i))
      return pair;
  }
  return NULL;
}

/* Returns the expected number of candidates of v under one partial match of
 * `done`. Each joined vertex keeps the share of v's domain that its rows hold
 * on average. */
static double expected_candidates(ms_typed_index *index, uint64_t done, uint32_t v,
                                  uint32_t *joined)
{
  double candidates = index->size[v];
  *joined = 0;
  for (; done; done &= done - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(done);
    const ms_typed_pair *pair = find_pair(index, i, v);
    if (!pair)
      continue;
    double pairs = (double)index->size[i] * (double)index->size[v];
    candidates *= pairs > 0 ? (double)pair->offset[index->size[pair->a]] / pairs : 0;
    ++*joined;
  }
  return candidates;
}

/* Returns the next vertex of the plan. *candidates receives its expected number
 * of candidates. */
static uint32_t next_vertex(ms_typed_index *index, uint64_t done, double *candidates)
{
  uint32_t best = MS_MAX_PATTERN;
  double least = 0;
  bool best_joined = false;
  for (uint32_t v = 0; v < index->n; v++) {
    uint32_t joined;
    if (done >> v & 1)
      continue;
    double many = expected_candidates(index, done, v, &joined);
    if (best == MS_MAX_PATTERN || (joined > 0 && !best_joined) ||
        ((joined > 0) == best_joined && many < least)) {
      best = v;
      least = many;
      best_joined = joined > 0;
    }
  }
  *candidates = least;
  return best;
}

static ms_status add_backs(ms_typed_index *index, const ms_typed_plan *plan, ms_typed_level *level,
                           ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t l = 0; l < plan->n && status == MS_OK; l++) {
    ms_typed_pair *pair = find_pair(index, plan->level[l].vertex, level->vertex);
    if (!pair)
      continue;
    if (pair->b != level->vertex)
      status = ms_typed_pair_turn(index, pair, err);
    level->back[level->backs] = (uint8_t)l;
    level->pair[level->backs++] = pair;
  }
  return status;
}

/* Adds the constraints row[i] < row[x] for every x in the orbit of i. */
static void add_order_constraints(const ms_group *group, const ms_typed_plan *plan,
                                  ms_typed_level *level)
{
  for (uint32_t l = 0; l < plan->n; l++) {
    uint32_t other = plan->level[l].vertex, v = level->vertex;
    if (group->orbit[other] >> v & 1)
      level->above |= UINT64_C(1) << l;
    if (group->orbit[v] >> other & 1)
      level->below |= UINT64_C(1) << l;
  }
}

ms_status ms_typed_plan_new(ms_typed_index *index, const ms_group *group, ms_typed_plan *plan,
                            ms_error *err)
{
  uint64_t done = 0;
  double candidates, matches = 1;
  ms_status status = MS_OK;
  plan->n = 0;
  plan->cost = 0;
  while (plan->n < index->n && status == MS_OK) {
    ms_typed_level *level = &plan->level[plan->n];
    *level = (ms_typed_level){.vertex = next_vertex(index, done, &candidates)};
    status = add_backs(index, plan, level, err);
    if (group)
      add_order_constraints(group, plan, level);
    done |= UINT64_C(1) << level->vertex;
    plan->n++;
    matches *= candidates;
    plan->cost += matches;
  }
  return status;
}
