/* Tables that a reader of edge lists would turn into a wrong graph.  Each is refused by an error
 * that says what it is and what to do. */
#ifndef MS_GRAPH_IO_NOT_EDGES_H
#define MS_GRAPH_IO_NOT_EDGES_H

#include "graph/io/sample.h"

/* Fails where the sample is an adjacency matrix or Cytoscape's table of edges, or where other
 * columns than the first two seem to be the ends of edges.  header: the first line is one.  types:
 * a column of types is known.  given: the format is given as one of edges. */
ms_status ms_refuse_not_edges(const ms_text *at, const ms_sample *sample, bool header, bool types,
                              bool given, ms_error *err);
/* Fails where numbers with a decimal point are at one end of the edges only, or most of them at
 * both ends are no whole numbers: scores, or ids that a program wrote as "2.0". */
ms_status ms_refuse_points(const ms_text *at, const ms_sample *sample, bool header, uint32_t source,
                           uint32_t target, ms_error *err);

#endif
