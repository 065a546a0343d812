/* Connected k-sets that are picked out by their numbers.
 *
 * The numbers follow a definition (docs/SIGNIFICANCE.md, "Sampled overlaps") and not the engine
 * that counts, so that other code can draw the same sets.  The root of a set is its lowest rank.
 * Sets are numbered from 0, root by root, and those of a root in the order in which this search
 * meets them.  The candidates of the root are its neighbours above it, ascending.  A set with fewer
 * than k vertices is extended by one of its candidates after the other; behind candidate i, the
 * candidates are those behind i and then, ascending, the neighbours of i that are above the root
 * and neither in the set nor next to it.
 *
 * The sets of k vertices are not visited, only counted, except for those that are wanted. */
#ifndef MS_SIGNIFICANCE_SET_PICKS_H
#define MS_SIGNIFICANCE_SET_PICKS_H

#include "base/budget.h"
#include "census/graph.h"

/* Fills set[count][k] with the ranks, ascending, of the sets of these numbers.  number[count]
 * ascends; of_root[n] has the number of sets of each root.  Polls the token of the calling thread.
 * MS_ERR_INTERNAL: a root has fewer sets than of_root says. */
ms_status ms_pick_sets(const ms_census_graph *graph, uint32_t k, const uint64_t *of_root,
                       const uint64_t *number, uint64_t count, int threads, ms_budget *budget,
                       uint32_t *set, ms_error *err);

#endif
