/* A part of a census, or a census whose state is saved. */
#ifndef MS_RUN_CENSUS_UNITS_H
#define MS_RUN_CENSUS_UNITS_H

#include "census/census.h"
#include "parts/identity.h"

/* ms_census with a division, which has been checked (ms_division_take). */
ms_status ms_census_divided(const ms_census_accelerator *gpus, const ms_graph *graph,
                            const ms_coloring *coloring, const ms_census_options *options,
                            ms_census_result **out, ms_error *err);

/* Appends what every census depends on: the inputs, k and the colours that count. */
ms_status ms_census_identify(ms_identity *id, const ms_graph *graph, const ms_coloring *coloring,
                             const ms_census_options *options, ms_error *err);

#endif
