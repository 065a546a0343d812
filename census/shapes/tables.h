/* Inside census/: the tables of a census by shape, in the job of a census (census/job.h). */
#ifndef MS_CENSUS_SHAPES_TABLES_H
#define MS_CENSUS_SHAPES_TABLES_H

#include "census/job.h"

/* Sets in a 64-bit number, with room for what rounding adds. */
#define MS_GRAPHLET_MOST_SETS 9e18

/* Opens the tables of all threads; job->is_dense says which. */
ms_status ms_graphlet_tables_open(ms_census_job *job, ms_error *err);
void ms_graphlet_tables_close(ms_census_job *job);
/* Makes the totals zero; ms_census_job_clear does so with the shared tally. */
void ms_graphlet_tables_clear(ms_census_job *job);
/* Searches an item; false: not to its end. */
bool ms_graphlet_tables_search(ms_census_job *job, int thread, const ms_census_item *item);
/* Takes what all threads hold into the totals; *overflow: some number has no 63 bits. */
ms_status ms_graphlet_tables_gather(ms_census_job *job, bool *overflow, ms_error *err);
/* MS_ERR_MEMORY: the totals lack something; *overflow as before. */
ms_status ms_graphlet_tables_check(const ms_census_job *job, bool *overflow, ms_error *err);
/* MS_ERR_MEMORY, with what can be done. */
ms_status ms_graphlet_fail_memory(ms_error *err);
/* Sets that were visited. */
uint64_t ms_graphlet_tables_visits(const ms_census_job *job);

#endif
