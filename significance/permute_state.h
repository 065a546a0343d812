/* The state of permutations in a checkpoint: the permutations that are done, and their sums. */
#ifndef MS_SIGNIFICANCE_PERMUTE_STATE_H
#define MS_SIGNIFICANCE_PERMUTE_STATE_H

#include "parts/log.h"
#include "significance/permute.h"

/* The caller sets what it has before ms_permute_state_open, zeros elsewhere.  With a checkpoint it
 * also opens the identity, and appends to it what the numbers of a permutation depend on besides
 * `options`. */
typedef struct ms_permute_state {
  const ms_division *division; /* NULL: there is none */
  const ms_permutation_options *options;
  uint64_t motifs;
  ms_permutation_result *result;
  ms_permutation_sum *sum; /* [motifs] */
  uint64_t *kept;          /* [rows_kept][motifs]; NULL: none */
  uint64_t rows_kept;
  ms_identity identity;
  ms_unit_log *log; /* NULL: there is no checkpoint */
} ms_permute_state;

/* True if the division has a checkpoint. */
bool ms_permute_state_saves(const ms_permute_state *state);
/* Opens the checkpoint, if the division has one; adds what it has to result, sums and kept numbers.
 * ms_permute_state_close must follow in any case. */
ms_status ms_permute_state_open(ms_permute_state *state, ms_error *err);
void ms_permute_state_close(ms_permute_state *state, ms_permutation_result *result);
/* Says that another permutation is in the sums: saves them if this is due. */
void ms_permute_state_note(ms_permute_state *state);
void ms_permute_state_save(ms_permute_state *state);

#endif
