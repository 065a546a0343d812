/* What the benchmarks of pattern graphs share: engines by name, patterns by text, one timed search.
 */
#ifndef MS_BENCH_PATTERN_RUNS_H
#define MS_BENCH_PATTERN_RUNS_H

#include "match/count/count.h"

/* Every engine of the library for pattern graphs; the last entry is NULL. */
extern const ms_pattern_engine *const bench_engines[];
/* Returns the engine of this name, or NULL. */
const ms_pattern_engine *bench_engine_named(const char *name);

/* Makes a pattern from a built-in name (clique:5), or from its edges (0-1,1-2,2-0), where any
 * single character but a digit and '-' may stand between two edges.  The caller frees it. */
ms_status bench_pattern_of(const char *text, ms_pattern **out, ms_error *err);

/* What is done with a shape whose domains are not empty; query->domains are set. */
typedef ms_status bench_search_fn(const ms_count_query *query, const ms_shape *shape, void *user,
                                  mpz_t maps, ms_error *err);

/* Makes the shape and the domains of a pattern, `induced` or not, and calls `search` with the
 * query (whose domains are set here) and `user`; NULL: counts the maps.  `maps`, which the caller
 * has initialised, is 0 if a domain is empty.  *milliseconds receives the time of all of this,
 * which other programs report as plan and search. */
ms_status bench_search(const ms_count_query *query, const ms_pattern *pattern, bool induced,
                       bench_search_fn *search, void *user, mpz_t maps, double *milliseconds,
                       ms_error *err);

#endif
