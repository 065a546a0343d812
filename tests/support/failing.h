/* An allocator whose n-th request fails. */
#ifndef MS_TESTS_SUPPORT_FAILING_H
#define MS_TESTS_SUPPORT_FAILING_H

#include "motifsieve.h"

/* Run `work` with the first request failing, then the second, .. until it is
 * through: each run must return MS_ERR_MEMORY (MS_OK where a block could not
 * be made smaller) and leave no block behind.  Returns the number of failed
 * runs; aborts the test where a run is wrong. */
long failing_runs(ms_status (*work)(void *user, ms_error *err), void *user);
/* The same of work that can do without some of what it asks for; `work` looks at its result. */
long failing_runs_survived(ms_status (*work)(void *user, ms_error *err), void *user);

#endif
