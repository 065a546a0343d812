/* Two ways to one result, where nobody can say before which of them is faster.
 *
 * The first way runs on the calling thread, the second on another one, which may wait before it
 * begins.  The first of them that has the result stops the other one. */
#ifndef MS_BASE_RACE_H
#define MS_BASE_RACE_H

#include "motifsieve.h"

typedef struct ms_race ms_race;

/* One way.  It polls `stop`, and returns MS_OK if it has the result.  Both ways have the same
 * `user`, and keep out of each other's results. */
typedef ms_status ms_race_fn(void *user, ms_race *race, const ms_stop *stop, ms_error *err);

typedef struct ms_race_end {
  bool second;  /* the second way has the result that the returned status is about */
  ms_error why; /* the reason for which the second way has none; MS_OK: it gave none */
} ms_race_end;

/* Runs both ways until one has the result, both have failed, or `stop` (may be NULL) ends both.
 * If neither has a result, it returns the status and the error of the first way. */
ms_status ms_race_run(const ms_stop *stop, ms_race_fn *first, ms_race_fn *second, void *user,
                      ms_race_end *end, ms_error *err);

/* For the second way: waits so many seconds, and returns false if the first way has ended before.
 */
bool ms_race_wait(ms_race *race, double seconds);
/* The same until `has_ended`, which may be NULL, returns true; it is asked every millisecond. */
bool ms_race_wait_for(ms_race *race, bool (*has_ended)(void));

#endif
