/* Checksums of what is in memory, for runs that go on with what an earlier one computed.  They do
 * not depend on files and on how these were read. */
#ifndef MS_GRAPH_CONTENT_H
#define MS_GRAPH_CONTENT_H

#include "motifsieve.h"

/* CRC-32C of vertices, names, edges with their directions, and scores.  O(n + m). */
uint32_t ms_graph_content(const ms_graph *graph);
/* CRC-32C of the colours of all vertices, and of the colours' names. */
uint32_t ms_coloring_content(const ms_coloring *coloring);

#endif
