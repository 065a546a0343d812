/* Which candidate sets of earlier levels serve again. */
#ifndef MS_PLAN_REUSE_H
#define MS_PLAN_REUSE_H

#include "plan/plan.h"

/* Fill reuse[], n_reuse, rows_out and rows_in of each level from back_out, back_in, not_out and
 * not_in of all. */
void ms_plan_find_reuse(ms_plan *plan);

#endif
