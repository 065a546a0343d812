/* The greatest sums of vertex scores of a screen (motif/best_sums.h). */
#ifndef MS_RUN_BEST_SUMS_H
#define MS_RUN_BEST_SUMS_H

#include "run/run.h"

/* Fills in result->best_sum, which is all 0, for the vertices that an exact screen of the instance
 * has flagged.  Where the sum is not known to be the greatest, result->settled does not count the
 * vertex.  Returns the status of a stop, too. */
ms_status ms_screen_best_sums(ms_run *run, const ms_instance *instance,
                              const ms_vertex_scores *scores, int threads, ms_screen_result *result,
                              ms_error *err);

#endif
