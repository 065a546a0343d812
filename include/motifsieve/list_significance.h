/* Significance of one motif: is it there more often, or less often, than by chance.  motifsieve.h
 * includes this file. */
#ifndef MOTIFSIEVE_LIST_SIGNIFICANCE_H
#define MOTIFSIEVE_LIST_SIGNIFICANCE_H

#include "motifsieve/motif.h"
#include "motifsieve/permutations.h"
#include "motifsieve/significance.h"

/* ---- significance of one motif ---------------------------------------- */

/* What was observed, and what is expected if the colours are permuted at random: by formula, and in
 * permutations.  p: the probability of at least as many as observed; p_less: of at most as many. */
typedef struct ms_list_significance {
  ms_run_outcome run; /* its units are permutations */
  uint64_t observed;  /* matches; with `participation`, vertices in matches */
  bool by_formula;    /* a mean and a standard deviation by formula were asked for */
  bool has_moments;   /* the next numbers are filled; else moments_reason says why not */
  double expected, sd, z, p, p_less; /* as in ms_significance; z is NAN where sd is 0 */
  ms_p_by p_by;
  bool exact;                 /* the standard deviation is; else it is from a sample */
  double error;               /* relative standard error of sd; 0: exact */
  const char *moments_reason; /* static text */
  uint64_t asked, done;       /* permutations */
  /* of the permutations; with N done, of which n have at least (at most) as many as the graph,
   * p = (1 + n) / (1 + N).  NAN where there are too few permutations, or where the sd is 0. */
  double permuted_expected, permuted_sd, permuted_z, permuted_p, permuted_p_less;
  uint64_t n_ge, n_le;      /* permutations with at least, with at most as many */
  uint64_t tried, accepted; /* swaps, unless labels are dealt out again */
  double deviation;         /* as in ms_permutation_result */
  /* of a part, in decimal: the sum of the numbers in its permutations less `observed`, and the sum
   * of the squares of these differences; empty: of no part */
  char part_sum[48], part_squares[48];
} ms_list_significance;

/* Counts the matches of a motif, or with `participation` of `list` the vertices that are in one, in
 * the graph and in `permutations` (NULL: none).  With `by_formula`, there are a mean and a standard
 * deviation by formula, for which all connected sets are visited and which are for matches of
 * motifs of 2 to MS_MAX_CENSUS colours, without wildcards and conditions, where no vertex has
 * several colours.  Counts are exact; no sieve runs.  The result does not depend on the threads.
 * Takes participation and screen.run from `list`, without GPUs; each thread counts permutations of
 * its own.  A part does a share of the permutations, and counts the graph itself, too; `done` and
 * what follows are of these permutations.  A checkpoint has the permutations that are done.
 * MS_ERR_USAGE: the query has required vertices, or there are parts or a checkpoint without
 * permutations. */
MS_API ms_status ms_list_chance(const ms_query *query, const ms_list_options *list, bool by_formula,
                                const ms_permutation_options *permutations,
                                ms_list_significance *out, ms_error *err);

#endif
