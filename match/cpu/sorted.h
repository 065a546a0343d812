/* Sorted sets of 32-bit ids: intersection and difference, by the widest
 * instructions there are.  One table a path (portable, avx2, avx512), picked at
 * run time; MOTIFSIEVE_SETS=NAME names one, for tests; an unknown name is
 * ignored, the result is the same.
 *
 * Inputs ascend without repeats.  Outputs ascend, too; `out` has room for na
 * elements and 16 more (whole vectors are written), and may be `a` itself, not
 * b.  Nothing is read outside of the inputs.  Lengths that differ by a factor
 * of 8 or more are galloped. */
#ifndef MS_MATCH_CPU_SORTED_H
#define MS_MATCH_CPU_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MS_SORTED_SLACK 16u

typedef struct ms_sorted {
  const char *name;
  /* out = a and b; how many */
  size_t (*intersect)(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, uint32_t *out);
  size_t (*count)(const uint32_t *a, size_t na, const uint32_t *b, size_t nb);
  /* out = a without b */
  size_t (*subtract)(const uint32_t *a, size_t na, const uint32_t *b, size_t nb, uint32_t *out);
  /* out = those of a whose bit in bits[] (64 a word) is `want`; how many */
  size_t (*filter)(const uint32_t *a, size_t na, const uint64_t *bits, bool want, uint32_t *out);
  size_t (*filter_count)(const uint32_t *a, size_t na, const uint64_t *bits, bool want);
  /* words[n] = a and b; how many bits are set.  words may be a or b */
  size_t (*and_bits)(const uint64_t *a, const uint64_t *b, size_t n, uint64_t *words);
  size_t (*and_count)(const uint64_t *a, const uint64_t *b, size_t n);
} ms_sorted;

extern const ms_sorted ms_sorted_portable;
#ifdef MS_X86_64
extern const ms_sorted ms_sorted_avx2, ms_sorted_avx512;
#endif

/* The fastest one here, or the one that MOTIFSIEVE_SETS names where there is
 * one of that name.  Never NULL. */
const ms_sorted *ms_sorted_best(void);
/* The i-th that this processor has, from the portable one on; NULL after the last. */
const ms_sorted *ms_sorted_at(unsigned i);

/* The first index i < n with a[i] >= x, else n. */
size_t ms_lower_bound(const uint32_t *a, size_t n, uint32_t x);

#endif
