/* Inside verify/: the backtracker, restricted to some of the vertices. */
#ifndef MS_VERIFY_RECOUNT_H
#define MS_VERIFY_RECOUNT_H

#include "verify/verify.h"

/* usable[n]: 0 where the vertex is known to be in no match.  It receives 1
 * for every vertex that might be in one: those with a slot, in components
 * that hold every slot's colour and every required vertex, with each of them
 * within k-1 hops.  O(rounds * k * (n + m)). */
ms_status ms_recount_usable(const ms_query *query, uint8_t *usable, ms_error *err);

/* A backtracker that is used more than once. */
typedef struct ms_backtracker ms_backtracker;

/* Over the vertices with usable[v]; NULL for all.  Keeps the query and the
 * token; usable is only read here. */
ms_status ms_backtracker_new(const ms_query *query, const uint8_t *usable, const ms_stop *stop,
                             ms_backtracker **out, ms_error *err);
void ms_backtracker_free(ms_backtracker *backtracker);

/* As ms_recount. */
ms_status ms_backtracker_list(ms_backtracker *backtracker, mpz_t count, ms_recount_fn found,
                              void *user, ms_error *err);
/* As ms_recount_has_match; set[k] receives the match where there is one. */
ms_status ms_backtracker_find(ms_backtracker *backtracker, uint32_t v, bool *yes, uint32_t *set,
                              ms_error *err);
/* Strike out a vertex that is known to be in no match. */
void ms_backtracker_strike(ms_backtracker *backtracker, uint32_t v);

#endif
