/* A random sample of the matches of a motif. */
#ifndef MS_RUN_SAMPLE_H
#define MS_RUN_SAMPLE_H

#include "motif/regions.h"
#include "run/run.h"

/* Draws options->sample matches of all regions, or all matches if there are fewer.  run->vertices
 * receives them, sorted, run->matches and run->count their number, and result->sampled_from the
 * number of all matches.  After a stop there are none, since a part of them would not be a random
 * sample.  *visits: the sets that were visited are added. */
ms_status ms_sample_regions(ms_run *run, const ms_regions *regions, const ms_list_options *options,
                            ms_list_result *result, uint64_t *visits, ms_error *err);

#endif
