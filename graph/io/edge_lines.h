/* Edge lists, many lines at once and by all threads.
 *
 * A line is plain if it is a comment, is empty, or begins with two valid names
 * that stand there as they are: no quotes, nothing to trim.  Of whole blocks of
 * plain lines every thread takes a part, splits it and looks its names up in
 * the table as it was before the block; the few names that are new are added
 * afterwards, in the order of the file.  So ids do not depend on the number of
 * threads, and after the first blocks of a graph with more edges than vertices
 * almost nothing is left to do in order.  A line that is not plain, be it good
 * or bad, is left to the reader that knows all about lines. */
#ifndef MS_GRAPH_IO_EDGE_LINES_H
#define MS_GRAPH_IO_EDGE_LINES_H

#include "graph/io/read.h"

typedef struct ms_edge_lines ms_edge_lines;

/* `delimiter` is that of the file; `threads` as resolved by ms_threads. */
ms_status ms_edge_lines_new(ms_delimiter delimiter, int threads, ms_edge_lines **out,
                            ms_error *err);
void ms_edge_lines_free(ms_edge_lines *lines);

/* Take plain lines from the text, none or many, and add their edges.  Ends in
 * front of a line that is not plain, or at the last line.  The edges are
 * flushed before and after. */
ms_status ms_edge_lines_take(ms_edge_lines *lines, ms_text *text, ms_edges *edges, ms_error *err);

#endif
