/* Estimates the time to count in an inner graph (inner_plan.h) from a sample of its vertices. */
#ifndef MS_MATCH_CPU_INNER_COST_H
#define MS_MATCH_CPU_INNER_COST_H

#include "match/cpu/inner_plan.h"
#include "match/cpu/runner.h"

/* Returns the estimated steps (probe.h) to make the inner graph of the runner's partial match and
 * to run the inner plan in it, and adds the steps that the estimate itself took to *spent.  Without
 * memory, it sets the runner's status. */
double ms_inner_cost(ms_runner *runner, double *spent);

#endif
