/* What the two instruction sets with AVX2 share: rows of halves (halves_template.h), whatever their
 * elements' layout. */
#include <immintrin.h>

static inline half half_zero(void)
{
  return _mm256_setzero_si256();
}

static inline half half_xor(half a, half b)
{
  return _mm256_xor_si256(a, b);
}

static inline half half_and(half a, half b)
{
  return _mm256_and_si256(a, b);
}

static inline half half_add_masked(half sum, half x, half mask)
{
  return _mm256_xor_si256(sum, _mm256_and_si256(x, mask));
}

static inline half half_blend(half mask, half low, half high)
{
  return _mm256_or_si256(_mm256_and_si256(mask, low), _mm256_andnot_si256(mask, high));
}

#include "sieve/kernels/half_both.h"
