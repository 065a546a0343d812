/* What the two encodings of a plan share. */
#ifndef MS_PLAN_PLAN_WRITER_H
#define MS_PLAN_PLAN_WRITER_H

#include "base/text/growing.h"
#include "plan/plan.h"

/* Returns the number, from 1, of the relation that leads from the vertex of level `from` to the
 * vertex of `level`; only for a shape with labels (match/typed/shape.h). */
uint32_t ms_plan_relation(const ms_plan *plan, const ms_plan_level *level, uint32_t from);
/* Puts the order of the plan's group. */
void ms_growing_put_order(ms_growing *growing, const ms_plan *plan);

#endif
