/* Inside verify/: the recounts, which look for matches that a result file lacks.
 *
 * Maps of patterns are recounted by ms_judge_recount (verify.h), connected sets of a motif by the
 * backtracker below.  Both stop and report in the same way. */
#ifndef MS_VERIFY_RECOUNT_H
#define MS_VERIFY_RECOUNT_H

#include "verify/verify.h"

typedef struct ms_recount {
  const ms_stop *stop;
  mpz_ptr count;
  ms_found_fn found; /* may be NULL */
  void *user;
  uint64_t steps;
  bool over;        /* `found` returned false, or the token stopped the search */
  ms_status status; /* MS_OK, or why the token stopped the search */
} ms_recount;

/* Set the count to 0, and start to count. */
void ms_recount_begin(ms_recount *recount, mpz_t count, ms_found_fn found, void *user);
/* One step of a search, which ends it if the token says so. */
void ms_recount_step(ms_recount *recount);
/* One match. */
void ms_recount_match(ms_recount *recount, const uint32_t *row);
/* The status of a search that has ended. */
ms_status ms_recount_outcome(const ms_recount *recount, ms_error *err);

/* ---- motifs ------------------------------------------------------------------------ */

/* Sets slots[n] to 0 where the vertex is known to be in no match.  It keeps the slots of every
 * vertex that might be in one: in components that hold every slot's colour and every required
 * vertex, with each of them within k-1 hops.  O(rounds * k * (n + m)). */
ms_status ms_recount_narrow(const ms_query *query, uint32_t *slots, ms_error *err);

/* A plain include/exclude backtracker over vertices: no pruning except for the slot matching of the
 * vertices chosen so far.  Exponential; meant for regions and small cases. */
typedef struct ms_backtracker ms_backtracker;

/* Over the vertices that ms_recount_narrow keeps, or over all.  Keeps the query and the token. */
ms_status ms_backtracker_new(const ms_query *query, bool narrow, const ms_stop *stop,
                             ms_backtracker **out, ms_error *err);
void ms_backtracker_free(ms_backtracker *backtracker);

/* Count all matches; `found` (may be NULL) is called with set[k] ascending.
 * MS_ERR_LIMIT or MS_ERR_INTERRUPTED when stopped, with the count so far. */
ms_status ms_backtracker_list(ms_backtracker *backtracker, mpz_t count, ms_found_fn found,
                              void *user, ms_error *err);
/* Is there a match that holds v?  Ends at the first, which set[k] (may be NULL) receives. */
ms_status ms_backtracker_find(ms_backtracker *backtracker, uint32_t v, bool *yes, uint32_t *set,
                              ms_error *err);
/* Strike out a vertex that is known to be in no match. */
void ms_backtracker_strike(ms_backtracker *backtracker, uint32_t v);

#endif
