/* On GPUs, cliques of four and other patterns of a triangle and a few vertices, each next to all of
 * the triangle and to no other, in graphs with many of all possible edges: sums over the triangles
 * of the graph, by products of bit matrices (gpu/match/dense.cuh). */
#ifndef MS_MATCH_COUNT_DENSE_TRIANGLES_H
#define MS_MATCH_COUNT_DENSE_TRIANGLES_H

#include "match/count/count.h"

/* True if the shape is a triangle with *common further vertices, 1 to 3, each next to all three,
 * and its vertices accept all vertices of the graph of their degree: K4, K5 without an edge, K6
 * without a triangle. */
bool ms_dense_triangles_find(const ms_count_query *query, const ms_shape *shape,
                             const ms_domain *domain, uint32_t *common);
/* As ms_hub_squares_engine. */
const ms_pattern_engine *ms_dense_triangles_engine(const ms_count_query *query, uint32_t common,
                                                   const ms_count_plan *plan, bool *large,
                                                   double *steps);

#endif
