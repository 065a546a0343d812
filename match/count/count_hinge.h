/* Counts of a shape at a hinge (hinge.h), less its gluings. */
#ifndef MS_MATCH_COUNT_COUNT_HINGE_H
#define MS_MATCH_COUNT_COUNT_HINGE_H

#include "match/count/counter.h"
#include "match/count/factor_choice.h"
#include "match/count/hinge.h"

/* Counts at a hinge, if that is expected to be shorter than by this plan.  *counted: it did. */
ms_status ms_count_at_hinge(ms_counter *counter, const ms_shape *shape, const ms_count_plan *plan,
                            mpz_t maps, bool *counted);
/* Counts a shape that the domains divide at a hinge, if that is expected to be shorter than what
 * was chosen.  *counted: it did. */
ms_status ms_count_divided_at_hinge(ms_counter *counter, const ms_shape *shape,
                                    const ms_factor_choice *choice, mpz_t maps, bool *counted);
/* True if an estimate has found that the shape is counted at a hinge; then the plan may be NULL. */
bool ms_count_knows_hinge(const ms_counter *counter, const ms_shape *shape);
/* As ms_count_by_hinge. */
bool ms_count_hinge_pays(const ms_counter *counter, const ms_shape *shape,
                         const ms_count_plan *plan, ms_hinge *hinge, double *steps);
/* As ms_count_divided_by_hinge. */
bool ms_count_hinge_pays_divided(const ms_counter *counter, const ms_shape *shape,
                                 const ms_factor_choice *choice, ms_hinge *hinge, double *steps);

#endif
