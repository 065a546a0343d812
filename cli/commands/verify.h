/* What verify and report share. */
#ifndef MS_CLI_VERIFY_H
#define MS_CLI_VERIFY_H

#include "cli/options/options.h"

/* Returns the options of the check, without progress and limits of time. */
ms_verify_options ms_verify_options_of(const ms_cli_options *options);

#endif
