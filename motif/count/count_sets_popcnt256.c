/* Counting with AVX2: ones are counted by a look-up of the halves of bytes. */
#include "base/compiler.h"
#include "motif/count/count_sets.h"

#include <immintrin.h>

#define LANES 4u
#define BLOCK_WORDS (31u * LANES) /* tallies are bytes, and a word adds at most 8 to each */

typedef uint64_t vec __attribute__((vector_size(32), may_alias));

MS_ALWAYS_INLINE vec tally(vec sum, vec x)
{
  const __m256i ones = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2,
                                        1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
  const __m256i low = _mm256_set1_epi8(15);
  __m256i a = _mm256_shuffle_epi8(ones, _mm256_and_si256((__m256i)x, low));
  __m256i b = _mm256_shuffle_epi8(ones, _mm256_and_si256(_mm256_srli_epi16((__m256i)x, 4), low));
  return (vec)_mm256_add_epi8((__m256i)sum, _mm256_add_epi8(a, b));
}

MS_ALWAYS_INLINE vec settle(vec tallies)
{
  return (vec)_mm256_sad_epu8((__m256i)tallies, _mm256_setzero_si256());
}

MS_ALWAYS_INLINE uint64_t ones_of(uint64_t x)
{
  return (uint64_t)__builtin_popcountll(x);
}

#define SET_COUNTING ms_set_counting_avx2
#define SET_COUNTING_NAME "avx2"
#include "motif/count/count_sets_template.h"
