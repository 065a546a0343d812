/* The units of a count of a pattern (base/units.h).
 *
 * A count runs programs (count.h), each of which is a sum over its roots.  Each program deals its
 * roots out to the same MS_COUNT_UNITS units, so that a unit has a part of every program.  A root
 * with very many neighbours is cut: its candidates of the next level are dealt out in place of the
 * root.  Ids ascend by degree, and the steps between the units of roots that follow each other are
 * near the golden section of all units.  So each range of units, and each part of N that is dealt
 * out, has its share of roots of each degree.
 *
 * Units depend on the index and on the program alone. */
#ifndef MS_MATCH_UNITS_H
#define MS_MATCH_UNITS_H

#include "base/units.h"
#include "match/cpu/program.h"

/* The least common multiple of 1 to 16: the roots of a part of up to 16 lie equally far apart. */
#define MS_COUNT_UNITS 720720u
#define MS_COUNT_UNIT_STEP 445429u /* has no divisor in common with the number of units */

/* Returns the unit of a program's root number i, or of the child with the id i of any cut root.  In
 * an inner pattern (inner_plan.h) it is the child's number. */
static inline uint64_t ms_count_unit(uint64_t i)
{
  return i * MS_COUNT_UNIT_STEP % MS_COUNT_UNITS;
}

/* Returns the least degree of a root that is cut, UINT32_MAX for a program whose roots are not. */
uint32_t ms_count_cut_degree(const ms_program *program);

/* Roots are cut that have at least so many neighbours, and are among so many with the most
 * neighbours; where a part of a root takes long to begin, among fewer.  Only tests change them. */
extern uint32_t ms_count_cut_from, ms_count_cut_roots;

#endif
