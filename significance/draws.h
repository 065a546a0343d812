/* Random numbers of permutations: a function of the seed, the number of the permutation, a purpose,
 * and their place, by Philox (base/philox.h). */
#ifndef MS_SIGNIFICANCE_DRAWS_H
#define MS_SIGNIFICANCE_DRAWS_H

#include <stdint.h>

/* The numbers of one purpose of one permutation, in order. */
typedef struct ms_draws {
  uint32_t key[2], counter[4];
  uint32_t left; /* of number[], which ms_draws_next returns */
  uint64_t number[2];
} ms_draws;

enum { MS_DRAW_SHUFFLE, MS_DRAW_SWAP, MS_DRAW_HUB };

void ms_draws_open(ms_draws *d, uint64_t seed, uint64_t permutation, uint32_t purpose);
/* Returns a number of 64 random bits. */
uint64_t ms_draws_next(ms_draws *d);
/* Fills draw[count] with the next numbers; count is even, and so must be that of all before. */
void ms_draws_fill(ms_draws *d, uint64_t *draw, uint32_t count);

/* Returns a number of 0 .. bound - 1; each has its probability up to bound / 2^64. */
static inline uint32_t ms_draws_scale(uint64_t bits, uint32_t bound)
{
  __extension__ typedef unsigned __int128 wide;
  return (uint32_t)((wide)bits * bound >> 64);
}

#endif
