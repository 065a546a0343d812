/* Decides whether a set of vertices can fill k slots.  Bipartite matching,
 * grown one vertex at a time.
 * A vertex whose search for an augmenting path fails has found a *tight* set of
 * slots: all of them are taken, and their owners fit nowhere else.  No
 * augmenting path can leave a tight set, so tight sets stay tight, and a later
 * vertex that fits only tight slots is rejected with one test.  Every search
 * grows either the matching or the tight set, so there are at most 2k searches
 * of O(k) steps. */
#include "motif/instance.h"

#define NO_SLOT MS_MAX_K

/* Gives `slot` to the owner of the slot from which it was reached, that slot to
 * the one before, and so on back to the start, where the new vertex enters. */
static void shift_owners(ms_slot_matching *m, const uint32_t *reached_from, uint32_t slot,
                         uint32_t mask)
{
  m->taken |= 1u << slot;
  while (reached_from[slot] != NO_SLOT) {
    m->owner[slot] = m->owner[reached_from[slot]];
    slot = reached_from[slot];
  }
  m->owner[slot] = mask;
}

static void add_vertex(ms_slot_matching *m, uint32_t mask)
{
  uint32_t reached_from[MS_MAX_K];
  uint32_t seen = 0, pending = 0, from = NO_SLOT, fresh = mask & ~m->tight;
  for (;;) {
    seen |= fresh;
    pending |= fresh;
    for (uint32_t left = fresh; left; left &= left - 1)
      reached_from[__builtin_ctz(left)] = from;
    uint32_t unowned = fresh & ~m->taken;
    if (unowned) {
      shift_owners(m, reached_from, (uint32_t)__builtin_ctz(unowned), mask);
      return;
    }
    if (!pending)
      break;
    from = (uint32_t)__builtin_ctz(pending);
    pending &= pending - 1;
    fresh = m->owner[from] & ~seen & ~m->tight;
  }
  m->tight |= seen;
}

bool ms_slot_matching_add(ms_slot_matching *m, uint32_t k, uint32_t mask)
{
  const uint32_t all = k == 32 ? UINT32_MAX : (1u << k) - 1;
  if (mask & ~m->tight)
    add_vertex(m, mask);
  return m->taken == all;
}

bool ms_slots_can_be_filled(uint32_t k, const uint32_t *mask, const uint32_t *vertices,
                            uint32_t count)
{
  ms_slot_matching m = {0};
  for (uint32_t i = 0; i < count; i++)
    if (ms_slot_matching_add(&m, k, mask[vertices[i]]))
      return true;
  return false;
}
