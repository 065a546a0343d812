/* Sorted sets on any processor. The only branch of a merge is that of its
 * loop. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SORTED_NAME portable

enum { LEAF = 1 };

/* Writes out[k] at each step and keeps it if it was a hit. Because k <= i, in
 * place (out == a) it overwrites only what is equal or has been read. */
static size_t merge_intersect(const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                              uint32_t *out)
{
  size_t i = 0, j = 0, k = 0;
  while (i < na && j < nb) {
    uint32_t x = a[i], y = b[j];
    out[k] = x;
    k += x == y;
    i += x <= y;
    j += y <= x;
  }
  return k;
}

static size_t merge_count(const uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
  size_t i = 0, j = 0, k = 0;
  while (i < na && j < nb) {
    uint32_t x = a[i], y = b[j];
    k += x == y;
    i += x <= y;
    j += y <= x;
  }
  return k;
}

static size_t merge_subtract(const uint32_t *a, size_t na, const uint32_t *b, size_t nb,
                             uint32_t *out)
{
  size_t i = 0, j = 0, k = 0;
  while (i < na && j < nb) {
    uint32_t x = a[i], y = b[j];
    out[k] = x;
    k += x < y;
    i += x <= y;
    j += y <= x;
  }
  while (i < na)
    out[k++] = a[i++];
  return k;
}

static inline bool has(const uint64_t *bits, uint32_t x)
{
  return bits[x / 64] >> x % 64 & 1;
}

static size_t sorted_filter(const uint32_t *a, size_t na, const uint64_t *bits, bool want,
                            uint32_t *out)
{
  size_t k = 0;
  for (size_t i = 0; i < na; i++) {
    uint32_t x = a[i];
    out[k] = x;
    k += has(bits, x) == want;
  }
  return k;
}

static size_t sorted_filter_count(const uint32_t *a, size_t na, const uint64_t *bits, bool want)
{
  size_t k = 0;
  for (size_t i = 0; i < na; i++)
    k += has(bits, a[i]) == want;
  return k;
}

static size_t sorted_and_bits(const uint64_t *a, const uint64_t *b, size_t n, uint64_t *words)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    words[i] = a[i] & b[i];
    count += (unsigned)__builtin_popcountll(words[i]);
  }
  return count;
}

static size_t sorted_and_count(const uint64_t *a, const uint64_t *b, size_t n)
{
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += (unsigned)__builtin_popcountll(a[i] & b[i]);
  return count;
}

static inline size_t leaf(const uint32_t *p, uint32_t x)
{
  return *p < x;
}

#include "match/cpu/sorted_template.h"
