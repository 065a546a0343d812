/* Text that grows, for the two ways a plan is written. */
#ifndef MS_PLAN_PLAN_WRITER_H
#define MS_PLAN_PLAN_WRITER_H

#include "plan/plan.h"

typedef struct ms_growing {
  char *text;        /* NUL-terminated once something was put */
  size_t used, room; /* without the NUL, with it */
  bool failed;       /* out of memory: what was put since is lost */
} ms_growing;

void ms_growing_put(ms_growing *growing, const char *format, ...) MS_PRINTF(2, 3);
/* Hand the text over, or say that there was no memory. */
ms_status ms_growing_end(ms_growing *growing, char **text, ms_error *err);
/* |Aut| of the plan's group. */
void ms_growing_put_order(ms_growing *growing, const ms_plan *plan);

#endif
