/* The screen for the nearest match of each vertex. */
#ifndef MS_RUN_NEAREST_H
#define MS_RUN_NEAREST_H

#include "run/run.h"

/* Is ms_screen, with its memory in the budget, where the options have max_missing or max_extra. */
ms_status ms_screen_nearest(const ms_query *query, const ms_screen_options *options,
                            ms_budget *budget, ms_screen_result **out, ms_error *err);
#endif
