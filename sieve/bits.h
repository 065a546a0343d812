/* Matrices of 8 x 8 bits in words. */
#ifndef MS_SIEVE_BITS_H
#define MS_SIEVE_BITS_H

#include <stdint.h>

/* Returns the transpose of a matrix of 8 x 8 bits, row i in byte i: off-diagonal bits, squares of
 * two and squares of four change places. */
static inline uint64_t ms_bits_transpose(uint64_t x)
{
  uint64_t swap = (x ^ x >> 7) & UINT64_C(0x00AA00AA00AA00AA);
  x ^= swap ^ swap << 7;
  swap = (x ^ x >> 14) & UINT64_C(0x0000CCCC0000CCCC);
  x ^= swap ^ swap << 14;
  swap = (x ^ x >> 28) & UINT64_C(0x00000000F0F0F0F0);
  return x ^ swap ^ swap << 28;
}

#endif
