/* The sum, over all 4-cycles of a graph, of the weights of their edges.
 *
 * An edge whose ends have t common neighbours has the weight 2 t (t-1) ... (t-common+1): the number
 * of ways to place `common` vertices that are adjacent to both ends, in either direction of the
 * edge.  So the sum is the number of maps of a 4-cycle with `common` more vertices that are
 * adjacent to both ends of one of its edges (a house for common = 1), where these vertices may
 * coincide with the other two of the cycle (match/count/edge_product.h).
 *
 * Each 4-cycle is found at its largest vertex v, as a pair of paths v - u - x and v - w - x with
 * u, w, x < v (vertex priority: Wang et al., PVLDB 2019).  If c such paths lead to x, then each of
 * them is in c - 1 cycles, to which its edges add (c-1) (weight of v-u + weight of u-x). */
#ifndef MS_MATCH_CPU_WEIGHTED_SQUARES_H
#define MS_MATCH_CPU_WEIGHTED_SQUARES_H

#include "match/engine.h"

struct ms_budget;

/* Most bits of a weight. */
#define MS_SQUARE_WEIGHT_BITS 40u

/* True if all weights fit. */
bool ms_square_weights_fit(const ms_pattern_index *index, uint32_t common);

/* Adds the sum to `sum`, in the rows of all neighbours of the task's index, on the task's threads,
 * with `common` = task->square_common.  A share of units (match/units.h) is one of the roots v.
 * The budget (NULL: no bound) bounds its memory: 8 bytes for each arc, and 8 bytes for each vertex
 * and thread.  MS_ERR_MEMORY: it does not fit, and nothing was added.  If it returns MS_ERR_LIMIT
 * or MS_ERR_INTERRUPTED, the stop token ended it, and `sum` lacks the part that was not done. */
ms_status ms_weighted_squares(const ms_pattern_task *task, struct ms_budget *budget, mpz_t sum,
                              ms_error *err);

#endif
