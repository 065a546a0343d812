/* The bottleneck profile of a motif. */
#ifndef MS_RUN_PROFILE_H
#define MS_RUN_PROFILE_H

#include "run/run.h"

/* Fills result->score: for each flagged vertex the greatest score t such that the vertex is in a
 * match whose edges of at least t connect it.  The exact screen of the instance, which pruning
 * left, is in *result.  After a stop, which is MS_ERR_LIMIT or MS_ERR_INTERRUPTED, the scores are
 * lower bounds, and result->settled says of how many vertices the score is known. */
ms_status ms_screen_profile(ms_run *run, const ms_query *query, const ms_instance *instance,
                            int threads, ms_screen_result *result, ms_error *err);

#endif
