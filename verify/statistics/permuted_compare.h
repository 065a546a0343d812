/* Compares the statistics of permutations with the numbers that were counted again in them. */
#ifndef MS_VERIFY_PERMUTED_COMPARE_H
#define MS_VERIFY_PERMUTED_COMPARE_H

#include "verify/statistics/permuted.h"

/* Numbers in permutations that were made again.  One of `count` and `wide` is set. */
typedef struct ms_permuted_counts {
  ms_certificate *c;
  const ms_permuted_rows *rows;
  const ms_permuted *permuted;
  const uint32_t *count; /* [permutations][motifs] */
  const uint64_t *wide;  /* the same */
} ms_permuted_counts;

/* Refuses statistics that all permutations show to be wrong, or that a sample of them contradicts.
 */
ms_status ms_permuted_compare(const ms_permuted_counts *counts, ms_error *err);

#endif
