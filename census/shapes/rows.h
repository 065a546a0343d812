/* Inside census/: the options of a census by shape, and its rows. */
#ifndef MS_CENSUS_SHAPES_ROWS_H
#define MS_CENSUS_SHAPES_ROWS_H

#include "census/census.h"
#include "census/shapes/code.h"

/* Refuses options that a census by shape has not, and a size that it does not count. */
ms_status ms_graphlet_check(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_census_options *options, ms_error *err);

/* Adds a row for each class with sets, and all sets to *sets, from total[2^bits] by codes, whose
 * sum over a class is right modulo 2^64. */
ms_status ms_graphlet_rows_of_codes(ms_graphlet_form form, const uint64_t *total,
                                    ms_census_rows *rows, uint64_t *sets, ms_error *err);
/* The same from a tally whose keys are classes. */
ms_status ms_graphlet_rows_of_tally(const ms_shared_tally *shared, ms_census_rows *rows,
                                    uint64_t *sets, ms_error *err);

/* Adds a row for each class without sets. */
ms_status ms_graphlet_add_absent(ms_graphlet_form form, ms_census_rows *rows, ms_error *err);

/* Turns the number of induced subgraphs of each shape and its colours into the number of all such
 * subgraphs.  It takes ms_graphlet_uninduce_bytes from the budget. */
uint64_t ms_graphlet_uninduce_bytes(ms_graphlet_form form);
ms_status ms_graphlet_uninduce(ms_graphlet_form form, ms_census_rows *rows, ms_budget *budget,
                               ms_error *err);

#endif
