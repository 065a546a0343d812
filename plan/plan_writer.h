/* Text that grows, for the two encodings of a plan. */
#ifndef MS_PLAN_PLAN_WRITER_H
#define MS_PLAN_PLAN_WRITER_H

#include "plan/plan.h"

typedef struct ms_growing {
  char *text;        /* NUL-terminated once something was put */
  size_t used, room; /* without the NUL, with it */
  bool failed;       /* memory ran out; everything written since is lost */
} ms_growing;

void ms_growing_put(ms_growing *growing, const char *format, ...) MS_PRINTF(2, 3);
/* Gives the text to the caller, or fails if memory ran out. */
ms_status ms_growing_end(ms_growing *growing, char **text, ms_error *err);
/* |Aut| of the plan's group. */
void ms_growing_put_order(ms_growing *growing, const ms_plan *plan);

#endif
