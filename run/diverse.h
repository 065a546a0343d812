/* Matches of a motif that share no vertex. */
#ifndef MS_RUN_DIVERSE_H
#define MS_RUN_DIVERSE_H

#include "motif/regions.h"
#include "run/run.h"

/* Finds matches of which no two share a vertex, until none can be added or run->limit is reached.
 * run->vertices receives them, sorted, and run->matches and run->count their number; this holds
 * after a stop, too.  *visits: the sets that were visited are added. */
ms_status ms_diverse_regions(ms_run *run, const ms_regions *regions, uint64_t *visits,
                             ms_error *err);

#endif
