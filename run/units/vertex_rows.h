/* A census of each vertex in parts, or whose state is saved.  With a checkpoint, the numbers of the
 * vertices go to a file beside it (parts/spool.h), and from there to the receiver once all are
 * counted: so the result is written at once, and a run that goes on has what was counted before. */
#ifndef MS_RUN_VERTEX_ROWS_H
#define MS_RUN_VERTEX_ROWS_H

#include "census/census.h"

/* ms_census_vertices with a division without ranks, which has been checked (ms_division_take);
 * `receive` gets the vertices of the part, some of which may be cut.  After a stop, it gets those
 * vertices of a checkpoint for which half a second is enough.  `summary` may be NULL. */
ms_status ms_census_vertices_divided(const ms_census_accelerator *gpus, const ms_graph *graph,
                                     const ms_coloring *coloring, const ms_census_options *options,
                                     ms_census_part_fn receive, void *user,
                                     ms_census_summary *summary, ms_error *err);

#endif
