/* Inside census/: the division of a census into units of work (base/units.h).
 *
 * A unit is a range of roots, or a root whose second vertex is one of a range of its candidates
 * (ms_census_root_fn).  Roots are cut where their estimated work is more than a small part of the
 * whole, so that no unit is heavy.  The division depends on the graph of the census and k, and not
 * on threads or engines; the graph has to come from ms_census_graph_new, whose ranks do not depend
 * on threads.
 *
 * The work of a root and a candidate is estimated by the number of sets of k - 1 vertices that they
 * lead to.  A set that has x candidates, each of which leads to m further ones, leads to
 * x / (j m + x) C(j m + x, j) sets of j more vertices: forests of j vertices with x trees that are
 * m-ary (Raney, 1960).  Which part of them is above the root is estimated by the neighbours of its
 * candidates. */
#ifndef MS_CENSUS_UNITS_H
#define MS_CENSUS_UNITS_H

#include "census/graph.h"

typedef struct ms_census_unit {
  uint32_t root, roots; /* roots root .. root + roots - 1 */
  uint32_t begin, end;  /* candidates of a cut root; 0 and UINT32_MAX: all candidates of all */
  double work;          /* estimated */
} ms_census_unit;

typedef struct ms_census_units {
  ms_census_unit *unit; /* [count] */
  uint64_t count;
} ms_census_units;

/* Divides the sets of all roots.  Units with more estimated work come first, so that equal parts
 * are dealt out and the last ones are light; within a power of two, they come in the order of
 * roots. */
ms_status ms_census_units_make(const ms_census_graph *graph, uint32_t k, int threads,
                               ms_census_units *units, ms_error *err);
/* Does so for one run, in less time, by a rougher estimate: no checkpoint or part may depend on it.
 */
ms_status ms_census_units_divide(const ms_census_graph *graph, uint32_t k, int threads,
                                 ms_census_units *units, ms_error *err);
/* Divides the sets that hold each of the vertices rank[n], without a floor: root is a place in
 * rank[], and units come in the order of these places. */
ms_status ms_census_units_of_vertices(const ms_census_graph *graph, uint32_t k,
                                      const uint32_t *rank, int threads, ms_census_units *units,
                                      ms_error *err);
void ms_census_units_free(ms_census_units *units);

static inline bool ms_census_unit_is_whole(const ms_census_unit *unit)
{
  return unit->begin == 0 && unit->end == UINT32_MAX;
}

#endif
