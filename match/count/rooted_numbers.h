/* Counts the rooted numbers of a plan (rooted_plan.h). */
#ifndef MS_MATCH_COUNT_ROOTED_NUMBERS_H
#define MS_MATCH_COUNT_ROOTED_NUMBERS_H

#include "match/count/rooted_plan.h"

/* Adds the sum, over the vertices of the graph, of the product of the numbers of two shapes of the
 * plan.  *fit: it was counted; otherwise a number needs more than 128 bits, or the query's budget
 * has no room for the numbers of all vertices, and nothing is added.  A stop ends it with the
 * status of the token, and adds nothing. */
ms_status ms_rooted_numbers_sum(const ms_count_query *query, ms_rooted_plan *plan,
                                const uint32_t number[2], mpz_t sum, bool *fit, ms_error *err);

#endif
