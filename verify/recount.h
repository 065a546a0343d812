/* Inside verify/: the recounts, which look for matches that a result file lacks.
 *
 * ms_judge_recount (verify.h) recounts the maps of patterns; the backtracker below recounts the
 * connected sets of a motif.  Both stop and report in the same way. */
#ifndef MS_VERIFY_RECOUNT_H
#define MS_VERIFY_RECOUNT_H

#include "verify/verify.h"

/* Number of steps between two checks of the stop token. */
#define MS_POLL_STEPS 1024u

typedef struct ms_recount {
  const ms_stop *stop;
  mpz_ptr count;
  ms_found_fn found; /* may be NULL */
  void *user;
  uint64_t steps;
  bool over;        /* `found` returned false, or the token stopped the search */
  ms_status status; /* MS_OK, or why the token stopped the search */
} ms_recount;

/* Sets the count to 0 and begins a recount. */
void ms_recount_begin(ms_recount *recount, mpz_t count, ms_found_fn found, void *user);
/* Ends the search if the stop token says so. */
void ms_recount_poll(ms_recount *recount);
/* Counts one step of the search, and polls the stop token at some of them. */
static inline void ms_recount_step(ms_recount *recount)
{
  if (recount->steps++ % MS_POLL_STEPS == 0)
    ms_recount_poll(recount);
}
/* Counts one match and reports it. */
void ms_recount_match(ms_recount *recount, const uint32_t *row);
/* Returns the status of a search that has ended. */
ms_status ms_recount_outcome(const ms_recount *recount, ms_error *err);

/* ---- patterns ---------------------------------------------------------------------- */

/* The search for maps of a pattern, one after the other, that hold given vertices.  It keeps
 * pointers to the judge and the stop token. */
typedef struct ms_mapper ms_mapper;

ms_status ms_mapper_new(const ms_judge *judge, const ms_stop *stop, ms_mapper **out, ms_error *err);
void ms_mapper_free(ms_mapper *mapper);

/* Sets *yes if some map holds v and all required vertices, and no vertex w with allowed[w] == 0
 * (NULL: all are allowed).  The search ends at the first such map, which row[p] (may be NULL)
 * receives. */
ms_status ms_mapper_find(ms_mapper *mapper, uint32_t v, const uint8_t *allowed, bool *yes,
                         uint32_t *row, ms_error *err);

/* ---- motifs ------------------------------------------------------------------------ */

/* Sets slots[v], for v < n, to 0 where v is known to be in no match.  It keeps the slots of every
 * vertex that might be in one: every vertex whose component holds each slot's colour and every
 * required vertex, with each of them within k-1 hops of the vertex.  O(rounds * k * (n + m)). */
ms_status ms_recount_narrow(const ms_query *query, uint32_t *slots, ms_error *err);

/* A plain include/exclude backtracker over vertices.  Its only pruning is the matching between the
 * chosen vertices and the slots.  The time is exponential; it is meant for regions and small
 * cases. */
typedef struct ms_backtracker ms_backtracker;

/* Makes a backtracker over the vertices that ms_recount_narrow keeps, or over all vertices.  It
 * keeps pointers to the query and the stop token. */
ms_status ms_backtracker_new(const ms_query *query, bool narrow, const ms_stop *stop,
                             ms_backtracker **out, ms_error *err);
void ms_backtracker_free(ms_backtracker *backtracker);

/* Counts all matches; `found` (may be NULL) is called with set[k] ascending.  Returns MS_ERR_LIMIT
 * or MS_ERR_INTERRUPTED if it was stopped, with the count so far. */
ms_status ms_backtracker_list(ms_backtracker *backtracker, mpz_t count, ms_found_fn found,
                              void *user, ms_error *err);
/* Sets *yes if some match holds v, and no vertex w with allowed[w] == 0 (NULL: all are allowed).
 * The search ends at the first such match, which set[k] (may be NULL) receives. */
ms_status ms_backtracker_find(ms_backtracker *backtracker, uint32_t v, const uint8_t *allowed,
                              bool *yes, uint32_t *set, ms_error *err);

#endif
