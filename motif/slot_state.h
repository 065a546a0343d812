/* The slots of a motif while a set grows: which are taken, and which can still be filled.
 *
 * The vertices of the set are matched to slots at every step.  A slot is *usable* if an
 * alternating path leads from it to a vacant one, so a vertex fits the set if and only if its
 * mask holds a usable slot: one AND (Berge). */
#ifndef MS_MOTIF_SLOT_STATE_H
#define MS_MOTIF_SLOT_STATE_H

#include "motifsieve.h"

#include <string.h>

typedef struct ms_slot_state {
  uint32_t vacant;             /* slots without an occupant */
  uint32_t usable;             /* slots from which an alternating path leads to a vacant one */
  uint32_t occupant[MS_MAX_K]; /* [slot] mask of the vertex that occupies it */
  uint8_t next[MS_MAX_K];      /* [slot] usable slot that its occupant could move to */
} ms_slot_state;

/* All k slots are vacant. */
static inline void ms_slot_state_begin(ms_slot_state *state, uint32_t k)
{
  state->vacant = state->usable = UINT32_MAX >> (32 - k);
}

/* Copies what matters with k slots. */
static inline void ms_slot_state_copy(ms_slot_state *to, const ms_slot_state *from, uint32_t k)
{
  memcpy(to->occupant, from->occupant, k * sizeof *to->occupant);
  memcpy(to->next, from->next, k);
  to->vacant = from->vacant;
  to->usable = from->usable;
}

/* Closes `usable` under alternating paths: a slot is usable if it is vacant or if its
 * occupant can move to a usable slot. */
static inline void ms_slot_state_close(ms_slot_state *state, uint32_t k)
{
  uint32_t all = UINT32_MAX >> (32 - k), usable = state->vacant, before = 0;
  while (usable != before) {
    before = usable;
    for (uint32_t rest = all & ~usable; rest; rest &= rest - 1) {
      uint32_t slot = (uint32_t)__builtin_ctz(rest);
      uint32_t move = state->occupant[slot] & usable;
      if (move) {
        state->next[slot] = (uint8_t)__builtin_ctz(move);
        usable |= 1u << slot;
      }
    }
  }
  state->usable = usable;
}

/* Gives a slot to a vertex along one alternating path; mask & usable must not be 0. */
static inline void ms_slot_state_fill(ms_slot_state *state, uint32_t k, uint32_t mask)
{
  uint32_t direct = mask & state->vacant;
  uint32_t slot = (uint32_t)__builtin_ctz(direct ? direct : mask & state->usable);
  while (!(state->vacant >> slot & 1)) {
    uint32_t displaced = state->occupant[slot];
    state->occupant[slot] = mask;
    mask = displaced;
    slot = state->next[slot];
  }
  state->occupant[slot] = mask;
  state->vacant &= ~(1u << slot);
  ms_slot_state_close(state, k);
}

#endif
