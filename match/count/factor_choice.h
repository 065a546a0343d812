/* Counts a shape whose vertices the domains divide: by factors (factor.h), or by a search where
 * that is expected to be faster.  Factors win where groups are small, as in patterns with many
 * colours; a search wins in dense patterns with few colours, whose vertices stay one group for
 * long. */
#ifndef MS_MATCH_COUNT_FACTOR_CHOICE_H
#define MS_MATCH_COUNT_FACTOR_CHOICE_H

#include "match/count/factor.h"

typedef enum ms_factor_way {
  MS_FACTOR_BY_FACTORS,
  MS_FACTOR_BY_PLAN,  /* by a search with the plan */
  MS_FACTOR_ON_LARGE, /* by a search on query->large */
  MS_FACTOR_BY_ENGINE /* by the plan, or better, on query->engine, which weighs plans */
} ms_factor_way;

typedef struct ms_factor_choice {
  ms_factor *factor;
  ms_factor_way way;
  double steps;       /* estimated steps (probe.h) of the count by factors; 0: not estimated */
  ms_count_plan plan; /* of the search; {0} unless the way is MS_FACTOR_BY_PLAN or .._BY_ENGINE */
  uint64_t done;      /* roots that were counted before the choice */
} ms_factor_choice;

/* Chooses the way to count a shape for which ms_count_way_of says MS_COUNT_FACTORS.  Unless the
 * query is an estimate, it begins to count by factors, since most such counts are over before a
 * probe is: `maps`, which is 0 before the call, receives the number of maps of the first
 * out->done roots.  `maps` may be NULL: nothing is counted.  If it returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED, it was stopped, and `maps` is a lower bound.  In any case the caller frees
 * the parts of *out with ms_factor_choice_free. */
ms_status ms_factor_choose(const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, mpz_ptr maps, ms_factor_choice *out,
                           ms_error *err);
/* Adds the maps of the other roots to `maps`, if the way is MS_FACTOR_BY_FACTORS. */
ms_status ms_factor_count_rest(const ms_count_query *query, const ms_factor_choice *choice,
                               mpz_t maps, ms_error *err);
void ms_factor_choice_free(ms_factor_choice *choice);

/* True if a GPU visits all matches of the shape in less time than the CPU counts by factors: it is
 * small and no tree, whose matches may be many times as many as the edges that factors read. */
bool ms_factor_is_visited_on_gpu(const ms_shape *shape);

#endif
