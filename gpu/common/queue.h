/* What the host (C) and all blocks of a search (CUDA C++) tell each other while
 * it runs: who has taken what, how much was found, and the sum. */
#ifndef MS_GPU_COMMON_QUEUE_H
#define MS_GPU_COMMON_QUEUE_H

#include <stdint.h>

enum { MS_SUM_DIGITS = 8 };

/* A signed number: sum of digit[i] 2^(32 i), modulo 2^256.  Each of 2^32 adds
 * leaves less than 2^32 in a digit: none overflows before the host reads it. */
typedef struct ms_gpu_sum {
  unsigned long long digit[MS_SUM_DIGITS];
} ms_gpu_sum;

/* In the device's memory; all zero when a search begins.  A search that goes on
 * after a full output keeps what is in front of `rows`. */
typedef struct ms_gpu_queue {
  unsigned long long next; /* units taken; may go beyond their number */
  unsigned long long rows; /* of the output that were asked for: more than its room is full */
  unsigned int stop;       /* the host wants the search to end */
  unsigned int left;       /* warps or blocks that have not finished their part: launch again */
  unsigned int listed,
      unlisted; /* work that a kernel lists for the next one, and takes from there */
  ms_gpu_sum sum;
} ms_gpu_queue;

#endif
