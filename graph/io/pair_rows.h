/* Rows of two names, NAME<TAB>NAME, one for each edge: made by several threads. */
#ifndef MS_GRAPH_IO_PAIR_ROWS_H
#define MS_GRAPH_IO_PAIR_ROWS_H

#include "base/file/outfile.h"
#include "graph/graph.h"

/* Writes every edge once, in the order of the vertices.  A vertex without edges is joined to
 * itself.  Names must not hold tabs or ends of lines (ms_check_names).  The bytes do not depend on
 * the number of threads, which is the number that ms_threads returns for 0.  Takes some megabytes
 * for each thread; where there is no memory, the calling thread writes name by name. */
void ms_write_pair_rows(const ms_graph *graph, ms_outfile *out);

#endif
