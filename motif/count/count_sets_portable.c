/* Counting with vectors of two words, which every processor has or the compiler takes apart. */
#include "base/compiler.h"
#include "motif/count/count_sets.h"

#define LANES 2u
#define BLOCK_WORDS (31u * LANES) /* tallies are bytes, and a word adds at most 8 to each */

typedef uint64_t vec __attribute__((vector_size(16), may_alias));

/* Adds the ones of each byte of x: of pairs of bits, of fours, of bytes. */
MS_ALWAYS_INLINE vec tally(vec sum, vec x)
{
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  return sum + ((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f));
}

/* The sums of the bytes of each word. */
MS_ALWAYS_INLINE vec settle(vec tallies)
{
  const uint64_t bytes = UINT64_C(0x00ff00ff00ff00ff);
  vec pairs = (tallies & bytes) + (tallies >> 8 & bytes);
  return pairs * UINT64_C(0x0001000100010001) >> 48;
}

/* The same for a word. */
MS_ALWAYS_INLINE uint64_t ones_of(uint64_t x)
{
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  return ((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56;
}

#define SET_COUNTING ms_set_counting_portable
#define SET_COUNTING_NAME "portable"
#include "motif/count/count_sets_template.h"
