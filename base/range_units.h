/* The units (units.h) of a list whose rows have an order: ranges of roots, and of a root with much
 * estimated work ranges of its children, by their ids.  The rows of all units, one after the other,
 * are those of the whole list. */
#ifndef MS_BASE_RANGE_UNITS_H
#define MS_BASE_RANGE_UNITS_H

#include "motifsieve.h"

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
