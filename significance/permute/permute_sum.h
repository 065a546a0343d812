/* The sum of what permutations count, as a kind of sum of parts/sum.h: of a census, or of one
 * motif. */
#ifndef MS_SIGNIFICANCE_PERMUTE_SUM_H
#define MS_SIGNIFICANCE_PERMUTE_SUM_H

#include "parts/sum.h"
#include "significance/permute/permute.h"

/* Of permutations that were counted one after the other.  All numbers are whole, so that the order
 * does not matter but for `kept`. */
typedef struct ms_permuted {
  uint64_t motifs, done;
  uint64_t tried, accepted; /* swaps */
  double deviation;         /* the greatest one (ms_permutation_result) */
  ms_permutation_sum *sum;  /* [motifs] */
  uint64_t *n_ge, *n_le;    /* [motifs] permutations with at least, and at most, as many */
  uint64_t *kept;           /* [rows_kept][motifs] numbers of the first permutations; NULL: none */
  uint64_t rows_kept;
} ms_permuted;

/* Allocates the numbers of no permutation; `kept` if rows_kept > 0.  ms_permuted_close must follow
 * in any case. */
ms_status ms_permuted_open(ms_permuted *sum, uint64_t motifs, uint64_t rows_kept, ms_error *err);
void ms_permuted_close(ms_permuted *sum);
/* Forgets all permutations. */
void ms_permuted_clear(ms_permuted *sum);
/* Adds a permutation with the numbers count[motifs]; observed[motifs] are those in the graph.
 * Returns false if a sum of squares is too large. */
bool ms_permuted_count(ms_permuted *sum, const uint64_t *count, const uint64_t *observed,
                       const ms_null_trace *trace);

/* Appends what the numbers depend on besides the graph and what is counted. */
ms_status ms_permuted_identify(const ms_permuted *sum, const ms_permutation_options *options,
                               ms_identity *identity, ms_error *err);
/* Append the sum, and add one that was appended, of the next `permutations`.  MS_ERR_INPUT: the
 * bytes are no sum of so many. */
void ms_permuted_put(const ms_permuted *sum, ms_bytes *out);
ms_status ms_permuted_add(ms_permuted *sum, uint64_t permutations, const ms_bytes *bytes,
                          ms_error *err);
/* Shows all memory of the sum (parts/paranoid.h). */
void ms_permuted_show(ms_permuted *sum, ms_see_fn see, void *see_user);

/* Copies the sum to a result that was opened for its motifs, and fills the statistics.
 * observed[motifs] are the numbers in the graph.  With max_t, all permutations are kept. */
ms_status ms_permuted_finish(const ms_permuted *sum, const uint64_t *observed, bool max_t,
                             ms_permutation_result *result, ms_error *err);

#endif
