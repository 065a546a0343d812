/* screen and list of many motifs. */
#ifndef MS_CLI_MANY_MOTIFS_H
#define MS_CLI_MANY_MOTIFS_H

#include "cli/job.h"

/* Does the work of a job that was opened with --motifs; returns the exit code. */
int ms_run_motifs(ms_job *job, ms_error *err);

#endif
