/* The units of a count of a pattern.
 *
 * A count runs programs (count/count.h), each of which is a sum over its roots.  Each program deals
 * its roots out to the same units (base/even_units.h), so that a unit has a part of every program.
 * A root with very many neighbours is cut: its candidates of the next level are dealt out by their
 * ids; in an inner pattern (cpu/inner_plan.h), by their numbers.  Ids ascend by degree, so that a
 * unit has roots of each degree.  Units depend on the index and on the program alone. */
#ifndef MS_MATCH_UNITS_H
#define MS_MATCH_UNITS_H

#include "base/even_units.h"
#include "match/cpu/program.h"

/* Returns the least degree of a root that is cut, UINT32_MAX for a program whose roots are not. */
uint32_t ms_count_cut_degree(const ms_program *program);

#endif
