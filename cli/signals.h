/* Handling of the signals that end a program; docs/GUARANTEES.md has a table of them. */
#ifndef MS_CLI_SIGNALS_H
#define MS_CLI_SIGNALS_H

#include "motifsieve.h"

/* Makes the first of SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGUSR1 and SIGUSR2 request a stop from now
 * on; a second SIGINT or SIGTERM kills.  NULL: all of them kill.  Before it dies, the program
 * removes the scratch files of its outputs.  `loud`: a note on standard error says that it
 * stops. */
void ms_catch_signals(ms_stop *stop, bool loud);

/* From now on a write to a closed pipe, or beyond the greatest size of a file, fails, and no longer
 * kills: a closed standard error must not cost the result. */
void ms_signals_keep_outputs(void);
/* True once nobody reads standard output any more.  The program then ends without a message. */
bool ms_signals_reader_is_gone(void);
/* In that case, ends the program by SIGPIPE, as its callers expect. */
void ms_signals_end_for_pipe(void);

#endif
