/* Reads edge lists, many lines at once, with all threads.  A line is plain if it is a comment,
 * or begins with two valid names that can be copied as they are: no quotes, nothing to
 * trim.  Every thread takes a part of a block of plain lines, splits it and looks its names up in
 * the table as it was before the block; the few new names are added afterwards, in the order of the
 * file.  So ids do not depend on the number of threads, and after the first blocks of a graph with
 * more edges than vertices almost nothing is left to do in order.  A line that is not plain, right
 * or wrong, is left to the reader of single lines. */
#ifndef MS_GRAPH_IO_EDGE_LINES_H
#define MS_GRAPH_IO_EDGE_LINES_H

#include "graph/io/edges/edges.h"

typedef struct ms_edge_lines ms_edge_lines;

/* `delimiter` is the delimiter of the file; ms_threads has resolved `threads`. */
ms_status ms_edge_lines_new(ms_delimiter delimiter, int threads, ms_edge_lines **out,
                            ms_error *err);
void ms_edge_lines_free(ms_edge_lines *lines);

/* Reads plain lines from the text, none or many, and adds their edges.  Stops in front of a line
 * that is not plain, or at the last line.  The edges are flushed before and after. */
ms_status ms_edge_lines_read(ms_edge_lines *lines, ms_text *text, ms_edges *edges, ms_error *err);

#endif
