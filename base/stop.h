/* Stop token: a flag that a signal handler may set, and a deadline. */
#ifndef MS_BASE_STOP_H
#define MS_BASE_STOP_H

#include "motifsieve.h"

/* MS_OK to go on, MS_ERR_INTERRUPTED after a request, MS_ERR_LIMIT after the
 * deadline; NULL never stops.  Cheap enough for every few microseconds. */
ms_status ms_stop_check(const ms_stop *stop);

/* Seconds on a monotonic clock. */
double ms_seconds(void);

#endif
