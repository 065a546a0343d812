/* The part of 'motifsieve screen' that is for patterns. */
#ifndef MS_CLI_SCREEN_PATTERN_H
#define MS_CLI_SCREEN_PATTERN_H

#include "cli/job.h"

/* Finds and writes the vertices that take part in a match of the job's pattern; returns an exit
 * code. */
int ms_screen_pattern(ms_job *job, ms_error *err);

#endif
