/* Blocks on which all threads work together (sieve/schedule/team.h), where two vertices may share a
 * line. */
#ifndef MS_SIEVE_TOGETHER_H
#define MS_SIEVE_TOGETHER_H

#include "sieve/backend.h"
#include "sieve/kernels/kernel.h"

typedef struct ms_sieve_together {
  const ms_sieve_shape *shape;     /* is_shared */
  const ms_sieve_pass *pass;       /* filled */
  ms_sieve_block_fn *run;          /* of the kernel's halves */
  const ms_sieve_scratch *scratch; /* of all threads; its moments are zero, before and afterwards */
  const ms_sieve_config *config;   /* stop and blocks_done */
  uint64_t first, last;            /* blocks of the pass, in the order of their numbers */
  uint8_t *q;                      /* [n] to which the blocks are added */
} ms_sieve_together;

/* Runs the blocks on at most `threads` threads.  Returns the status of a stop, after which q is of
 * no use, or MS_OK. */
ms_status ms_sieve_run_together(const ms_sieve_together *together, int threads);

#endif
