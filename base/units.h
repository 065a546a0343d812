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

#include "motifsieve.h"

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

/* ---- even units ------------------------------------------------------------------------------ */

/* Units that are alike (units.h), for sums over roots and, of some roots, over their children.
 *
 * Roots have numbers, which follow each other as they like.  Each root is dealt out to one of
 * MS_EVEN_UNITS units.  The steps between the units of roots that follow each other are near the
 * golden section of all units, so that each range of units, and each part of N that is dealt out,
 * has its share of any range of roots.  A root with very many neighbours is cut: its children are
 * dealt out in place of the root. */

/* The least common multiple of 1 to 16: the roots of a part of up to 16 lie equally far apart. */
#define MS_EVEN_UNITS 720720u
#define MS_EVEN_UNIT_STEP 445429u /* has no divisor in common with the number of units */

/* Returns the unit of root number i, or of child number i of any cut root. */
static inline uint64_t ms_even_unit(uint64_t i)
{
  return i % MS_EVEN_UNITS * MS_EVEN_UNIT_STEP % MS_EVEN_UNITS;
}

/* Numbers of roots by their degrees. */
typedef struct ms_degree_counts {
  uint64_t count[240];
} ms_degree_counts;

void ms_degree_counts_add(ms_degree_counts *counts, uint32_t degree);
/* Returns the least degree of a root that is cut: at least `least`, and no more than `most` roots
 * have it or a greater one. */
uint32_t ms_degree_counts_cut(const ms_degree_counts *counts, uint32_t least, uint64_t most);

/* ---- ranges of roots ------------------------------------------------------------------------- */

/* The units (units.h) of a list whose rows have an order: ranges of roots, and of a root with much
 * estimated work ranges of its children, by their ids.  The rows of all units, one after the other,
 * are those of the whole list. */

typedef struct ms_range_unit {
  uint64_t first, last; /* numbers of roots */
  uint32_t low, high;   /* ids of the children of a cut root; 0 and UINT32_MAX: all */
} ms_range_unit;

typedef struct ms_range_units {
  ms_range_unit *unit; /* [count] */
  uint64_t count, room;
} ms_range_units;

/* What is cut, and estimates of its work.  The work of a root is its own one and that of its
 * children.  These functions may depend on what is listed alone, so that its units do. */
typedef struct ms_range_cut {
  uint64_t roots;
  bool cuts;          /* a root can be cut among its children */
  double most, least; /* about so many units, of which each has at least this much work */
  const void *user;
  double (*own_work)(const void *user, uint64_t root);
  /* Returns the ascending ids of the children of a root, and sets *count to their number. */
  const uint32_t *(*children)(const void *user, uint64_t root, uint64_t *count);
  /* Estimates the work of a child with `behind` other ones behind it. */
  double (*child_work)(const void *user, uint64_t root, uint32_t child, uint64_t behind);
} ms_range_cut;

/* Appends the units of what is cut; after a failure, too, ms_range_units_free must follow. */
ms_status ms_range_units_add(const ms_range_cut *cut, ms_range_units *units, ms_error *err);
void ms_range_units_free(ms_range_units *units);

/* Appends the range of the unit `next` to that of *unit, if both make one range; else returns
 * false. */
static inline bool ms_range_unit_join(ms_range_unit *unit, const ms_range_unit *next)
{
  bool whole = unit->low == 0 && unit->high == UINT32_MAX;
  if (whole && next->low == 0 && next->high == UINT32_MAX && unit->last == next->first) {
    unit->last = next->last;
    return true;
  }
  if (whole || unit->first != next->first || unit->high != next->low)
    return false;
  unit->high = next->high;
  return true;
}

#endif
