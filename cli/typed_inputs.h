/* The input of the subcommands that take a typed graph. */
#ifndef MS_CLI_TYPED_INPUTS_H
#define MS_CLI_TYPED_INPUTS_H

#include "cli/options.h"

/* The graph that the first operand names: a typed one, or a plain one whose
 * colours become the types of its vertices.  MS_ERR_USAGE: an option is given
 * that is not for such a file. */
ms_status ms_read_typed(const ms_cli_options *options, ms_typed **graph, ms_error *err);

/* Is any of the options given that only typed graphs have? */
bool ms_has_typed_options(const ms_typed_options *typed);

/* --verbose: what was read. */
void ms_tell_typed(const ms_typed *graph);

#endif
