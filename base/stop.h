/* Stop token: a flag that a signal handler may set, and a deadline. */
#ifndef MS_BASE_STOP_H
#define MS_BASE_STOP_H

#include "motifsieve.h"

/* Returns MS_OK to continue, MS_ERR_INTERRUPTED after a request, or MS_ERR_LIMIT after
 * the deadline; NULL never stops.  It may be called every few microseconds. */
ms_status ms_stop_check(const ms_stop *stop);

/* Returns the seconds of a monotonic clock. */
double ms_seconds(void);

#endif
