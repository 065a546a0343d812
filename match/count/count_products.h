/* Counts of a shape by products of bits on GPUs. */
#ifndef MS_MATCH_COUNT_COUNT_PRODUCTS_H
#define MS_MATCH_COUNT_COUNT_PRODUCTS_H

#include "match/count/count.h"
#include "match/count/counter.h"

/* ---- dense graphs ---------------------------------------------------------------------------- */

/* On GPUs, cliques of four and other patterns of a triangle and a few vertices, each next to all of
 * the triangle and to no other, in graphs with many of all possible edges: sums over the triangles
 * of the graph, by products of bit matrices (gpu/match/squares/dense.cuh). */

/* True if the shape is a triangle with *common further vertices, 1 to 3, each next to all three,
 * and its vertices accept all vertices of the graph of their degree: K4, K5 without an edge, K6
 * without a triangle. */
bool ms_dense_triangles_find(const ms_count_query *query, const ms_shape *shape,
                             const ms_domain *domain, uint32_t *common);
/* As ms_hub_squares_engine. */
const ms_pattern_engine *ms_dense_triangles_engine(const ms_count_query *query, uint32_t common,
                                                   const ms_count_plan *plan, bool *large,
                                                   double *steps);

/* ---- wheels ---------------------------------------------------------------------------------- */

/* Wheels of four on GPUs: the 4-cycles inside the neighbourhood of each vertex, the hub, counted by
 * products of bit matrices (gpu/match/squares/hub_squares.cuh).  Each map of a 4-cycle into the
 * neighbourhood of a hub is one map of the wheel.  Processors have inner patterns (count_inner.h).
 */

/* True if the shape is a wheel of four whose vertices accept all vertices of the graph of their
 * degree. */
bool ms_hub_squares_find(const ms_count_query *query, const ms_shape *shape,
                         const ms_domain *domain);
/* Returns the engine that would count so: the query's engine, or query->large (*large); NULL: no
 * engine of the query can, or the products are expected to take longer than a search by this plan.
 * Sets *steps to their time in steps (probe.h) of one thread of the CPU. */
const ms_pattern_engine *ms_hub_squares_engine(const ms_count_query *query,
                                               const ms_count_plan *plan, bool *large,
                                               double *steps);
/* True if the shape is such a wheel, or a triangle with *common vertices next to all of it
 * (0: a wheel), and `query` counts it so instead of by this plan; sets *steps as
 * above (match/count/count.c). */
bool ms_count_by_products(const ms_count_query *query, const ms_shape *shape,
                          const ms_domain *domain, const ms_count_plan *plan, uint32_t *common,
                          double *steps);
/* Sets `maps` to the number of maps of the wheel, or of the triangle with `common` vertices.
 * MS_ERR_MEMORY, MS_ERR_DEVICE_LOST: nothing was counted, and another way may. */
ms_status ms_hub_squares_count(const ms_count_query *query, const ms_pattern_engine *engine,
                               uint32_t common, mpz_t maps, ms_error *err);

/* ---- the choice ------------------------------------------------------------------------------ */

/* Counts by products on a GPU, if that is possible and expected to be the shortest way.  Sets
 * *counted to whether it did; where a GPU lacks memory or is lost, another way has to count. */
ms_status ms_count_products(ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                            ms_count_plan *plan, mpz_t maps, bool *counted);

#endif
