/* Inside verify/: connected sets that grow towards a match of a motif.
 *
 * Most vertices that are in a match are in many, and one of them is found without backtracking: the
 * set takes one neighbour after the other, always one that fits the motif and brings the colours
 * and the required vertices that it still lacks near.  A set that cannot go on is given up. */
#ifndef MS_VERIFY_GROW_H
#define MS_VERIFY_GROW_H

#include "query/query.h"
#include "verify/verify.h"

/* What a match must hold: a colour of the motif, or a required vertex. */
#define MS_MAX_TARGETS (2 * MS_MAX_K)

typedef struct ms_grower ms_grower;

/* Makes a grower.  It keeps pointers to the query, to slots[n], the slots that each vertex may
 * take, and to the stop token. */
ms_status ms_grower_new(const ms_query *query, const uint32_t *slots, const ms_stop *stop,
                        ms_grower **out, ms_error *err);
void ms_grower_free(ms_grower *grower);

/* Restricts sets to vertices v with allowed[v], which the grower reads only now, and finds how far
 * each vertex is from each target.  O(targets * (n + m)).  Returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED if it was stopped; the grower must then be restricted again before its use. */
ms_status ms_grower_restrict(ms_grower *grower, const uint8_t *allowed, ms_error *err);
/* Excludes v from later sets. */
void ms_grower_strike(ms_grower *grower, uint32_t v);
bool ms_grower_allows(const ms_grower *grower, uint32_t v);

/* Tries to grow a match from v, at most `tries` times with other random choices.  If it succeeds,
 * set[k] receives the vertices. */
bool ms_grower_try(ms_grower *grower, uint32_t v, uint32_t tries, uint32_t *set);

/* Notes in after[targets] how near the targets are once v joins a set, which is `before` near them
 * (NULL: v is the first vertex).  A target is as many edges away as a set needs more vertices. */
void ms_grower_join(const ms_grower *grower, const uint8_t *before, uint32_t v, uint8_t *after);
/* True if `left` more vertices suffice to reach each target that set[size], which is `near` them,
 * lacks; false: no match holds this set and no vertex that is not allowed. */
bool ms_grower_reaches(const ms_grower *grower, const uint32_t *set, uint32_t size,
                       const uint8_t *near, uint32_t left);

#endif
