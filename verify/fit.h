/* Do the colours fit?  The judge's own slot code. */
#ifndef MS_VERIFY_FIT_H
#define MS_VERIFY_FIT_H

#include "query/query.h"

/* The slots that vertex v may take by its colours, bit d = slot d. */
uint32_t ms_verify_slots(const ms_query *query, uint32_t v);

/* Can `count` <= MS_MAX_K vertices with these slots be given distinct ones?
 * Kuhn's augmenting paths from scratch. */
bool ms_verify_fit(const uint32_t *slots, uint32_t count);

#endif
