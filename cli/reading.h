/* The limits of reading: --memory and --timeout. */
#ifndef MS_CLI_READING_H
#define MS_CLI_READING_H

#include "cli/options.h"

/* Makes a stop token for --timeout, which begins now, and makes it that of the thread; --memory
 * bounds all that is read before ms_reading_end.  The caller ends both, also after a failure. */
ms_status ms_reading_begin(const ms_cli_options *options, ms_stop **stop, ms_error *err);
/* Ends the bound of memory: a search has its own.  The token stays that of the thread. */
void ms_reading_end(void);
/* Frees the token. */
void ms_reading_free(ms_stop *stop);

#endif
