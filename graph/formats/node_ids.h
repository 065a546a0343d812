/* The ids of nodes in formats that declare every node, before or after the edges that use it
 * (GraphML, CX2). */
#ifndef MS_GRAPH_FORMATS_NODE_IDS_H
#define MS_GRAPH_FORMATS_NODE_IDS_H

#include "graph/io/edges/edges.h"

typedef struct ms_node_ids {
  uint64_t *waiting; /* [room]; waiting[v]: line of the first edge that names v, 0: declared */
  uint32_t room;
} ms_node_ids;

void ms_node_ids_free(ms_node_ids *ids);
/* Finds or adds the vertex of a node; MS_ERR_INPUT: that id was declared before. */
ms_status ms_node_ids_declare(ms_node_ids *ids, ms_edges *edges, const ms_text *text, ms_field id,
                              uint32_t *v, ms_error *err);
/* Finds or adds the vertex at an end of an edge. */
ms_status ms_node_ids_use(ms_node_ids *ids, ms_edges *edges, const ms_text *text, ms_field id,
                          uint32_t *v, ms_error *err);
/* Refuses a file without nodes, or with an edge whose node is not declared, at the line of the
 * first such edge. */
ms_status ms_node_ids_check(const ms_node_ids *ids, const ms_edges *edges, ms_text *text,
                            ms_error *err);

#endif
