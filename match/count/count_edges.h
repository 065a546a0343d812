/* Counts of a shape by an edge product (edge_product.h), less its gluings. */
#ifndef MS_MATCH_COUNT_COUNT_EDGES_H
#define MS_MATCH_COUNT_COUNT_EDGES_H

#include "match/count/counter.h"
#include "match/count/edge_product.h"

/* As ms_count_by_edges. */
bool ms_count_edges_pay(const ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                        ms_count_plan *plan, ms_edge_product *product, double *steps);
/* Counts by an edge product that pays.  *lacks: there was no memory for the sum, or its GPU is
 * lost, and nothing was counted. */
ms_status ms_count_edges(ms_counter *counter, const ms_shape *shape, const ms_edge_product *product,
                         double steps, mpz_t maps, bool *lacks);

#endif
