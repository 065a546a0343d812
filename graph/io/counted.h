/* Edge lists below a line of their numbers of vertices and edges, as ORCA, ESCAPE and contests have
 * them:
 *
 *   4 5
 *   0 1
 *   ...
 *
 * The first line counts as one of numbers if all lines that the head shows are edges of vertices
 * below n, or from 1 to n, and their number is m. */
#ifndef MS_GRAPH_IO_COUNTED_H
#define MS_GRAPH_IO_COUNTED_H

#include "graph/io/edges.h"
#include "graph/io/head.h"

typedef struct ms_counted {
  uint64_t n, m;
  uint64_t line; /* the number of the first line */
  bool both;     /* the line may as well be an edge: all vertices have lines that name them */
} ms_counted;

/* Is the first line of data one of numbers?  Where the head is not all of the file, m is to be
 * checked by ms_counted_check. */
bool ms_head_is_counted(const ms_head *head, ms_counted *counted);
/* Checks, after all edges were added, that they are m, unless low scores left some out, and adds
 * the vertices that no line names.  Where a vertex is not in the range, the line is an edge after
 * all: it is added, and counted->line becomes 0. */
ms_status ms_counted_check(ms_counted *counted, const ms_text *text, ms_edges *edges,
                           ms_error *err);

#endif
