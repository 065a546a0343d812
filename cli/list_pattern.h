/* list --pattern, and what plan has in common with it. */
#ifndef MS_CLI_LIST_PATTERN_H
#define MS_CLI_LIST_PATTERN_H

#include "cli/job.h"

/* An exit code. */
int ms_list_pattern(const ms_cli_options *options);

/* The library's options for what the job's say, without a receiver of rows. */
void ms_pattern_options_of(ms_job *job, ms_pattern_options *options);

#endif
