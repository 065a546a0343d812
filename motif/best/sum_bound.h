/* Upper bounds of the sum of vertex scores of the matches that hold a set: branch and bound.
 *
 * A match that holds a set of `depth` vertices has size - depth further ones, each within that many
 * hops of the set, and each in a slot of its own that is usable (slot_state.h).  So its sum is at
 * most that of the set and, for the usable slots whose best vertices are the greatest, of the best
 * vertex of each within these hops.  Tables hold the score of the best vertex for each number of
 * hops, each vertex and each class of slots; where they do not fit into the memory, the best vertex
 * of the whole instance takes their place.  The roots are tried in the order of their bounds, so
 * that good matches come early and soon rule out the other roots. */
#ifndef MS_MOTIF_SUM_BOUND_H
#define MS_MOTIF_SUM_BOUND_H

#include "motif/engine.h"
#include "motif/ranked.h"
#include "motif/search.h"

/* Makes the bounds of an instance for `sums`, which must outlive them, with `threads` threads.
 * most[n]: for each rank a bound of the sums of the matches that hold it, which may fall while the
 * bounds are used; then all ranks are roots.  NULL: there is none, and the roots are the ranked
 * ones. */
ms_status ms_sum_bound_new(const ms_ranked *ranked, ms_sums *sums,
                           const atomic_uint_least32_t *most, int threads, ms_sum_bound **out,
                           ms_error *err);
void ms_sum_bound_free(ms_sum_bound *bound); /* accepts NULL */

/* Returns the i-th root in the order of descending bounds. */
uint32_t ms_sum_bound_root(const ms_sum_bound *bound, uint64_t i);
/* False if each match that holds the vertices of frame[0..depth) has a sum below `least`. */
bool ms_sum_bound_allows(const ms_sum_bound *bound, uint32_t least, const ms_frame *frame,
                         uint32_t depth);

#endif
