/* The scores of edges: one number for each arc, beside the rows of a graph. */
#ifndef MS_GRAPH_EDGE_SCORES_H
#define MS_GRAPH_EDGE_SCORES_H

#include "graph/graph.h"

/* Does what ms_graph_set_scores does, with this number of threads (0: as ms_threads).  The message
 * of a failure does not name the pair. */
ms_status ms_graph_score_edges(ms_graph *graph, uint64_t m, const uint32_t (*edges)[2],
                               const float *score, int threads, ms_error *err);

#endif
