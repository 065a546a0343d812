/* Random partitions of units into shares (base/units.h). */
#ifndef TESTS_SUPPORT_SHARES_H
#define TESTS_SUPPORT_SHARES_H

#include "base/units.h"
#include "tests/support/random.h"

enum { MOST_SHARES = 24 };

/* Fills share[] with shares that together hold each of the units once; returns their number.  They
 * are dealt parts, ranges, or one of the two within the other. */
static inline uint32_t random_shares(uint64_t *seed, uint64_t units, ms_share *share)
{
  uint32_t parts = 1 + random_below(seed, 16), count = 0;
  if (random_below(seed, 2)) {
    for (uint32_t p = 1; p <= parts; p++) {
      ms_share part = ms_share_of_part(p, parts);
      uint64_t middle = units > 0 && parts < 9 ? random_below(seed, (uint32_t)units + 1) : 0;
      if (middle > 0)
        share[count++] = ms_share_within(&part, 0, middle);
      share[count++] = ms_share_within(&part, middle, UINT64_MAX);
    }
    return count;
  }
  for (uint64_t first = 0; count < parts; count++) {
    uint64_t rest = first < units ? units - first : 0;
    uint64_t last = first + random_below(seed, (uint32_t)(2 * rest / (parts - count) + 2));
    last = count + 1 == parts ? UINT64_MAX : last;
    share[count] = ms_share_of_range(first, last);
    first = last;
  }
  return count;
}

#endif
