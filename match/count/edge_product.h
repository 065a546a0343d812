/* Counts of patterns that are a 4-cycle and vertices adjacent to both ends of one of its edges,
 * such as the house.
 *
 * Let a - b be that edge, x - y the opposite one, and c_1, c_2, .. the other vertices.  If x or y
 * may coincide with some c_i, then the number of maps is a sum over the edges of the graph, which
 * needs only the number of triangles and of 4-cycles at each edge (cpu/weighted_squares.h).  The
 * maps in which they coincide are those of smaller shapes, the *gluings*, and are subtracted.  On
 * skewed graphs this takes far fewer steps than a search: those of counting 4-cycles by vertex
 * priority. */
#ifndef MS_MATCH_COUNT_EDGE_PRODUCT_H
#define MS_MATCH_COUNT_EDGE_PRODUCT_H

#include "match/count/count.h"

typedef struct ms_edge_product {
  uint8_t square[4];             /* a, b, y, x: vertices of the shape, in the order of the cycle */
  uint32_t common;               /* number of the other vertices */
  uint8_t other[MS_MAX_PATTERN]; /* [common] */
} ms_edge_product;

/* True if the shape is such a pattern, its weights fit, and its vertices accept all vertices of the
 * graph of their degree. */
bool ms_edge_product_find(const ms_count_query *query, const ms_shape *shape,
                          const ms_domain *domain, ms_edge_product *out);
/* True if this engine can make the sum; NULL stands for the CPU's. */
bool ms_edge_product_has(const ms_pattern_engine *engine);
/* Makes the program of 4-cycles whose root is the largest vertex: what GPUs know a task by.  The
 * caller frees the plan, also after a failure. */
ms_status ms_count_plan_squares(const ms_count_query *query, ms_count_plan *plan, ms_error *err);

#endif
