/* The judge.  Shares no code with the sieve, the pruning or the enumerators:
 * it reads the input graph, the colours and the motif, and nothing else. */
#ifndef MS_VERIFY_VERIFY_H
#define MS_VERIFY_VERIFY_H

#include "base/stop.h"
#include "query/query.h"

#include <gmp.h>

typedef enum ms_verdict {
  MS_MATCH_OK = 0,
  MS_MATCH_REPEATS_VERTEX,
  MS_MATCH_OUT_OF_RANGE,
  MS_MATCH_NOT_CONNECTED,
  MS_MATCH_COLORS_DO_NOT_FIT,
  MS_MATCH_LACKS_REQUIRED
} ms_verdict;

const char *ms_verdict_text(ms_verdict verdict);

/* Check one match: set[k] vertex ids of the query's graph, any order.  No
 * search but a k x k bipartite matching; O(k^2 log degree). */
ms_verdict ms_verify_match(const ms_query *query, const uint32_t *set);

/* Called per match with set[k] ascending; return false to stop. */
typedef bool (*ms_recount_fn)(void *user, const uint32_t *set);

/* Recount by a plain include/exclude backtracker over vertices: no pruning
 * but the slot matching of what is chosen so far.  Exponential; meant for
 * regions and small cases.  count is initialised by the caller; found may be
 * NULL.  MS_ERR_LIMIT / MS_ERR_INTERRUPTED when stopped, with the count so far. */
ms_status ms_recount(const ms_query *query, mpz_t count, ms_recount_fn found, void *user,
                     const ms_stop *stop, ms_error *err);

/* Is there a match that holds v?  Same backtracker, ends at the first. */
ms_status ms_recount_has_match(const ms_query *query, uint32_t v, bool *yes, const ms_stop *stop,
                               ms_error *err);

#endif
