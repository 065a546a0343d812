/* GraphML, read by graphml.c and written by graphml_write.c. */
#ifndef MS_GRAPH_FORMATS_GRAPHML_H
#define MS_GRAPH_FORMATS_GRAPHML_H

#include "graph/formats/format.h"

#define MS_GRAPHML_SPACE "http://graphml.graphdrawing.org/"

/* The id of the key of colours, where one of them looks like a missing value: the writer's, so that
 * the reader takes it as it is. */
#define MS_LITERAL_COLORS "motifsieve-color"

/* As `write` of ms_format. */
ms_status ms_graphml_write(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                           ms_error *err);

#endif
