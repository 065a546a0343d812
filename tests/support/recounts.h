/* The judge's recounts of a whole graph, and the number of a pattern's automorphisms, in one call.
 */
#ifndef TESTS_SUPPORT_RECOUNTS_H
#define TESTS_SUPPORT_RECOUNTS_H

#include "verify/verify.h"

/* As ms_backtracker_list over all vertices. */
ms_status recount_motif(const ms_query *query, mpz_t count, ms_found_fn found, void *user,
                        const ms_stop *stop, ms_error *err);
/* As ms_judge_recount. */
ms_status recount_pattern(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_pattern *pattern, bool induced, mpz_t count, ms_found_fn found,
                          void *user, const ms_stop *stop, ms_error *err);
ms_status recount_typed(const ms_typed_query *query, mpz_t count, ms_found_fn found, void *user,
                        const ms_stop *stop, ms_error *err);

/* As ms_judge_automorphisms; of a pattern without a graph. */
ms_status count_pattern_automorphisms(const ms_pattern *pattern, mpz_t order, const ms_stop *stop,
                                      ms_error *err);
ms_status count_typed_automorphisms(const ms_typed_query *query, mpz_t order, const ms_stop *stop,
                                    ms_error *err);

#endif
