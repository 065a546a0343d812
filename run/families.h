/* Families of the matches of a motif that overlap (motif/best/families.h). */
#ifndef MS_RUN_FAMILIES_H
#define MS_RUN_FAMILIES_H

#include "motif/regions.h"
#include "run/run.h"

/* Groups the rows of run->vertices, in their order, into families of matches that share at least
 * `share` of their vertices with a representative, of which there are at most `limit` (0: any
 * number).  Then run->vertices, run->matches and run->count are the representatives, and
 * result->family_size and result->family_matches say how many matches their families have.  If
 * the limit leaves out a match, run->stopped becomes MS_ERR_LIMIT.  After a stop, the matches
 * before it are grouped, of which the rows are fewer than the limit.  `n`: vertices of the
 * graph. */
ms_status ms_group_families(ms_run *run, uint32_t n, double share, uint64_t limit,
                            ms_list_result *result, ms_error *err);

/* Counts the matches of the regions for at most a second.  Fails with MS_ERR_MEMORY if so many rows
 * do not fit into the memory that the budget of the run has left. */
ms_status ms_families_check_memory(const ms_run *run, const ms_regions *regions, int threads,
                                   ms_error *err);

#endif
