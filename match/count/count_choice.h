/* The plan of one way to count a small shape (count_ways.h), which may be that of an inner pattern.
 * This file has also what count.h says of plans that are already made. */
#ifndef MS_MATCH_COUNT_COUNT_CHOICE_H
#define MS_MATCH_COUNT_COUNT_CHOICE_H

#include "match/count/count_cost.h"

/* Sets the facts of the estimator's graph and shape. */
void ms_count_plan_input(const ms_count_estimator *e, ms_order order, ms_plan_input *input);
/* Sets the vertices that come last, and the levels with constraints, by the options of the plan.  A
 * tail of one vertex keeps all constraints of the group.  With priority, every tail keeps those of
 * the root. */
void ms_count_plan_set_last(const ms_shape *shape, ms_count_plan *plan, ms_plan_input *input);
/* Makes the plan of a choice.  out->options has the choice's inner plan, if there is one, and says
 * whether tables may be used. */
ms_status ms_count_plan_of_choice(const ms_count_choice *choice, const ms_shape *shape,
                                  ms_plan_input *input, ms_count_plan *out, ms_error *err);

/* Multiplies maps by the number of automorphisms that the constraints of the plan, whose program is
 * made, break: each match that its program counts stands for as many maps. */
void ms_count_multiply_back(const ms_count_plan *plan, mpz_t maps);

#endif
