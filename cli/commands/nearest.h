/* Searches for the nearest matches of a motif. */
#ifndef MS_CLI_NEAREST_H
#define MS_CLI_NEAREST_H

#include "cli/job.h"

/* Fills in how far a match may be from the motif, where the command line does not say it, and reads
 * the file of --substitute into the job, if one is given. */
ms_status ms_nearest_settle(ms_job *job, ms_screen_options *options, ms_error *err);
/* Returns the path that --substitute means; NULL: none is given. */
const char *ms_nearest_substitutes_path(const ms_cli_options *options);
/* True if the command line asks for matches that need not fit the motif exactly. */
bool ms_nearest_is_wanted(const ms_cli_options *options);
/* Says how near the nearest matches are, if a short search finds some.  No match of the motif was
 * found; is_exact: there is none. */
void ms_nearest_announce(const ms_job *job, bool is_exact);

#endif
