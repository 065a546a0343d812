/* Ascending arrays: binary searches, and the order of ids. */
#ifndef MS_ASCENDING_H
#define MS_ASCENDING_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the first i with a[i] >= x, or `count`. */
static inline uint64_t ms_first_at_least(const uint32_t *a, uint64_t count, uint32_t x)
{
  uint64_t low = 0, high = count;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (a[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static inline bool ms_ascending_has(const uint32_t *a, uint64_t count, uint32_t x)
{
  uint64_t i = ms_first_at_least(a, count, x);
  return i < count && a[i] == x;
}

/* Returns the last i < count with a[i] <= x, such as the row in which offsets have an arc; 0: there
 * is none. */
static inline uint64_t ms_last_at_most(const uint64_t *a, uint64_t count, uint64_t x)
{
  uint64_t low = 0, high = count;
  while (high - low > 1) {
    uint64_t middle = low + (high - low) / 2;
    if (a[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Compares two ids, for qsort. */
static inline int ms_compare_ids(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

#endif
