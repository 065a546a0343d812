/* What the host (C) and all blocks of a search (CUDA C++) share while it runs: the units taken,
 * the matches found, and the sum. */
#ifndef MS_GPU_COMMON_QUEUE_H
#define MS_GPU_COMMON_QUEUE_H

#include <stdint.h>

enum { MS_SUM_DIGITS = 8 };

/* A signed number: sum of digit[i] 2^(32 i), modulo 2^256.  There are at most 2^32 additions
 * of less than 2^32 to a digit, so that no digit overflows before the host reads it; a call of
 * ms_wide_add_lanes counts as 32 of them. */
typedef struct ms_gpu_sum {
  unsigned long long digit[MS_SUM_DIGITS];
} ms_gpu_sum;

/* It is in the device's memory, and all zero when a search begins.  A search that continues
 * after a full output keeps the members before `rows`. */
typedef struct ms_gpu_queue {
  unsigned long long next; /* units taken; may go beyond their number */
  unsigned long long rows; /* rows requested of the output; more than its room: it is full */
  unsigned int stop;       /* the host asks the search to end */
  unsigned int left;       /* warps or blocks that have not finished their part: launch again */
  unsigned int listed[2],
      unlisted[2]; /* of each list: work that kernels list, and that later ones take */
  ms_gpu_sum sum;
} ms_gpu_queue;

#endif
