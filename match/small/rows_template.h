/* A kernel of rows.h, for a file that defines KERNEL, its name. */
#include "match/small/rows.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)

static uint64_t count(const uint64_t *a, const uint64_t *b, uint32_t words)
{
  uint64_t bits = 0;
  for (uint32_t i = 0; i < words; i++)
    bits += (uint64_t)__builtin_popcountll(a[i] & b[i]);
  return bits;
}

static uint64_t meet(const uint64_t *a, const uint64_t *b, uint32_t words, uint64_t *restrict out)
{
  uint64_t bits = 0;
  for (uint32_t i = 0; i < words; i++) {
    out[i] = a[i] & b[i];
    bits += (uint64_t)__builtin_popcountll(out[i]);
  }
  return bits;
}

const ms_small_rows JOINED(ms_small_rows_, KERNEL) = {TEXT(KERNEL), count, meet};
