/* The floor of whatever has to look at some arrays: the time to read them once. */
#ifndef MS_BENCH_READ_ONCE_H
#define MS_BENCH_READ_ONCE_H

#include "base/stop.h"

#include <stddef.h>
#include <stdint.h>

/* Least milliseconds of `runs` readings of `blocks` arrays of that many bytes. */
static inline double bench_read_once(const void *const *array, const size_t *bytes, int blocks,
                                     int threads, int runs)
{
  double least = 0;
  uint64_t sum = 0;
  for (int r = 0; r < runs; r++) {
    double begin = ms_seconds();
    for (int b = 0; b < blocks; b++) {
      const uint64_t *word = array[b];
      size_t words = bytes[b] / sizeof *word;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
      for (size_t i = 0; i < words; i++)
        sum += word[i];
    }
    double took = 1e3 * (ms_seconds() - begin);
    least = r == 0 || took < least ? took : least;
  }
  volatile uint64_t kept = sum; /* or nothing would be read */
  (void)kept;
  return least;
}

#endif
