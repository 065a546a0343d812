/* Stop token: a flag that a signal handler may set, and a deadline; and reports of progress. */
#ifndef MS_BASE_STOP_H
#define MS_BASE_STOP_H

#include "motifsieve.h"

/* Returns MS_OK to continue, MS_ERR_INTERRUPTED after a request, or MS_ERR_LIMIT after
 * the deadline; NULL never stops.  It may be called every few microseconds. */
ms_status ms_stop_check(const ms_stop *stop);

/* Returns the seconds until the deadline, which may have passed; INFINITY if there is none, or for
 * NULL. */
double ms_stop_left(const ms_stop *stop);

/* The token of the calling thread, which calls without an option for a token poll, and code that is
 * too deep to be handed one: ms_stop_attach sets it, and each call with a token in its options for
 * its own time (ms_stop_enter).  Other threads do not see it, so that a parallel loop reads it
 * before it begins. */
const ms_stop *ms_stop_current(void);
/* Makes `stop` the token of the thread, unless it is NULL; returns the one before, which
 * ms_stop_leave restores. */
ms_stop *ms_stop_enter(ms_stop *stop);
void ms_stop_leave(ms_stop *before);

/* Ends work that has no result before its end: MS_OK to go on; otherwise fails with the reason, if
 * the token of the thread is stopped.  `what` is the work, such as "vertices are pruned". */
ms_status ms_stop_poll(const char *what, ms_error *err);

/* Makes a token that stops when `parent` (may be NULL) does, and after this many seconds, unless
 * they are 0.  The parent must outlive it. */
ms_status ms_stop_child(const ms_stop *parent, double seconds, ms_stop **out, ms_error *err);

/* For tests: makes the token read as stopped, with MS_ERR_LIMIT, from the check after this many on.
 * Checks of its children count.  ms_stop_looks returns how many there have been since. */
void ms_stop_after_looks(ms_stop *stop, uint64_t looks);
uint64_t ms_stop_looks(const ms_stop *stop);

/* Returns the seconds of a monotonic clock. */
double ms_seconds(void);

/* Calls the progress function of these limits, if there is one. */
static inline void ms_limits_report(const ms_run_limits *run, const char *what, uint64_t done,
                                    uint64_t total)
{
  if (run->progress)
    run->progress(run->progress_user, what, done, total);
}

#endif
