/* Counts of a shape by the plan of a search. */
#ifndef MS_MATCH_COUNT_COUNT_SEARCH_H
#define MS_MATCH_COUNT_COUNT_SEARCH_H

#include "match/count/counter.h"

/* Counts by this plan, which it frees, on the engine that it chooses, or on query->engine. */
ms_status ms_count_with_plan(ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                             ms_count_plan *plan, bool may_be_large, mpz_t maps);
/* Counts by a search on query->large. */
ms_status ms_count_on_large(ms_counter *counter, const ms_shape *shape, const ms_domain *domain,
                            mpz_t maps);

#endif
