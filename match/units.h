/* The units of a count of a pattern.
 *
 * A count runs programs (count/count.h), each of which is a sum over its roots.  Each program deals
 * its roots out to the same units (base/units.h), so that a unit has a part of every program.
 * A root with very many neighbours is cut: its candidates of the next level are dealt out by their
 * ids; in an inner pattern (cpu/inner_plan.h), by their numbers.  Ids ascend by degree, so that a
 * unit has roots of each degree.  Units depend on the index and on the program alone. */
#ifndef MS_MATCH_UNITS_H
#define MS_MATCH_UNITS_H

#include "base/units.h"
#include "match/cpu/program.h"
#include "match/engine.h"

/* Returns the least degree of a root that is cut, UINT32_MAX for a program whose roots are not. */
uint32_t ms_count_cut_degree(const ms_program *program);

/* ---- programs of a share --------------------------------------------------------------------- */

/* A share of a program as programs whose first two levels have fewer candidates: what engines that
 * know no shares run (units.h).  One has the roots of the share that are not cut, and the other one
 * all cut roots with the children of the share. */

typedef struct ms_restricted {
  ms_program program[2]; /* they share the memory of the program that they were made from, but .. */
  ms_step *step[2];      /* .. for these */
  uint32_t *root[2];
  uint64_t *bits; /* of children */
} ms_restricted;

/* Makes both programs, of which either may have no root.  The program is one without an inner
 * pattern, and must outlive them. */
ms_status ms_restricted_make(const ms_program *program, const ms_share *share, ms_restricted *out,
                             ms_error *err);
void ms_restricted_free(ms_restricted *restricted);
/* Returns the number of roots of the program number i. */
uint32_t ms_restricted_roots(const ms_restricted *restricted, int i);

#endif
