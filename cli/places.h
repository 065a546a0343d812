/* Where outputs go, so that none is lost under another or over an input. */
#ifndef MS_CLI_PLACES_H
#define MS_CLI_PLACES_H

#include "cli/options.h"

/* MS_ERR_USAGE where an output of the command would replace an input, or two
 * outputs would go to one place, be it under two names. */
ms_status ms_check_places(const ms_cli_options *options, ms_error *err);

#endif
