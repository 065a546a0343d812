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

/* ---- factor_choice.c ------------------------------------------------------------------------- */

/* A shape whose vertices the domains divide is counted by factors, or by a search where that is
 * expected to be faster.  Factors win where groups are small, as in patterns with many colours; a
 * search wins in dense patterns with few colours, whose vertices stay one group for long. */

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

/* Chooses the way to count a connected shape that is not induced.  Unless the
 * query is an estimate, it begins to count by factors, since most such counts are over before a
 * probe is: `maps`, which is 0 before the call, receives the number of maps of the first
 * out->done roots.  `maps` may be NULL: nothing is counted.  If it returns MS_ERR_LIMIT or
 * MS_ERR_INTERRUPTED, it was stopped, and `maps` is a lower bound.  In any case the caller frees
 * the parts of *out with ms_factor_choice_free. */
ms_status ms_factor_choose(const ms_count_query *query, const ms_shape *shape,
                           const ms_domain *domain, mpz_ptr maps, ms_factor_choice *out,
                           ms_error *err);
void ms_factor_choice_free(ms_factor_choice *choice);

/* True if a GPU visits all matches of the shape in less time than the CPU counts by factors: it is
 * small and no tree, whose matches may be many times as many as the edges that factors read. */
bool ms_factor_is_visited_on_gpu(const ms_shape *shape);

#endif
