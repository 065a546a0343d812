/* Inside census/: orbits of shapes with colours, which are too many for a table: only those that
 * occur have a number, and a vertex has rows for its own. */
#ifndef MS_CENSUS_SHAPES_COLORED_ORBITS_H
#define MS_CENSUS_SHAPES_COLORED_ORBITS_H

#include "base/threads/watch.h"
#include "census/census.h"

/* Fills the result, whose k and number of vertices are set.  `options` has its usual values; the
 * watch is of the caller's token. */
ms_status ms_orbits_with_colors(const ms_graph *graph, const ms_coloring *coloring,
                                const ms_census_options *options, int threads, ms_budget *budget,
                                ms_orbits_result *result, ms_error *err);

#endif
