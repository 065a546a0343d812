/* All states of growing sets as tables, for engines that cannot make them while they search.
 *
 * A set leads to the states of kinds.h.  Here sets that leave the same slots to be filled share one
 * state, however they came to it: a state is the family of the slot sets that its members can
 * occupy, and the number of mandatory vertices that are missing.  Slots that every kind fits alike
 * are exchanged freely, so that only how many of them are occupied counts. */
#ifndef MS_MOTIF_STATES_H
#define MS_MOTIF_STATES_H

#include "motif/kinds.h"
#include "motif/state_group.h"

typedef struct ms_states {
  uint32_t count, kinds;
  uint32_t *next;  /* [count][kinds] the state with one more vertex, for sets of up to size - 1;
                      MS_NO_STATE: the vertex does not fit, or no match contains such a set */
  uint32_t *joins; /* [count] number of the set of kinds that may join */
  uint32_t sets;   /* different sets of kinds */
  uint32_t kind_words;
  uint32_t *set;         /* [sets][kind_words] bit c: kind c is in it */
  uint32_t *group_begin; /* [count + 1] */
  ms_state_group *group; /* [group_begin[count]] of the states of sets of size - 2; others have
                            none */
} ms_states;

/* Makes the states of all sets of up to size - 1 vertices; state 0 is the empty set's.
 * MS_ERR_USAGE: they are too many, or would take too long to make. */
ms_status ms_states_new(const ms_kinds *kinds, ms_states **out, ms_error *err);
void ms_states_free(ms_states *states);

#endif
