/* Tables that a reader of edge lists would turn into a wrong graph.  Each is refused by an error
 * that says what it is and what to do. */
#ifndef MS_GRAPH_IO_NOT_EDGES_H
#define MS_GRAPH_IO_NOT_EDGES_H

#include "graph/io/sample.h"

/* Fails where the sample is an adjacency matrix, Cytoscape's table of edges, or, with
 * `relations`, where its second column says how the first and the third are joined. */
ms_status ms_refuse_not_edges(const ms_text *at, const ms_sample *sample, bool relations,
                              ms_error *err);

#endif
