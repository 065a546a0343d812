/* Units that are alike (units.h), for sums over roots and, of some roots, over their children.
 *
 * Roots have numbers, which follow each other as they like.  Each root is dealt out to one of
 * MS_EVEN_UNITS units.  The steps between the units of roots that follow each other are near the
 * golden section of all units, so that each range of units, and each part of N that is dealt out,
 * has its share of any range of roots.  A root with very many neighbours is cut: its children are
 * dealt out in place of the root. */
#ifndef MS_BASE_EVEN_UNITS_H
#define MS_BASE_EVEN_UNITS_H

#include "base/units.h"

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

#endif
