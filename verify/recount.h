/* Inside verify/: the recounts, which look for matches that a result file lacks.
 *
 * ms_judge_recount (verify.h) recounts the maps of patterns; the backtracker below recounts the
 * connected sets of a motif.  Both stop and report in the same way. */
#ifndef MS_VERIFY_RECOUNT_H
#define MS_VERIFY_RECOUNT_H

#include "base/bitset.h"
#include "verify/verify.h"

/* What a match must hold: a colour of the motif, or a required vertex. */
#define MS_MAX_TARGETS (2 * MS_MAX_K)

/* Number of steps between two checks of the stop token. */
#define MS_POLL_STEPS 1024u

/* What a bounded search for one match found out. */
typedef enum ms_finding {
  MS_FOUND_NONE, /* there is none */
  MS_FOUND_MATCH,
  MS_FOUND_NOTHING_YET /* the search ended at its limit of steps, or was stopped */
} ms_finding;

typedef struct ms_recount {
  const ms_stop *stop;
  mpz_ptr count;
  ms_found_fn found; /* may be NULL */
  void *user;
  uint64_t steps, next_poll;
  uint64_t limit;   /* most steps */
  bool over;        /* `found` returned false, the steps are used up, or the token stopped it */
  bool used_up;     /* the steps are used up */
  ms_status status; /* MS_OK, or why the token stopped the search */
} ms_recount;

/* Sets the count to 0 and begins a recount without a limit of steps. */
void ms_recount_begin(ms_recount *recount, mpz_t count, ms_found_fn found, void *user);
/* Ends the search if its steps are used up, or if the stop token says so. */
void ms_recount_poll(ms_recount *recount);
/* Counts one step of the search, and polls the stop token at some of them. */
static inline void ms_recount_step(ms_recount *recount)
{
  if (recount->steps++ == recount->next_poll)
    ms_recount_poll(recount);
}
/* Counts `count` steps at once. */
static inline void ms_recount_steps(ms_recount *recount, uint64_t count)
{
  recount->steps += count;
  if (recount->steps > recount->next_poll)
    ms_recount_poll(recount);
}
/* Counts one match and reports it. */
void ms_recount_match(ms_recount *recount, const uint32_t *row);
/* Returns what a search for one match found out. */
ms_finding ms_recount_finding(const ms_recount *recount);
/* Returns the status of a search that has ended. */
ms_status ms_recount_outcome(const ms_recount *recount, ms_error *err);

/* ---- patterns ---------------------------------------------------------------------- */

/* Number of words of a set of pattern vertices. */
#define MS_DOMAIN_WORDS(judge) (((judge)->p + 63) / 64)

/* The search for one map of a pattern that holds a given vertex.  It keeps pointers to the judge
 * and the stop token. */
typedef struct ms_mapper ms_mapper;

ms_status ms_mapper_new(const ms_judge *judge, const ms_stop *stop, ms_mapper **out, ms_error *err);
void ms_mapper_free(ms_mapper *mapper);

/* Restricts the following searches to vertices v with allowed[v] (NULL: all), which is read only
 * now.  Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if it was stopped. */
ms_status ms_mapper_restrict(ms_mapper *mapper, const uint8_t *allowed, ms_error *err);
/* Excludes v from these searches, until they are restricted again. */
void ms_mapper_strike(ms_mapper *mapper, uint32_t v);
/* Searches for a map that holds v and all required vertices, with about `effort` steps.  It ends at
 * the first such map, which row[p] receives.  ms_mapper_restrict must have been called. */
ms_status ms_mapper_find(ms_mapper *mapper, uint32_t v, uint64_t effort, ms_finding *finding,
                         uint32_t *row, ms_error *err);

/* ---- motifs ------------------------------------------------------------------------ */

/* Sets slots[v], for v < n, to 0 where v is known to be in no match.  It keeps the slots of every
 * vertex that might be in one: every vertex whose component holds each slot's colour and every
 * required vertex, with each of them within k-1 hops of the vertex.  Takes a byte per vertex and
 * slot or required vertex, and time in proportion to k (n + m) where vertices drop out once.  If
 * the token stops it, it keeps more, and a later search ends at once. */
ms_status ms_recount_narrow(const ms_query *query, uint32_t *slots, const ms_stop *stop,
                            ms_error *err);

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
/* Restricts the following searches for one match to vertices v with allowed[v], which is read only
 * now.  Returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED if it was stopped. */
ms_status ms_backtracker_restrict(ms_backtracker *backtracker, const uint8_t *allowed,
                                  ms_error *err);
/* Excludes v from these searches, until they are restricted again. */
void ms_backtracker_strike(ms_backtracker *backtracker, uint32_t v);
/* True if some slot takes both vertices, so that v may replace u in a match. */
bool ms_backtracker_can_swap(const ms_backtracker *backtracker, uint32_t u, uint32_t v);
/* These two search for a match that holds v, with about `effort` steps, and end at the first, which
 * set[k] receives.  ms_backtracker_restrict must have been called.  The first grows sets at random
 * (grow.h), and returns true if it succeeded; the second backtracks, and so finds out if there is
 * none. */
bool ms_backtracker_grow(ms_backtracker *backtracker, uint32_t v, uint64_t effort, uint32_t *set);
ms_status ms_backtracker_find(ms_backtracker *backtracker, uint32_t v, uint64_t effort,
                              ms_finding *finding, uint32_t *set, ms_error *err);

#endif
