/* A count on processors and on a GPU at the same time.
 *
 * A count chooses by estimates, which may be wrong by far.  So one that takes longer than a moment
 * is begun again where it does not run, and the first that is done stops the other one. */
#ifndef MS_MATCH_COUNT_COUNT_RACE_H
#define MS_MATCH_COUNT_COUNT_RACE_H

#include "match/count/count.h"

#include <stdatomic.h>

/* Where the two counts of a race run. */
enum { MS_SIDE_NONE, MS_SIDE_FIRST, MS_SIDE_SECOND };
struct ms_count_sides {
  atomic_int large;        /* the count that has taken query->large */
  atomic_bool wants_large; /* the first count would take it, if the GPU had started */
};

/* Counts all maps of a shape in one way; an ms_count_maps. */
typedef ms_status ms_count_alone_fn(const ms_count_query *query, const ms_shape *shape, mpz_t maps,
                                    ms_error *err);

/* True if the query chooses between two engines and the count may be long: a short one is over
 * before a second thread has begun. */
bool ms_count_may_race(const ms_count_query *query, const ms_shape *shape);
/* Counts as ms_count_maps, by `count`.  query->report, which is not NULL, is that of the count
 * whose number this is; of two that were stopped, the one that has found more. */
ms_status ms_count_race(const ms_count_query *query, const ms_shape *shape,
                        ms_count_alone_fn *count, mpz_t maps, ms_error *err);

/* True if a count may run on query->large. */
bool ms_count_may_be_large(const ms_count_query *query);
/* Takes query->large for the count; false: the other one of its race has it. */
bool ms_count_take_large(const ms_count_query *query);
/* True if a count of so many steps on all processors, or on query->large with its start, leaves
 * query->large to the other one of its race, since a GPU has to start first. */
bool ms_count_leaves_large(const ms_count_query *query, double steps, double large_steps);

#endif
