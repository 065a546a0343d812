/* Plans of inner patterns: tails whose vertices have the same neighbours outside of the tail, and
 * edges among themselves (cpu/inner_plan.h). */
#ifndef MS_MATCH_COUNT_COUNT_INNER_H
#define MS_MATCH_COUNT_COUNT_INNER_H

#include "match/count/count_ways.h"
#include "match/cpu/inner_plan.h"

/* Makes the plan of an inner pattern for inner graphs like those of the estimator.  The caller
 * frees it with ms_inner_plan_free.  MS_ERR_LIMIT: it needs too many terms. */
ms_status ms_inner_plan_new(const ms_count_query *query, const ms_count_estimator *of_inner,
                            ms_inner_plan **out, ms_error *err);

#endif
