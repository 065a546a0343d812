/* How long a job takes, from the time of a small part of it. */
#ifndef MS_BASE_FORECAST_H
#define MS_BASE_FORECAST_H

#include "base/progress.h"

/* Does one of `parts` equal parts of a job, and forgets its result.  It ends when the token stops,
 * which is also that of the thread. */
typedef ms_status ms_forecast_part_fn(void *user, uint32_t parts, ms_stop *stop, ms_error *err);

/* Returns the seconds of a job that has so many units, from parts of growing size: the time of each
 * is taken to be that of its preparation, which is the same for all, and that of its share of the
 * job.  The last part takes about 0.1 s, and at most 0.5 s; *kind: whether it took longer,
 * as the job may.  A job that is short, has few units or cannot be run has the forecast 0. */
double ms_forecast_by_parts(uint64_t units, ms_forecast_part_fn *part, void *user,
                            const ms_stop *stop, ms_forecast_kind *kind);

#endif
