/* Units of work and shares of them.
 *
 * A long computation (a count or a list of matches, a census, a sieve) is divided into units 0 ..
 * U-1.  The division is a function of the graph, the colours, the query and the options that change
 * the result.  It does not depend on threads, GPUs, engines or the number of parts.  What a unit
 * adds to the result is its contribution: numbers that are added, bytes that are XORed, flags that
 * are ORed, or rows that have the unit's place in the order of rows.  The contributions of disjoint
 * shares that hold all units add up to the undivided result, in any order.
 *
 * What belongs to no unit in particular, such as a term of a formula that is cheap, belongs to unit
 * 0: whoever has that unit (ms_share_has(share, 0)) adds it.  Divisions, by automorphisms for
 * example, follow once all contributions are added.
 *
 * A share may be bounded to any units: they may be more than there are, and a share may hold none.
 * NULL is the share of all units wherever a pointer to a share is accepted. */
#ifndef MS_BASE_UNITS_H
#define MS_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The units u with first <= u < last and u mod step == phase mod step. */
typedef struct ms_share {
  uint64_t first, last;
  uint64_t phase, step; /* step 0 is read as 1 */
} ms_share;

/* Returns the share of part `part` of `parts`, as `--part` deals units out; 0 < part <= parts. */
static inline ms_share ms_share_of_part(uint32_t part, uint32_t parts)
{
  ms_share share = {0, UINT64_MAX, part - 1u, parts};
  return share;
}

/* Returns the share of the units first .. last - 1. */
static inline ms_share ms_share_of_range(uint64_t first, uint64_t last)
{
  ms_share share = {first, last, 0, 1};
  return share;
}

static inline bool ms_share_has(const ms_share *share, uint64_t unit)
{
  return !share || (unit >= share->first && unit < share->last &&
                    (share->step < 2 || unit % share->step == share->phase % share->step));
}

/* Returns the first unit of the share that is not below `from`, or UINT64_MAX if there is none. All
 * units of a share below `units`:
 *
 *   for (uint64_t u = ms_share_next(share, 0); u < units; u = ms_share_next(share, u + 1))
 */
static inline uint64_t ms_share_next(const ms_share *share, uint64_t from)
{
  uint64_t unit = from, rest;
  if (!share)
    return unit;
  if (unit < share->first)
    unit = share->first;
  if (share->step > 1) {
    rest = (share->phase % share->step + share->step - unit % share->step) % share->step;
    if (rest > UINT64_MAX - unit)
      return UINT64_MAX;
    unit += rest;
  }
  return unit < share->last ? unit : UINT64_MAX;
}

/* Returns the number of units below `units` that are in the share. */
static inline uint64_t ms_share_count(const ms_share *share, uint64_t units)
{
  uint64_t last = share && share->last < units ? share->last : units;
  uint64_t first = ms_share_next(share, 0);
  if (first >= last)
    return 0;
  return (last - 1 - first) / (share && share->step > 1 ? share->step : 1) + 1;
}

/* Returns the units of `all` that are also in the range first .. last - 1. */
static inline ms_share ms_share_within(const ms_share *all, uint64_t first, uint64_t last)
{
  ms_share share = {0, UINT64_MAX, 0, 1};
  if (all)
    share = *all;
  if (share.first < first)
    share.first = first;
  if (share.last > last)
    share.last = last;
  return share;
}

#endif
