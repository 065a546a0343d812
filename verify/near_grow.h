/* Grows every connected set of a graph that is near enough to a motif, for recounts. */
#ifndef MS_VERIFY_NEAR_GROW_H
#define MS_VERIFY_NEAR_GROW_H

#include "verify/near.h"

/* Receives a match, set[size] in any order, with its least cost; returns false to end the search.
 */
typedef bool (*ms_near_fn)(void *user, const uint32_t *set, uint32_t size, const ms_edits *edits);

typedef struct ms_near_search {
  const ms_query *query;
  ms_edit_limits limits;
  ms_run_limits run; /* only stop and progress: the number of vertices that are done */
  ms_near_fn found;
  void *user;
} ms_near_search;

/* Calls `found` once for each match.  Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if the token ended
 * the search.
 *
 * Sets grow by the method of Wernicke (ESU, IEEE/ACM TCBB 3(4), 2006), from their lowest vertex.
 * With a vertex more, a set fills at most one slot more.  So its further vertices never get fewer,
 * and a set with too many of them need not grow.  Nothing else is left out. */
ms_status ms_near_grow(const ms_near_search *search, ms_error *err);

#endif
