/* A kernel of bits.h, for a file that defines KERNEL, its name, and NEIGHBORS, the neighbours that
 * are looked at one by one in the time of a word, as measured on a Xeon (bench/census.sh). */
#include "census/bits.h"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)

static void add(uint64_t *restrict sum, const uint64_t *restrict row, const uint64_t *restrict free,
                uint32_t words)
{
  for (uint32_t i = 0; i < words; i++)
    sum[i] += (uint64_t)__builtin_popcountll(row[i] & free[i]);
}

const ms_bits_kernel JOINED(ms_bits_, KERNEL) = {TEXT(KERNEL), add, NEIGHBORS};
