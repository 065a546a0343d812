/* The two kinds of patterns of 'motifsieve match'. */
#ifndef MS_CLI_MATCH_H
#define MS_CLI_MATCH_H

#include "cli/job.h"

/* These two search for the job's pattern and write what they find; they return an exit code. */
int ms_match_plain(ms_job *job, ms_error *err);
int ms_match_typed(ms_job *job, ms_error *err);

#endif
