/* The host's side of sums that many threads of a GPU add to. */
#ifndef MS_GPU_COMMON_SUM_H
#define MS_GPU_COMMON_SUM_H

#include "gpu/common/queue.h"

#include <gmp.h>

/* Adds the sum to `to`.  The sum is modulo 2^256 and in two's complement, so it may be negative. */
void ms_gpu_sum_add(mpz_t to, const ms_gpu_sum *sum);

#endif
