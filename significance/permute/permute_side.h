/* Permutations that are counted one by one, side by side: each thread makes a permuted graph and
 * its census alone.
 *
 * The chain of swaps of one permutation has no parts that could be done at the same time, and the
 * census of a small graph is over before its threads have begun.  So threads take permutations in
 * turn, and what they count is handed over in the order of the permutations.  Where a census takes
 * much longer than the chains of all threads, all threads work on one census instead, so that
 * a stop loses one permutation only. */
#ifndef MS_SIGNIFICANCE_PERMUTE_SIDE_H
#define MS_SIGNIFICANCE_PERMUTE_SIDE_H

#include "significance/permute/permute_each.h"

/* Counts permutations from `first` on, at most up to `end`, and hands each to `take`, in order, and
 * reports its progress if it `reports`.
 * What was handed over before a failure or a stop is whole: the caller may go on behind it. */
ms_status ms_permute_side_by_side(ms_permute *p, uint64_t first, uint64_t end, bool reports,
                                  ms_permute_take_fn *take, void *user, ms_error *err);

#endif
