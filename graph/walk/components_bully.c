/* Connected components by searches of which the stronger takes over what the
 * weaker one has reached, and goes on through it; the weaker one ends there.
 * When all have ended, each component is the strongest one's. */
#include "graph/walk/components_inner.h"

/* Of two searches the stronger is the one whose start has the smaller number
 * after a shuffle of all numbers.  As they are, a chain in which they ascend would
 * be taken over by one neighbour after another; shuffled, a vertex changes hands
 * O(log searches) times, expected.  Odd factors and shifts: no two get the same. */
static uint32_t strength(uint32_t start)
{
  start = (start ^ start >> 16) * UINT32_C(0x7feb352d);
  return (start ^ start >> 15) * UINT32_C(0x846ca68b);
}

/* component[v]: where the search started that has v.  It only ever gets stronger,
 * and whenever it does v is visited again, so that nothing is left behind. */
static bool take_over(void *user, uint32_t v, uint32_t w, uint64_t arc)
{
  uint32_t *component = user;
  uint32_t mine = __atomic_load_n(component + v, __ATOMIC_RELAXED);
  uint32_t other = __atomic_load_n(component + w, __ATOMIC_RELAXED);
  (void)arc;
  while (mine != other && (other == MS_COMPONENT_UNSEEN || strength(mine) < strength(other)))
    if (__atomic_compare_exchange_n(component + w, &other, mine, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
      return true;
  return false;
}

static const ms_visitor visitor = {.rule = MS_VISIT_REPLACE, .visit_test = take_over};

static void visit(ms_traversal *t, void *user, int thread, int threads)
{
  ms_traverse_round(t, &visitor, user, thread, threads);
}

ms_status ms_components_bully(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                              int threads, uint32_t *component, ms_error *err)
{
  return ms_components_search(n, offset, neighbor, threads, component, visit, component, err);
}
