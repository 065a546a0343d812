/* The parts that the algorithms of graph/walk/components.h share: a forest of vertices, which
 * threads join without locks, numbering, and searches from many vertices. */
#ifndef MS_GRAPH_WALK_COMPONENTS_INNER_H
#define MS_GRAPH_WALK_COMPONENTS_INNER_H

#include "graph/walk/components.h"
#include "graph/walk/traverse.h"

/* ---- the algorithms ---------------------------------------------------------
 * component[n] of n > 0 vertices, each the smallest of its component (Afforest)
 * or any of its component, the same for all of it.  The smallest is its own, as
 * is the other. */

ms_status ms_components_afforest(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                                 int threads, uint32_t *component, ms_error *err);
ms_status ms_components_kahan(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                              int threads, uint32_t *component, ms_error *err);
ms_status ms_components_bully(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                              int threads, uint32_t *component, ms_error *err);

/* ---- a forest ----------------------------------------------------------------
 * parent[v] == v is a root.  Threads read and write parents at any time: a stale
 * one is an ancestor, too. */

MS_ALWAYS_INLINE uint32_t ms_forest_parent(const uint32_t *parent, uint32_t v)
{
  return __atomic_load_n(parent + v, __ATOMIC_RELAXED);
}

/* Joins the trees of u and v.  No parent of either, or above, may be larger than its child: so
 * there is no cycle, and none arises here. */
MS_ALWAYS_INLINE void ms_forest_join(uint32_t *parent, uint32_t u, uint32_t v)
{
  uint32_t a = ms_forest_parent(parent, u), b = ms_forest_parent(parent, v);
  while (a != b) {
    uint32_t high = a > b ? a : b, low = a > b ? b : a, above = ms_forest_parent(parent, high);
    if (above == low)
      return;
    /* only a root receives a parent, else its tree would be split */
    if (above == high && __atomic_compare_exchange_n(parent + high, &above, low, false,
                                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return;
    a = ms_forest_parent(parent, ms_forest_parent(parent, high));
    b = ms_forest_parent(parent, low);
  }
}

/* Makes every vertex a child of its root. */
void ms_forest_flatten(uint32_t n, uint32_t *parent, int threads);

/* ---- numbering ---------------------------------------------------------------- */

/* Turns component[n], each the smallest vertex of its component, into numbers from 0 in the
 * order of these vertices. */
ms_status ms_components_number(uint32_t n, uint32_t *component, int threads, uint32_t *count,
                               ms_error *err);
/* Turns component[n], each any vertex of its component, the same for all of it, into the
 * smallest vertex of the component. */
ms_status ms_components_lower(uint32_t n, uint32_t *component, int threads, ms_error *err);

/* ---- searches from many vertices --------------------------------------------------
 * Kahan's algorithm and the bully differ in what happens where two searches meet,
 * which is the visitor's. */

#define MS_COMPONENT_UNSEEN UINT32_MAX /* not a vertex */

/* Searches from many vertices until none is unseen.  component[n] is all unseen at first, and
 * `visit` writes it: a search from v starts with component[v] = v.  Searches start from vertices of
 * high degree first, several at the same time.  `visit` is ms_traverse_round with a visitor of rule
 * REPLACE whose test is false for a vertex that another search keeps. */
ms_status ms_components_search(uint32_t n, const uint64_t *offset, const uint32_t *neighbor,
                               int threads, uint32_t *component, ms_traverse_fn *visit, void *user,
                               ms_error *err);

#endif
