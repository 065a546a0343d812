/* Counts of the cliques of each size that hold each vertex, by the tree of cliques.h. */
#ifndef MS_MATCH_CPU_CLIQUES_OF_VERTICES_H
#define MS_MATCH_CPU_CLIQUES_OF_VERTICES_H

#include "match/cpu/cliques/cliques.h"

/* Adds to count[v][size - least] the cliques of each size that hold vertex v of the graph.  A stop
 * ends it with the status of the token; then each clique that is counted is counted at all of its
 * vertices.  MS_ERR_USAGE: a number is 2^63 or more. */
ms_status ms_cliques_of_vertices(const ms_cliques_task *task, const ms_cliques_run *run,
                                 uint64_t *count, ms_error *err);

#endif
