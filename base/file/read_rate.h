/* Measures how fast this machine reads memory. */
#ifndef MS_BASE_READ_RATE_H
#define MS_BASE_READ_RATE_H

#include "motifsieve.h"

/* Measures how many bytes a second `threads` threads read together, as 64-byte lines of one buffer
 * of `bytes` bytes (rounded down to a power of two of at least 4 KiB), in random or in sequential
 * order: the best of a few slices, which together take about `seconds`. */
ms_status ms_read_rate(uint64_t bytes, bool random, int threads, double seconds, double *rate,
                       ms_error *err);

#endif
