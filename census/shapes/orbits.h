/* Inside census/: the orbits of each vertex, by a search from it (search.h) in which it is vertex 0
 * of each code, or by formulas that the caller has. */
#ifndef MS_CENSUS_SHAPES_ORBITS_H
#define MS_CENSUS_SHAPES_ORBITS_H

#include "census/census.h"
#include "census/shapes/code.h"

/* The orbits of sets of 2 to k vertices. */
typedef struct ms_orbit_sizes {
  uint32_t k;
  bool directed;
  ms_graphlet_orbits of[MS_MAX_ORBITS + 1];
  uint32_t first[MS_MAX_ORBITS + 2];   /* of each size, the number of orbits of smaller ones */
  uint32_t *number[MS_MAX_ORBITS + 1]; /* [of[size].count] the place of each orbit in results */
} ms_orbit_sizes;

/* It must be closed in any case. */
ms_status ms_orbit_sizes_open(ms_orbit_sizes *sizes, uint32_t k, bool directed, ms_error *err);
void ms_orbit_sizes_close(ms_orbit_sizes *sizes);

/* Fills the numbers of the orbits of three vertices and more, which are 0, in result->count, of an
 * undirected graph.  MS_ERR_MEMORY: nothing is filled, and a search counts them. */
typedef ms_status ms_orbit_formula_fn(const ms_graph *graph, const ms_orbit_sizes *sizes,
                                      const ms_census_options *options, ms_budget *budget,
                                      ms_orbits_result *result, ms_error *err);

/* ms_orbits with these formulas; NULL: without. */
ms_status ms_orbits_by(const ms_graph *graph, const ms_coloring *coloring,
                       const ms_census_options *options, ms_orbit_formula_fn *formula,
                       ms_orbits_result **out, ms_error *err);

#endif
