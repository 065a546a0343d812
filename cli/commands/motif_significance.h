/* motifsieve list and screen with --significance or --permutations, whose result is neither matches
 * nor vertices. */
#ifndef MS_CLI_MOTIF_SIGNIFICANCE_H
#define MS_CLI_MOTIF_SIGNIFICANCE_H

#include "cli/job.h"

bool ms_motif_significance_is_wanted(const ms_cli_options *o);
/* Refuses options that have no effect on it. */
ms_status ms_motif_significance_check(const ms_cli_options *o, ms_error *err);

#endif
