/* What the signals that end a program do to it. */
#ifndef MS_CLI_SIGNALS_H
#define MS_CLI_SIGNALS_H

#include "motifsieve.h"

/* From now on the first SIGINT or SIGTERM requests a stop and a second one
 * kills, as SIGHUP does; NULL: all kill.  Killed, the program removes the
 * temporary files of its outputs.  `loud`: a note on standard error says that it stops. */
void ms_signals_to(ms_stop *stop, bool loud);

#endif
