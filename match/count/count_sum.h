/* Counts of an induced shape by a sum (induced_sum.h). */
#ifndef MS_MATCH_COUNT_COUNT_SUM_H
#define MS_MATCH_COUNT_COUNT_SUM_H

#include "match/count/counter.h"
#include "match/count/induced_sum.h"

/* Makes the sum by which to count an induced shape, if that is estimated to be shorter than a
 * search of `direct` steps; otherwise *sum is NULL.  *known is what was found out about its terms.
 * The caller frees *sum with ms_free, and *known with ms_estimates_free. */
ms_status ms_count_sum_find(const ms_counter *counter, const ms_shape *shape, double direct,
                            ms_induced_sum **sum, ms_estimates *known);
/* Counts by a sum; takes *known. */
ms_status ms_count_by_sum(ms_counter *counter, const ms_shape *shape, const ms_induced_sum *sum,
                          ms_estimates *known, mpz_t maps);

#endif
