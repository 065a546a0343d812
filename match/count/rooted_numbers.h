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

typedef struct ms_rooted_shape {
  ms_shape shape; /* undirected, not induced, without colours; connected */
  uint32_t root;
} ms_rooted_shape;

/* Receives the numbers of a shape for all index ids; they last until the call returns. */
typedef void ms_rooted_fn(void *user, uint32_t shape, const ms_wide_size *number);

/* Counts the rooted numbers of many shapes of at most `vertices` vertices, each of which has a
 * member of its own, on processors; what several need is counted once.  MS_ERR_MEMORY: the budget
 * has no room, or a number has more than 128 bits; then only some shapes were received. */
ms_status ms_rooted_numbers_each(const ms_pattern_index *index, uint32_t vertices,
                                 const ms_rooted_shape *shape, uint32_t shapes,
                                 const ms_run_limits *limits, struct ms_budget *budget,
                                 ms_rooted_fn *receive, void *user, ms_error *err);

#endif
