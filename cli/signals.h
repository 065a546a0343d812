/* Handling of the signals that end a program. */
#ifndef MS_CLI_SIGNALS_H
#define MS_CLI_SIGNALS_H

#include "motifsieve.h"

/* Makes the first SIGINT or SIGTERM request a stop from now on; a second one kills, as SIGHUP does.
 * NULL: all of them kill.  Before it dies, the program removes the temporary files of its outputs.
 * `loud`: a note on standard error says that it stops. */
void ms_catch_signals(ms_stop *stop, bool loud);

#endif
