/* Files of typed graphs that are read as plain graphs (table.c). */
#ifndef MS_GRAPH_FORMATS_TYPED_PLAIN_H
#define MS_GRAPH_FORMATS_TYPED_PLAIN_H

#include "graph/graph.h"
#include "graph/typed.h"

/* Makes the plain graph of a typed one, as ms_graph_read has it for a file of typed edges: types of
 * vertices become the colours of the file, and `edge_labels` says which types of edges are lost.
 * The caller frees *out, also after a failure. */
ms_status ms_typed_as_plain_graph(const ms_typed *graph, bool directed, int threads, ms_graph **out,
                                  ms_error *err);

#endif
