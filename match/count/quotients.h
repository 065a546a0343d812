/* The quotients of a shape in which vertices of its tail are merged (count.h). */
#ifndef MS_MATCH_COUNT_QUOTIENTS_H
#define MS_MATCH_COUNT_QUOTIENTS_H

#include "plan/shape.h"

typedef ms_status (*ms_quotient_fn)(void *user, const ms_shape *quotient);

/* Calls `visit` with the quotient of every partition of the tail except the finest.  No two
 * vertices of the tail are adjacent. */
ms_status ms_each_quotient(const ms_shape *shape, ms_bitset tail, ms_quotient_fn visit, void *user,
                           ms_error *err);

#endif
