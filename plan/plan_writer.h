/* A text that grows, for the two encodings of a plan. */
#ifndef MS_PLAN_PLAN_WRITER_H
#define MS_PLAN_PLAN_WRITER_H

#include "plan/plan.h"

typedef struct ms_growing {
  char *text;        /* NUL-terminated after the first ms_growing_put */
  size_t used, room; /* bytes used, without the NUL; bytes allocated */
  bool failed;       /* memory ran out; everything written since is lost */
} ms_growing;

void ms_growing_put(ms_growing *growing, const char *format, ...) MS_PRINTF(2, 3);
/* Puts text in double quotes, as JSON has it. */
void ms_growing_put_json(ms_growing *growing, const char *text);
/* Gives the text to the caller, or fails if memory ran out. */
ms_status ms_growing_end(ms_growing *growing, char **text, ms_error *err);
/* Returns the number, from 1, of the relation that leads from the vertex of level `from` to the
 * vertex of `level`; only for a shape with labels (match/typed/shape.h). */
uint32_t ms_plan_relation(const ms_plan *plan, const ms_plan_level *level, uint32_t from);
/* Puts the order of the plan's group. */
void ms_growing_put_order(ms_growing *growing, const ms_plan *plan);

#endif
