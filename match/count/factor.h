/* Counting by factors.
 *
 * Once some vertices of a pattern are matched, the others may fall apart into
 * *groups*: no edge joins two groups, and no graph vertex is in the domains of
 * both.  Then the number of ways to complete the match is a product over the
 * groups.  The factor of a group depends only on the matched vertices that are
 * adjacent to the group or in its domains, so it is stored for later use.  The
 * vertices form a tree: below each vertex are the groups that remain once it is
 * matched.  The count has no constraints: it is the number of all maps.
 *
 * In patterns with many colours groups are small, and the time depends on the
 * sizes of the tree's levels, not on the number of maps.  (Constraint solvers
 * count by the components of a decomposition: AND/OR search, Dechter and
 * Mateescu, AIJ 171, 2007.  Here groups are also separated by domains, because
 * maps are injective.) */
#ifndef MS_MATCH_COUNT_FACTOR_H
#define MS_MATCH_COUNT_FACTOR_H

#include "match/count/count.h"
#include "match/probe.h"

typedef struct ms_factor {
  ms_plan *plan;                  /* its levels are the tree in preorder; it has no constraints */
  ms_program *program;            /* the program of all levels, without a tail */
  uint32_t n;                     /* number of levels */
  uint8_t copies[MS_MAX_PATTERN]; /* [n] number of vertices that the level stands for: they have
                                     the same candidates and nothing between or below them */
  uint8_t parent[MS_MAX_PATTERN]; /* [n] the level above; level 0: itself */
  ms_bitset children[MS_MAX_PATTERN]; /* [n] levels */
  ms_bitset relevant[MS_MAX_PATTERN]; /* [n] the earlier levels on whose matches the number of ways
                                         to match this level and all levels below depends */
  bool remembers[MS_MAX_PATTERN];     /* [n] the number of ways is stored: few enough matches are
                                      relevant, and other matches change between equal keys */
} ms_factor;

/* The greatest number of matches on which a stored number of ways may depend. */
#define MS_FACTOR_KEYS 4u
/* The greatest number of stored numbers of ways of a level. */
#define MS_FACTOR_ENTRIES 65536u

/* Builds the tree of a connected shape that is not induced.  No domain[shape->n] is empty. */
ms_status ms_factor_new(const ms_pattern_index *index, const ms_shape *shape,
                        const ms_domain *domain, ms_factor **out, ms_error *err);
void ms_factor_free(ms_factor *factor);

/* What a count by factors uses. */
typedef struct ms_factor_run {
  int threads;
  const ms_share *share;    /* units of the roots that are counted (units.h); NULL: all */
  const ms_stop *stop;      /* may be NULL */
  struct ms_budget *budget; /* it stores fewer values if the budget is short; NULL: no bound */
  ms_work *work;            /* as in ms_pattern_task */
} ms_factor_run;

/* Sets `maps` to the number of maps whose root is not one of the first `first` ones (0: to that of
 * all maps).  A number of more than 128 bits is computed from its residues modulo several primes.
 * If it returns MS_ERR_LIMIT or MS_ERR_INTERRUPTED, it was stopped, and `maps` is the count of the
 * roots that were done, or 0. */
ms_status ms_factor_count(const ms_factor *factor, uint64_t first, const ms_factor_run *run,
                          mpz_t maps, ms_error *err);

/* Counts the maps of some roots from `first` on: a thread ends after a few roots with which it has
 * looked at `most` candidates.  *done is the number of the roots before and in `maps`; `first`: a
 * number has more than 128 bits, or one of the roots takes too long, and `maps` is 0.  A stop is as
 * in ms_factor_count. */
ms_status ms_factor_begin(const ms_factor *factor, uint64_t first, uint64_t most,
                          const ms_factor_run *run, mpz_t maps, uint64_t *done, ms_error *err);

#endif
