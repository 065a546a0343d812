/* The input of the subcommands that take a typed graph. */
#ifndef MS_CLI_TYPED_INPUTS_H
#define MS_CLI_TYPED_INPUTS_H

#include "cli/job.h"

/* The graph that the first operand names: a typed one, or a plain one whose
 * colours become the types of its vertices.  MS_ERR_USAGE: an option is given
 * that is not for such a file. */
ms_status ms_read_typed(const ms_cli_options *options, ms_typed **graph, ms_error *err);

/* The same; a plain graph and its colours stay in `graph` and `coloring` of the
 * job, whose options it takes and which must be closed in any case. */
ms_status ms_read_typed_job(ms_job *job, ms_typed **graph, ms_error *err);

/* Is any of the options given that only typed graphs have? */
bool ms_has_typed_options(const ms_cli_options *options);

/* --verbose: what was read. */
void ms_tell_typed(const ms_typed *graph);

#endif
