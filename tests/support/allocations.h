/* An allocator that counts requests, blocks and bytes, and whose n-th request fails. */
#ifndef MS_TESTS_SUPPORT_ALLOCATIONS_H
#define MS_TESTS_SUPPORT_ALLOCATIONS_H

#include "motifsieve.h"

#include <stdatomic.h>

typedef struct meter {
  long fail_at;          /* the request to fail, counted from 1; 0: none */
  bool fails_on;         /* all later requests fail, too */
  atomic_bool shrinking; /* the request that failed was to make a block smaller */
  atomic_long requests;
  atomic_long live;                /* blocks that are not released */
  atomic_size_t bytes, most_bytes; /* in live blocks: now, and at most so far */
  atomic_size_t largest;           /* the largest request in bytes */
} meter;

/* Resets the counts and makes the meter the allocator of the library; any number of threads may use
 * it.  A block that is resized always moves, so that a sanitizer sees the use of a stale pointer.
 */
void meter_start(meter *m);
/* Brings back the usual allocator. */
void meter_stop(void);
/* True if the request that is to fail has been made. */
bool meter_has_failed(const meter *m);

/* Runs `work` with the first request failing, then the second, and so on, until a run makes fewer
 * requests. Each run must return MS_ERR_MEMORY with a message that says so (or MS_OK where a block
 * could not be made smaller) and leave no block behind.  Returns the number of runs that failed;
 * aborts the test where a run is wrong. */
long failing_runs(ms_status (*work)(void *user, ms_error *err), void *user);
/* Does the same with work that can do without some of its blocks; `work` checks its result. */
long failing_runs_survived(ms_status (*work)(void *user, ms_error *err), void *user);
/* Does the same with the reading of a graph, which must make more than ten requests. */
void failing_graph_reads(const char *path, const ms_graph_options *options);

#endif
