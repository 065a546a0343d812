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

/* ---- lanes: the bytes of a word (sorted_template.h) --------------------------------- */

enum { LANES = 8 };
#define LANE_COST 1.3
typedef uint64_t lanes_t;

/* Returns bit i of the mask in byte i. */
static inline uint64_t lanes_of_mask(uint64_t mask)
{
  return ((mask & 0x7f) * UINT64_C(0x2040810204081) & UINT64_C(0x0101010101010101)) | (mask & 0x80)
                                                                                          << 49;
}

static inline lanes_t lanes_sum(const uint32_t *ids, uint32_t n, const uint64_t *mask)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < n; i++)
    sum += lanes_of_mask(mask[ids[i]]);
  return sum;
}

static inline uint64_t lanes_value(lanes_t sum, uint64_t active)
{
  uint64_t value = 0;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint64_t count = sum >> 8 * lane & 0xff;
    value += active >> lane & 1 ? count * (count - 1) : 0;
  }
  return value;
}

static inline void lanes_store(lanes_t sum, uint8_t *out)
{
  for (uint32_t lane = 0; lane < LANES; lane++)
    out[lane] = (uint8_t)(sum >> 8 * lane);
}

#include "match/cpu/sorted_template.h"
