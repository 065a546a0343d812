/* On GPUs, triangles with one more edge whose end is the largest vertex of all: what five-cycles
 * subtract (count.c).
 *
 * Let x < y < z be a triangle.  The further edge may hang at any of the three, and its end has to
 * be above z: so the triangle has as many of these edges as x, y and z together have neighbours
 * above z, and each is two maps.  The triangles are found with the places of z in the rows of x and
 * y, so that nothing else is read for x and y. */
#ifndef MS_MATCH_COUNT_TRIANGLE_ENDS_H
#define MS_MATCH_COUNT_TRIANGLE_ENDS_H

#include "match/count/count.h"

/* True if the shape is a five-cycle in a plain graph without colours whose vertices accept all
 * vertices of their degree, and the engine, which may be NULL, counts so. */
bool ms_triangle_ends_find(const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, const ms_pattern_engine *engine);
/* Sets `maps` to their number.  MS_ERR_MEMORY, MS_ERR_DEVICE_LOST: another way may count. */
ms_status ms_triangle_ends_count(const ms_count_query *query, const ms_pattern_engine *engine,
                                 mpz_t maps, ms_error *err);

#endif
