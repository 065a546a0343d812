/* Draws the random sets of sampled overlaps again.
 *
 * Which sets they are, and which subset of each is looked at, follows from the graph, the seed and
 * the number of the draw (docs/SIGNIFICANCE.md, "Sampled overlaps").  This code follows that text
 * and shares nothing with what drew the sets first but Philox. */
#ifndef MS_VERIFY_REDRAW_H
#define MS_VERIFY_REDRAW_H

#include "verify/census.h"

/* The ranks of the vertices that count, their neighbours, and the numbers of the sets. */
typedef struct ms_ranks {
  uint32_t n, k;
  uint64_t *offset;   /* [n + 1] */
  uint32_t *neighbor; /* [offset[n]] ranks, ascending in a row */
  uint64_t *first; /* [n + 1] the number of the first set of each root; at the end, that of sets */
  uint8_t *seen;   /* [n] 0 between two searches */
  uint32_t *list;  /* [n] */
  uint64_t steps;
  const ms_stop *stop;
  ms_status stopped;
} ms_ranks;

/* Ranks the vertices that have colours in `coloring`, and counts the sets of each root.  After a
 * failure there is nothing to close.  A stop is an error. */
ms_status ms_ranks_open(const ms_graph *graph, const ms_coloring *coloring, uint32_t k,
                        const ms_stop *stop, ms_ranks *out, ms_error *err);
void ms_ranks_close(ms_ranks *ranks);
/* Checks the token at some steps; true, and noted in ranks->stopped: the search ends. */
bool ms_ranks_stopped(ms_ranks *ranks);

/* Sets set[draws][k] to the ranks, ascending, of the sets that are drawn for j common vertices. */
ms_status ms_redraw_sets(ms_ranks *ranks, uint64_t draws, uint64_t seed, uint32_t j, uint32_t *set,
                         ms_error *err);
/* Moves the subset that draw number `draw` chooses to the front of set[k]. */
void ms_redraw_subset(uint32_t *set, uint32_t k, uint64_t draw, uint64_t seed, uint32_t j);

/* What the draws of one number of common vertices have given. */
typedef struct ms_redrawn {
  uint64_t draws;     /* that were counted: all, or those before a stop */
  mpz_t sum, squares; /* of d(T) */
} ms_redrawn;

/* Counts d(T) for the draws of j common vertices, 2 <= j < k.  The caller initialises `out`.  A
 * stop is no error: ranks->stopped says it. */
ms_status ms_redraw(ms_ranks *ranks, uint64_t draws, uint64_t seed, uint32_t j, ms_redrawn *out,
                    ms_error *err);

/* Checks the overlaps of a census whose moments are sampled: draws its samples again, as far as
 * the time of a recount goes, and notes in the report how many.  pairs[k + 1] are O_i of the
 * header, whole numbers.  *redrawn: all samples were drawn, and error[k + 1] has the standard
 * errors of B_j (significance/overlaps.h) for 1 < j < k. */
ms_status ms_check_redrawn(ms_certificate *c, const ms_coloring *coloring, mpq_t *pairs,
                           double *error, bool *redrawn, ms_error *err);

#endif
