/* Counting with AVX-512 and its instruction for the ones of a word. */
#include "base/compiler.h"
#include "motif/count/count_sets.h"

#include <immintrin.h>

#define LANES 8u
#define BLOCK_WORDS (UINT32_C(1) << 30) /* tallies are words */

typedef uint64_t vec __attribute__((vector_size(64), may_alias));

MS_ALWAYS_INLINE vec tally(vec sum, vec x)
{
  return sum + (vec)_mm512_popcnt_epi64((__m512i)x);
}

MS_ALWAYS_INLINE vec settle(vec tallies)
{
  return tallies;
}

MS_ALWAYS_INLINE uint64_t ones_of(uint64_t x)
{
  return (uint64_t)__builtin_popcountll(x);
}

#define SET_COUNTING ms_set_counting_avx512
#define SET_COUNTING_NAME "avx512"
#include "motif/count/count_sets_template.h"
