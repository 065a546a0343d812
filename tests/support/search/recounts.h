/* The judge's recounts of a whole graph, and the number of a pattern's automorphisms, in one call.
 */
#ifndef TESTS_SUPPORT_RECOUNTS_H
#define TESTS_SUPPORT_RECOUNTS_H

#include "verify/verify.h"

/* Does what ms_backtracker_list does, over all vertices. */
ms_status recount_motif(const ms_query *query, mpz_t count, ms_found_fn found, void *user,
                        const ms_stop *stop, ms_error *err);
/* Do what ms_judge_recount does. */
ms_status recount_pattern(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_pattern *pattern, bool induced, mpz_t count, ms_found_fn found,
                          void *user, const ms_stop *stop, ms_error *err);
ms_status recount_typed(const ms_typed_query *query, mpz_t count, ms_found_fn found, void *user,
                        const ms_stop *stop, ms_error *err);

/* Do what ms_judge_automorphisms does, for a pattern without a graph. */
ms_status count_pattern_automorphisms(const ms_pattern *pattern, mpz_t order, const ms_stop *stop,
                                      ms_error *err);
ms_status count_typed_automorphisms(const ms_typed_query *query, mpz_t order, const ms_stop *stop,
                                    ms_error *err);

#endif
