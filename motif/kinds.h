/* Kinds of vertices, and what a set of them leaves to be filled.
 *
 * Two vertices are of one kind if they fit the same slots, and both or neither of them are in
 * every match.  Which vertices may join a set depends only on the kinds of its members.  So a
 * growing set is in a state of an automaton, and a vertex of some kind leads to the next state.  A
 * search that meets many sets looks the state up and does not match the slots again. */
#ifndef MS_MOTIF_KINDS_H
#define MS_MOTIF_KINDS_H

#include "base/budget.h"
#include "motif/ranked.h"
#include "motif/slot_state.h"

typedef struct ms_kind {
  uint32_t mask;
  uint32_t mandatory; /* 1: every match contains each vertex of the kind; or 0 */
} ms_kind;

/* Neighbouring ranks of one kind. */
typedef struct ms_kind_run {
  uint32_t begin, end; /* ranks begin..end-1 */
  uint32_t kind;
} ms_kind_run;

typedef struct ms_kinds {
  const ms_ranked *ranked;
  uint32_t count, runs;
  ms_kind *kind;    /* [count] */
  ms_kind_run *run; /* [runs] all ranks, ascending */
} ms_kinds;

/* Finds the kinds of the vertices; `ranked` must outlive them. */
ms_status ms_kinds_of(const ms_ranked *ranked, ms_kinds *out, ms_error *err);
void ms_kinds_free(ms_kinds *kinds);
/* Returns the kind of a rank. */
uint32_t ms_kinds_at(const ms_kinds *kinds, uint32_t rank);

/* A set, as far as it matters for what may join it. */
typedef struct ms_fit {
  ms_slot_state slots;
  uint32_t size;           /* vertices in the set */
  uint32_t missing;        /* mandatory vertices that are not in it */
  bool only_mandatory;     /* as many are missing as vertices have to be added */
  uint32_t kind[MS_MAX_K]; /* [size] the kinds of the members, ascending */
  uint32_t first, last;    /* words of `fits` that may not be 0: first..last-1, whole vectors */
  uint64_t *fits;          /* [words] bit r: rank r may join; NULL: rows are not wanted */
  uint64_t of, takes;      /* for callers that fill `fits` with other bits: what for, and which of
                              their kinds may join */
  struct ms_fit **to;      /* [kinds] the state with one more vertex; NULL: not made yet; a state of
                              size 0: no match contains such a set.  to itself is NULL if the state
                              is not kept */
  struct ms_fit *same;     /* the next state with the same hash value */
} ms_fit;

/* The words of a row of bits come in vectors of this many. */
#define MS_FIT_VECTOR 8u

/* The states that one thread has met. */
typedef struct ms_fits ms_fits;

/* words: the length of the rows `fits`, a multiple of MS_FIT_VECTOR; 0: none.  With `by_ranks` they
 * hold all ranks and are filled; otherwise the caller fills them.  At most `bytes` are kept in
 * states, and these are reserved in the budget while they are used.  `kinds` must outlive the
 * states. */
ms_status ms_fits_new(const ms_kinds *kinds, uint32_t words, bool by_ranks, uint64_t bytes,
                      ms_budget *budget, ms_fits **out, ms_error *err);
void ms_fits_free(ms_fits *fits);

/* Returns the state of the empty set. */
ms_fit *ms_fits_begin(const ms_fits *fits);
/* Returns the state with one more vertex of this kind, or NULL if no match contains such a set.
 * A state that could not be kept is valid until this is called again for a set of the same size.
 * The kind must fit: kind.mask & state->slots.usable is not 0. */
ms_fit *ms_fits_make(ms_fits *fits, const ms_fit *state, uint32_t kind);

static inline ms_fit *ms_fits_next(ms_fits *fits, const ms_fit *state, uint32_t kind)
{
  ms_fit *next = state->to ? state->to[kind] : NULL;
  if (!next)
    return ms_fits_make(fits, state, kind);
  return next->size ? next : NULL;
}

/* True if a vertex of this kind may join. */
static inline bool ms_fit_takes(const ms_fit *state, ms_kind kind)
{
  return (kind.mask & state->slots.usable) && (!state->only_mandatory || kind.mandatory);
}

#endif
