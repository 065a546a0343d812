/* Counting by factors.
 *
 * Once some vertices of a pattern are matched, the others may fall apart into
 * *groups*: no edge joins two groups, and no graph vertex is in the domains of
 * both.  Then the ways to complete the match are a product over the groups, and
 * those of one group depend only on the matches next to it or in its domains:
 * they are remembered.  So the vertices form a tree: each has the groups that
 * its match leaves below it.  What is counted has no constraints: every map.
 *
 * In patterns with many colours groups are small, and the count takes time in
 * the size of the tree's levels, not in the number of maps.  (Counting by
 * components of a decomposition is old in constraint solving: AND/OR search,
 * Dechter and Mateescu, AIJ 171, 2007; here groups also split by domains, for
 * injectivity.) */
#ifndef MS_MATCH_FACTOR_H
#define MS_MATCH_FACTOR_H

#include "match/count.h"

typedef struct ms_factor {
  ms_plan *plan;                     /* its levels are the tree in preorder; no constraints */
  ms_program *program;               /* of all levels, without tail */
  uint32_t n;                        /* levels */
  uint8_t copies[MS_MAX_PATTERN];    /* [n] vertices with the same candidates that the level stands
                                        for, nothing between or below them; else 1 */
  uint8_t parent[MS_MAX_PATTERN];    /* [n] level; of level 0: itself */
  uint64_t children[MS_MAX_PATTERN]; /* [n] levels */
  uint64_t relevant[MS_MAX_PATTERN]; /* [n] earlier levels whose matches decide how many ways there
                                        are for the level and all below it */
} ms_factor;

/* For connected shapes that are not induced; domain[shape->n], none empty. */
ms_status ms_factor_new(const ms_pattern_index *index, const ms_shape *shape,
                        const ms_domain *domain, ms_factor **out, ms_error *err);
void ms_factor_free(ms_factor *factor);

/* maps = their number, of any size: where 128 bits do not hold it, from its
 * residues modulo several primes.  Remembers fewer values where the budget (NULL: no
 * bound) is short.  MS_ERR_LIMIT, MS_ERR_INTERRUPTED: stopped,
 * maps is what the roots that were done give, or 0. */
ms_status ms_factor_count(const ms_factor *factor, int threads, const ms_stop *stop,
                          struct ms_budget *budget, mpz_t maps, ms_error *err);

#endif
