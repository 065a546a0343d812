/* Counts of a shape by products of bits on GPUs (hub_squares.h, dense_triangles.h). */
#ifndef MS_MATCH_COUNT_COUNT_PRODUCTS_H
#define MS_MATCH_COUNT_COUNT_PRODUCTS_H

#include "match/count/counter.h"

/* Counts by products on a GPU, if that is possible and expected to be the shortest way.  Sets
 * *counted to whether it did; where a GPU lacks memory or is lost, another way has to count. */
ms_status ms_count_products(ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                            const ms_count_plan *plan, mpz_t maps, bool *counted);

#endif
