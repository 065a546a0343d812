/* Finds the candidate sets of earlier levels that can be reused. */
#ifndef MS_PLAN_REUSE_H
#define MS_PLAN_REUSE_H

#include "plan/plan.h"

/* Fills reuse[], n_reuse, rows_out and rows_in of each level from back_out, back_in, not_out and
 * not_in of all. */
ms_status ms_plan_find_reuse(ms_plan *plan, ms_error *err);

#endif
