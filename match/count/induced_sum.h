/* Induced counts by inclusion and exclusion over the pairs that are not edges.
 *
 * For a set S of pairs of vertices that are not adjacent in the shape P, let P + S be the shape
 * with these edges added, and let maps(..) count maps that need not be induced.  Then induced
 * maps(P) = sum over S  (-1)^|S| maps(P + S), because a map that takes exactly the pairs of a set T
 * to edges is a map of P + S for each S within T, and the sum of (-1)^|S| over these S is 1 if T is
 * empty and 0 otherwise.  It holds with any domains, which are the same in all terms.  Isomorphic
 * shapes with equal domains are one term. */
#ifndef MS_MATCH_COUNT_INDUCED_SUM_H
#define MS_MATCH_COUNT_INDUCED_SUM_H

#include "match/count/shape_memo.h"

#define MS_SUM_PAIRS 10u /* the most pairs: 1,024 sets of them */

typedef struct ms_induced_sum {
  uint8_t pair[MS_SUM_PAIRS][2]; /* vertices that are not adjacent */
  uint32_t count;
  struct ms_induced_term {
    ms_shape_key key;
    uint32_t added;           /* bit i: pair[i] is an edge of the term's shape */
    int32_t factor;           /* never 0 */
  } term[1u << MS_SUM_PAIRS]; /* [count] those with negative factors first */
} ms_induced_sum;

/* True if the induced maps of the shape can be counted in this way: it has at most 6 vertices and
 * MS_SUM_PAIRS pairs, some pair, no directions and no labels (match/count/count_plan.c). */
bool ms_induced_sum_exists(const ms_shape *shape);
/* Makes the sum of such a shape; label[shape->n] are equal iff the domains are equal.  The caller
 * frees *out with ms_free. */
ms_status ms_induced_sum_new(const ms_shape *shape, const uint64_t *label, ms_induced_sum **out,
                             ms_error *err);
/* Makes the shape of a term, which is not induced. */
void ms_induced_sum_shape(const ms_induced_sum *sum, const ms_shape *shape, uint32_t term,
                          ms_shape *out);

/* Sets `maps` to the number of maps of a shape, or to a lower bound if it returns
 * MS_ERR_LIMIT or MS_ERR_INTERRUPTED. */
typedef ms_status (*ms_count_shape_fn)(void *user, const ms_shape *shape, mpz_t maps);
/* Sets `maps` to the number of induced maps.  If `count` was stopped, it is a lower bound: the
 * terms with negative factors come first, and until all of them are known, it is 0. */
ms_status ms_induced_sum_count(const ms_induced_sum *sum, const ms_shape *shape,
                               ms_count_shape_fn count, void *user, mpz_t maps, ms_error *err);

#endif
