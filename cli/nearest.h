/* Searches for the nearest matches of a motif. */
#ifndef MS_CLI_NEAREST_H
#define MS_CLI_NEAREST_H

#include "cli/job.h"

/* Fills in how far a match may be from the motif, where the command line does not say it. */
void ms_nearest_settle(const ms_job *job, ms_screen_options *options);
/* Says how near the nearest matches are, if a short search finds some.  There must be no match of
 * the motif itself. */
void ms_nearest_announce(const ms_job *job);

#endif
