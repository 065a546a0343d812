/* The inner pattern of a program, as a sum of programs.
 *
 * A *module* of a pattern is a set of vertices that have the same neighbours outside of it (Gallai,
 * "Transitiv orientierbare Graphen", Acta Mathematica Academiae Scientiarum Hungaricae 18, 1967).
 * Under a partial match of the other vertices, all vertices of the module have the same candidates
 * U.  So the maps that continue the partial match are the maps of the *inner pattern*, which the
 * module induces, into the *inner graph*, which U induces.  The rim of a wheel is a module, with
 * the hub's neighbours as candidates.  In an octahedron, the four vertices other than two that are
 * not adjacent are one.
 *
 * The maps of the inner pattern are counted as those of any other: by a plan or, where it counts a
 * product, by a product less the maps of quotients (match/count/count.h). */
#ifndef MS_MATCH_CPU_INNER_PLAN_H
#define MS_MATCH_CPU_INNER_PLAN_H

#include "match/cpu/program.h"

#define MS_MOST_INNER_TERMS 16u

typedef struct ms_inner_term {
  ms_program *program;
  int64_t factor; /* of the program's total in the number of maps */
} ms_inner_term;

struct ms_inner_plan {
  uint32_t vertices; /* of the inner pattern */
  bool squares;      /* it is a 4-cycle, which inner_squares.h counts in larger graphs */
  uint32_t count;
  ms_inner_term term[MS_MOST_INNER_TERMS]; /* [count] terms with negative factors come first */
};

static inline bool ms_inner_plan_subtracts(const ms_inner_plan *plan)
{
  return plan->term[0].factor < 0;
}

/* Frees the plan, which may be NULL, and its programs. */
void ms_inner_plan_free(ms_inner_plan *plan);

#endif
