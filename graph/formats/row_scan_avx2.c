/* Eight neighbours at a time; see row_scan.h. */
#include "graph/formats/row_scan.h"

#include <immintrin.h>

typedef struct lanes {
  __m256i mask, factor, u; /* 8 x 32 bits; u with its highest bit flipped, to compare signed */
  __m256i sum;             /* 4 x 64 bits */
  __m256i wrong;           /* 8 x 32 bits, nonzero: wrong */
} lanes;

static inline __m256i flip(__m256i x)
{
  return _mm256_xor_si256(x, _mm256_set1_epi32(INT32_MIN));
}

/* Returns the numbers of the neighbours in the lower halves of 64-bit lanes. */
static inline __m256i numbers(const lanes *l, __m256i masked)
{
  __m256i product = _mm256_mul_epu32(masked, l->factor);
  return _mm256_mul_epu32(product, _mm256_srli_epi64(product, 32));
}

/* Adds g, negative where all bits of `below` are set. */
static inline void add(lanes *l, __m256i g, __m256i below)
{
  l->sum = _mm256_add_epi64(l->sum, _mm256_sub_epi64(_mm256_xor_si256(g, below), below));
}

/* Adds eight neighbours; `before` holds the neighbour in front of each, and lanes that are not
 * in `used` do not count. */
static inline void eight(lanes *l, __m256i v, __m256i before, __m256i used)
{
  __m256i flipped = flip(v), below = _mm256_cmpgt_epi32(l->u, flipped);
  __m256i ascends = _mm256_cmpgt_epi32(flipped, flip(before));
  __m256i self = _mm256_cmpeq_epi32(flipped, l->u);
  __m256i masked = _mm256_xor_si256(v, l->mask);
  __m256i even = numbers(l, masked), odd = numbers(l, _mm256_srli_epi64(masked, 32));
  l->wrong = _mm256_or_si256(
      l->wrong, _mm256_or_si256(_mm256_andnot_si256(ascends, used), _mm256_and_si256(self, used)));
  add(l, _mm256_and_si256(even, _mm256_shuffle_epi32(used, 0xA0)),
      _mm256_shuffle_epi32(_mm256_and_si256(below, used), 0xA0));
  add(l, _mm256_and_si256(odd, _mm256_shuffle_epi32(used, 0xF5)),
      _mm256_shuffle_epi32(_mm256_and_si256(below, used), 0xF5));
}

static inline uint64_t add_lanes(__m256i sum)
{
  __m128i two = _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  return (uint64_t)_mm_cvtsi128_si64(two) + (uint64_t)_mm_extract_epi64(two, 1);
}

uint64_t ms_row_scan_avx2(ms_row_key key, uint32_t u, const uint32_t *neighbor, uint64_t count,
                          bool *wrong)
{
  const __m256i all = _mm256_set1_epi32(-1);
  const __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
  lanes l = {_mm256_set1_epi32((int)key.mask), _mm256_set1_epi32((int)key.factor),
             flip(_mm256_set1_epi32((int)u)), _mm256_setzero_si256(), _mm256_setzero_si256()};
  /* the first has no neighbour in front of it */
  uint64_t sum = ms_row_number(key, neighbor[0]), at = 1;
  *wrong |= neighbor[0] == u;
  if (neighbor[0] < u)
    sum = -sum;
  for (; at + 8 <= count; at += 8)
    eight(&l, _mm256_loadu_si256((const __m256i *)(neighbor + at)),
          _mm256_loadu_si256((const __m256i *)(neighbor + at - 1)), all);
  if (at < count) {
    __m256i used = _mm256_cmpgt_epi32(_mm256_set1_epi32((int)(count - at)), place);
    eight(&l, _mm256_maskload_epi32((const int *)(neighbor + at), used),
          _mm256_maskload_epi32((const int *)(neighbor + at - 1), used), used);
  }
  *wrong |= !_mm256_testz_si256(l.wrong, l.wrong);
  return sum + add_lanes(l.sum);
}
