/* Digests that a device and the host make of the same memory, in any order and on any number of
 * threads.
 *
 * The digest of 32-bit words w[0], w[1], .. is the sum of w[i] c[i] modulo 2^64, in which c[i] is
 * an odd number that depends on i alone (Lemire and Kaser, "Strongly universal string hashing is
 * fast", Computer Journal 2014: the multilinear hash).  A sum does not depend on the order in which
 * threads add.  One wrong word always changes it: w[i] - w'[i] is 2^t times an odd number with t <
 * 32, so the difference of the digests is 2^t times an odd number, which is not 0 modulo 2^64.
 * Several wrong words give the same digest for at most 2^-32 of all choices of the odd numbers. */
#ifndef MS_BASE_DIGEST_H
#define MS_BASE_DIGEST_H

#include "base/compiler.h"

#include <stdint.h>

MS_HOST_DEVICE uint64_t ms_digest_factor(uint64_t i)
{
  /* the finalizer of SplitMix64 */
  uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
  return (x ^ x >> 31) | 1;
}

static inline uint64_t ms_digest_words(const void *data, uint64_t words)
{
  const uint32_t *word = (const uint32_t *)data;
  uint64_t sum = 0;
  for (uint64_t i = 0; i < words; i++)
    sum += word[i] * ms_digest_factor(i);
  return sum;
}

/* Returns the digest of bytes, each of which counts as a word. */
static inline uint64_t ms_digest_bytes(const uint8_t *byte, uint64_t bytes)
{
  uint64_t sum = 0;
  for (uint64_t i = 0; i < bytes; i++)
    sum += byte[i] * ms_digest_factor(i);
  return sum;
}

#endif
