/* Estimates how long a count by factors takes. */
#include "match/count/factor.h"

#include "base/status.h"
#include "match/probe.h"

#include <math.h>

/* Costs in steps (probe.h) */
#define COST_CALL 4.0     /* of asking for a level's number of ways */
#define COST_LOOK_UP 10.0 /* of looking for a stored number */
#define COST_LEAF 8.0     /* of a level below which there is nothing */
#define COST_LEAF_ELEMENT 0.06
#define COST_LEAF_TEST 0.5     /* of a candidate of such a level that is looked up in a domain */
#define COST_LEAF_DISTINCT 8.0 /* of looking for an earlier match among the candidates */

/* Returns an upper bound on the number of combinations of matches on which a level's number of ways
 * depends. */
static double count_keys(const ms_factor *f, uint32_t level)
{
  double keys = 1;
  MS_EACH_MEMBER (i, f->relevant[level])
    keys *= f->program->step[i].domain.count;
  return keys;
}

/* Returns how often a level is computed, if its number of ways is needed this often.  Numbers that
 * do not fit into the table replace others, which are computed again. */
static double count_misses(const ms_factor *f, uint32_t level, double calls)
{
  double keys = count_keys(f, level);
  if (!f->remembers[level] || calls <= keys)
    return calls;
  double lost = fmax(0, 1 - MS_FACTOR_ENTRIES / keys);
  return keys + (calls - keys) * lost;
}

/* Returns the steps to count the candidates of a level below which there is nothing (count_leaf in
 * factor_count.c), so many times and so many candidates in all. */
static double cost_of_leaf(const ms_step *step, double calls, double candidates)
{
  double each = COST_LEAF + COST_LEAF_DISTINCT * step->distinct_list.count;
  return calls * each + candidates * (step->test_bits ? COST_LEAF_TEST : COST_LEAF_ELEMENT);
}

ms_status ms_factor_cost(const ms_factor *f, ms_probe_effort effort, double *steps, double *spent,
                         ms_error *err)
{
  ms_probe probe;
  /* [n] the part of a level's partial matches that is computed, not looked up */
  double share[MS_MAX_PATTERN] = {1};
  MS_TRY(ms_probe_closely(f->program, f->parent, effort, 1, &probe, err));
  *spent = probe.spent;
  *steps = probe.candidates[0] + MS_COST_VISIT * probe.nodes[0] + probe.sets[0];
  for (uint32_t i = 1; i < f->n; i++) {
    uint32_t above = f->parent[i];
    double calls = share[above] * probe.nodes[above];
    *steps += calls * (f->remembers[i] ? COST_LOOK_UP : COST_CALL);
    if (ms_bitset_is_empty(f->children[i])) {
      *steps += cost_of_leaf(&f->program->step[i], calls, share[above] * probe.candidates[i]);
      continue;
    }
    share[i] = calls > 0 ? share[above] * count_misses(f, i, calls) / calls : 0;
    *steps += share[i] * (probe.candidates[i] + MS_COST_VISIT * probe.nodes[i] + probe.sets[i]);
  }
  return MS_OK;
}
