/* Inside census/: a census by shape on GPUs. */
#ifndef MS_CENSUS_SHAPES_GPU_H
#define MS_CENSUS_SHAPES_GPU_H

#include "census/job.h"

#define MS_GRAPHLET_REASON 160u

/* True if formulas, or triangles, count all sets faster than any search. */
bool ms_graphlet_has_formulas(const ms_census_job *job);
/* Returns about how many seconds processors take for a census of so many estimated sets. */
double ms_graphlet_seconds(const ms_census_job *job, double sets);
/* Decides for GPUs or processors, and says why: `why_not` says why no GPU is asked; NULL: the
 * estimates decide. */
bool ms_graphlet_prefer_gpus(const ms_census_job *job, double sets, const char *why_not,
                             char reason[MS_GRAPHLET_REASON]);
/* Adds the sets of a share to the totals, whose tables are open; NULL: all sets.  `sets`: about how
 * many all are.  After a failure, nothing is added.  *overflow: some number has no 63 bits. */
ms_status ms_graphlet_search_on_gpus(ms_census_job *job, const ms_share *share, double sets,
                                     bool *overflow, ms_error *err);
/* Sets *key to what the key of an entry says, of whose kinds each has so many bits, without the
 * number of its network; false: no GPU says so that works. */
bool ms_graphlet_unpack(const ms_census_job *job, uint32_t kind_bits, uint64_t packed,
                        ms_multiset *key);
/* Moves the rows that a GPU has found to `rows`, and adds their sets.  Returns false if some number
 * has no 63 bits. */
bool ms_graphlet_take_rows(ms_census_job *job, ms_census_rows *rows, uint64_t *sets);

#endif
