/* Edge lists whose lines have an order of their own. */
#ifndef MS_GRAPH_FORMATS_EDGE_LIST_H
#define MS_GRAPH_FORMATS_EDGE_LIST_H

#include "base/file/outfile.h"
#include "graph/graph.h"

/* Writes lines[count] in this order: edges of the graph, the first end first, and vertices without
 * edges as two equal ends.  MS_ERR_USAGE: an edge list cannot express a name. */
ms_status ms_edge_list_write(const ms_graph *graph, const uint32_t (*lines)[2], uint64_t count,
                             ms_outfile *out, ms_error *err);

#endif
