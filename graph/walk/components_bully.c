/* Connected components by searches.  Where two meet, the stronger search takes over the vertices
 * of the weaker one and continues through them; the weaker one ends there.  When all have ended,
 * each component belongs to the strongest search. */
#include "graph/walk/components_inner.h"

/* The stronger of two searches is the one whose start has the smaller number after a shuffle of
 * all numbers.  Without a shuffle, a chain of ascending numbers would be taken over by one
 * neighbour after another; with it, a vertex changes its search O(log searches) times, expected.
 * Odd factors and shifts keep the numbers distinct. */
static uint32_t strength(uint32_t start)
{
  start = (start ^ start >> 16) * UINT32_C(0x7feb352d);
  return (start ^ start >> 15) * UINT32_C(0x846ca68b);
}

/* component[v] is the start of the search that has v.  The search only ever becomes stronger,
 * and v is visited again whenever it does, so no vertex is missed. */
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
