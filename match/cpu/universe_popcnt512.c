/* Local programs with bits, with AVX-512 and its instruction for the ones of a word.  Up to FEW
 * words are taken one by one: a sum over a register takes longer. */
#include <immintrin.h>
#include <stdint.h>

enum { FEW = 3, WIDTH = 8 };

static inline __mmask8 first_words(uint32_t n)
{
  return (__mmask8)(n < WIDTH ? (1u << n) - 1 : 0xff);
}

static inline uint64_t and_words(const uint64_t *a, const uint64_t *b, uint32_t n, uint64_t *out)
{
  uint64_t count = 0;
  if (n <= FEW) {
    for (uint32_t i = 0; i < n; i++) {
      out[i] = a[i] & b[i];
      count += (uint64_t)__builtin_popcountll(out[i]);
    }
    return count;
  }
  __m512i sum = _mm512_setzero_si512();
  for (uint32_t i = 0; i < n; i += WIDTH) {
    __mmask8 in = first_words(n - i);
    __m512i v =
        _mm512_and_si512(_mm512_maskz_loadu_epi64(in, a + i), _mm512_maskz_loadu_epi64(in, b + i));
    _mm512_mask_storeu_epi64(out + i, in, v);
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(v));
  }
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

static inline uint64_t and_not_words(const uint64_t *a, const uint64_t *b, uint32_t n,
                                     uint64_t *out)
{
  __m512i sum = _mm512_setzero_si512();
  for (uint32_t i = 0; i < n; i += WIDTH) {
    __mmask8 in = first_words(n - i);
    __m512i v = _mm512_andnot_si512(_mm512_maskz_loadu_epi64(in, b + i),
                                    _mm512_maskz_loadu_epi64(in, a + i));
    _mm512_mask_storeu_epi64(out + i, in, v);
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(v));
  }
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

static inline uint64_t count_words_of(const uint64_t *a, const uint64_t *b, uint32_t n)
{
  uint64_t count = 0;
  if (n <= FEW) {
    for (uint32_t i = 0; i < n; i++)
      count += (uint64_t)__builtin_popcountll(a[i] & b[i]);
    return count;
  }
  __m512i sum = _mm512_setzero_si512();
  for (uint32_t i = 0; i < n; i += WIDTH) {
    __mmask8 in = first_words(n - i);
    __m512i v =
        _mm512_and_si512(_mm512_maskz_loadu_epi64(in, a + i), _mm512_maskz_loadu_epi64(in, b + i));
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(v));
  }
  return (uint64_t)_mm512_reduce_add_epi64(sum);
}

#define UNIVERSE ms_universe_avx512
#define UNIVERSE_NAME "avx512"
#include "match/cpu/universe_template.h"
