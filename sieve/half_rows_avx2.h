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

/* The lower and the upper half of a line that one vertex has to itself */
typedef struct both {
  half v[2];
} both;

static inline half half_add_masked(half sum, half x, half mask)
{
  return _mm256_xor_si256(sum, _mm256_and_si256(x, mask));
}

static inline half half_blend(half mask, half low, half high)
{
  return _mm256_or_si256(_mm256_and_si256(mask, low), _mm256_andnot_si256(mask, high));
}

static inline both both_zero(void)
{
  return (both){{_mm256_setzero_si256(), _mm256_setzero_si256()}};
}

static inline both both_mask(uint64_t lanes)
{
  return (both){{half_mask(lanes), half_mask(~lanes)}};
}

static inline both both_load(const half *low, const half *high)
{
  return (both){{*low, *high}};
}

static inline both both_add(both sum, both x)
{
  return (both){{_mm256_xor_si256(sum.v[0], x.v[0]), _mm256_xor_si256(sum.v[1], x.v[1])}};
}

static inline both both_spread(half x, both mask)
{
  half low = _mm256_and_si256(x, mask.v[0]);
  return (both){{low, _mm256_xor_si256(x, low)}};
}

static inline both both_add_masked(both sum, half x, both mask)
{
  return both_add(sum, both_spread(x, mask));
}
