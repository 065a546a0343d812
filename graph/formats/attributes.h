/* Formats whose nodes and edges have named attributes (GraphML, CX2): which of them hold colours
 * and labels of edges. */
#ifndef MS_GRAPH_FORMATS_ATTRIBUTES_H
#define MS_GRAPH_FORMATS_ATTRIBUTES_H

#include "graph/io/edges/edges.h"

/* Does the attribute of nodes with this name hold colours?  `chosen` is the only one that does;
 * "none": none does; NULL: those with a usual name do. */
bool ms_is_color_attribute(const char *name, const char *chosen);
/* Returns the rank of an attribute of edges among those that hold labels, from 0 for the surest to
 * MS_LABEL_RANKS - 1; SIZE_MAX: it holds none.  `chosen` is the only one that does; NULL: those
 * with a usual name do. */
size_t ms_label_rank(const char *name, const char *chosen);
#define MS_LABEL_RANKS ((size_t)64)

/* Returns the rank of an attribute of edges among those that hold scores, from 0 for the surest;
 * SIZE_MAX: it holds none. */
size_t ms_score_rank(const char *name);
/* Keeps the score of an edge.  MS_ERR_INPUT: it is too large. */
ms_status ms_keep_score(ms_edges *edges, const ms_text *text, double score, ms_error *err);
/* Refuse an edge without a score, and a file without an attribute that holds scores. */
ms_status ms_refuse_unscored(const ms_text *text, ms_error *err);
ms_status ms_refuse_no_scores(const ms_text *text, ms_error *err);

/* Gives the vertex the colours of the text; every line is a colour.  v = MS_NO_ID: all vertices
 * without their own (ms_edges_color_by_default).  Unless the colours are `literal`, signs for
 * missing values are none. */
ms_status ms_give_colors(ms_edges *edges, const ms_text *text, uint32_t v, ms_field colors,
                         bool literal, ms_error *err);
/* Adds the edge from v[0] to v[1]; in a directed graph it points both ways if it is `undirected`,
 * and in a typed one it is then an edge of each direction.  An empty label is none. */
ms_status ms_join_attributed(ms_edges *edges, const ms_text *text, const uint32_t v[2],
                             ms_field label, bool undirected, ms_error *err);
/* Refuses a chosen attribute that the file lacks; `owners` are nodes or edges, `option` chose it.
 */
ms_status ms_refuse_attribute(const ms_text *text, const char *owners, const char *name,
                              const char *choice, ms_error *err);

#endif
