/* Inside census/: the motifs of the multisets of kinds that a job has counted. */
#ifndef MS_CENSUS_MOTIFS_H
#define MS_CENSUS_MOTIFS_H

#include "census/job.h"

/* Sets *sets to the number of all sets, and fills rows, in no order, or wanted->count; `wanted` may
 * be NULL. */
ms_status ms_census_job_expand(ms_census_job *job, ms_census_wanted *wanted, ms_census_rows *rows,
                               uint64_t *sets, ms_error *err);

#endif
