/* Scores of several lines for one pair of vertices.
 *
 * The greatest one counts, which needs no memory: each line is kept or dropped by itself.  Their
 * sum and their number need all lines: readers then keep every edge with its score, and when they
 * are done, the edges of a pair are joined and those below the least score dropped.  In a directed
 * graph the two directions are different pairs, and in a typed one edges of different types are. */
#ifndef MS_GRAPH_IO_COMBINE_H
#define MS_GRAPH_IO_COMBINE_H

#include "graph/io/edges/edges.h"

/* Sets edges->combine as the options say; `label` names the file. */
ms_status ms_combine_begin(ms_edges *edges, const char *label, const ms_graph_options *options,
                           ms_error *err);
/* Joins the edges.  Vertices that lose all their edges are dropped. */
ms_status ms_combine_end(ms_edges *edges, const ms_graph_options *options, ms_error *err);

/* Notes a vertex whose name is a sign for missing values. */
void ms_note_missing(const ms_names *names, ms_edge_layout *layout);

#endif
