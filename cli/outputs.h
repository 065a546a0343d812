/* The outputs of a command: opened before its work, and put in their places together after it. */
#ifndef MS_CLI_OUTPUTS_H
#define MS_CLI_OUTPUTS_H

#include "cli/options.h"

/* Runs the command of the options between opening its outputs and putting them in their places.
 * Returns the exit code. */
int ms_run_with_outputs(const ms_cli_options *options);

#endif
