/* The ways to count a shape (count.h) that ask the counter for the numbers of other shapes: each is
 * a source file of this folder, and count.c chooses among them. */
#ifndef MS_MATCH_COUNT_COUNT_METHODS_H
#define MS_MATCH_COUNT_COUNT_METHODS_H

#include "match/count/counter.h"
#include "match/count/edge_product.h"
#include "match/count/factor_choice.h"
#include "match/count/hinge.h"
#include "match/count/induced_sum.h"

/* ---- count_search.c -------------------------------------------------------------------------- */

/* Counts of a shape by the plan of a search. */

/* Counts by this plan, which it frees, on the engine that it chooses, or on query->engine. */
ms_status ms_count_with_plan(ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                             ms_count_plan *plan, bool may_be_large, mpz_t maps);
/* Counts by a search on query->large. */
ms_status ms_count_on_large(ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                            mpz_t maps);

/* ---- count_cliques.c ------------------------------------------------------------------------- */

/* Counts of cliques by pivots (match/cpu/cliques/cliques.h).
 *
 * Nobody knows before how large the trees of pivots are.  So pivots count in rounds, and give way
 * to the search by the plan as soon as they are expected to take longer than it (*counted is
 * false). */
ms_status ms_count_cliques(ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                           ms_count_plan *plan, mpz_t maps, bool *counted);
/* True if `query` is expected to count the clique so instead of by this plan; sets the estimated
 * steps. */
bool ms_count_by_cliques(const ms_count_query *query, const ms_shape *shape,
                         const ms_domain *domain, const ms_count_plan *plan, double *steps);
/* Counts a clique of more than MS_COUNT_SMALL vertices that pivots count within the time of a plan.
 */
ms_status ms_count_cliques_at_once(ms_counter *counter, const ms_shape *shape,
                                   const ms_domain *domain, mpz_t maps, bool *counted);

/* ---- count_edges.c --------------------------------------------------------------------------- */

/* Counts of a shape by an edge product (edge_product.h), less its gluings. */

/* As ms_count_by_edges. */
bool ms_count_edges_pay(const ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                        ms_count_plan *plan, ms_edge_product *product, double *steps);
/* Counts by an edge product that pays.  *lacks: there was no memory for the sum, or its GPU is
 * lost, and nothing was counted. */
ms_status ms_count_edges(ms_counter *counter, const ms_shape *shape, const ms_edge_product *product,
                         double steps, mpz_t maps, bool *lacks);

/* ---- count_hinge.c --------------------------------------------------------------------------- */

/* Counts of a shape at a hinge (hinge.h), less its gluings. */

/* Counts at a hinge, if that is expected to be shorter than by this plan.  *counted: it did. */
ms_status ms_count_at_hinge(ms_counter *counter, const ms_shape *shape, const ms_count_plan *plan,
                            mpz_t maps, bool *counted);
/* Counts a shape that the domains divide at a hinge, if that is expected to be shorter than what
 * was chosen.  *counted: it did. */
ms_status ms_count_divided_at_hinge(ms_counter *counter, const ms_shape *shape,
                                    const ms_factor_choice *choice, mpz_t maps, bool *counted);
/* True if an estimate has found that the shape is counted at a hinge; then the plan may be NULL. */
bool ms_count_knows_hinge(const ms_counter *counter, const ms_shape *shape);
/* As ms_count_by_hinge. */
bool ms_count_hinge_pays(const ms_counter *counter, const ms_shape *shape,
                         const ms_count_plan *plan, ms_hinge *hinge, double *steps);
/* As ms_count_divided_by_hinge. */
bool ms_count_hinge_pays_divided(const ms_counter *counter, const ms_shape *shape,
                                 const ms_factor_choice *choice, ms_hinge *hinge, double *steps);

/* ---- count_sum.c ----------------------------------------------------------------------------- */

/* Counts of an induced shape by a sum (induced_sum.h). */

/* Makes the sum by which to count an induced shape, if that is estimated to be shorter than a
 * search of `direct` steps; otherwise *sum is NULL.  *known is what was found out about its terms.
 * The caller frees *sum with ms_free, and *known with ms_estimates_free. */
ms_status ms_count_sum_find(const ms_counter *counter, const ms_shape *shape, double direct,
                            ms_induced_sum **sum, ms_estimates *known);
/* Counts by a sum; takes *known. */
ms_status ms_count_by_sum(ms_counter *counter, const ms_shape *shape, const ms_induced_sum *sum,
                          ms_estimates *known, mpz_t maps);

#endif
