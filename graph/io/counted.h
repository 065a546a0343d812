/* Edge lists below a line of their numbers of vertices and edges, as ORCA, ESCAPE and contests have
 * them:
 *
 *   4 5
 *   0 1
 *   ...
 *
 * The first line counts as one of numbers if all lines that the head shows are edges of vertices
 * below n, or from 1 to n, and their number is m, or 2m where each edge has a line for each of its
 * directions.  The user is asked about a line that may as well be an edge: m before n, as hMETIS
 * writes it, or three numbers (the two sides of a bipartite graph and m, or n, m and a flag). */
#ifndef MS_GRAPH_IO_COUNTED_H
#define MS_GRAPH_IO_COUNTED_H

#include "graph/io/edges.h"
#include "graph/io/head.h"

typedef struct ms_counted {
  uint64_t n, m;
  uint64_t line; /* the number of the first line */
  bool both;     /* the line may as well be an edge: all vertices have lines that name them */
} ms_counted;

/* A first line of three numbers, which is read as an edge. */
typedef struct ms_sizes {
  uint64_t number[3];
  uint64_t line; /* 0: the first line is another one */
} ms_sizes;

/* Is the first line of data one of two numbers?  Where the head is not all of the file, m is to be
 * checked by ms_counted_check. */
bool ms_head_is_counted(const ms_head *head, ms_counted *counted);
/* Checks, after all edges were added, that they are m, unless low scores left some out, and adds
 * the vertices that no line names.  Where a vertex is not in the range, the line is an edge after
 * all: it is added, and counted->line becomes 0. */
ms_status ms_counted_check(ms_counted *counted, const ms_text *text, ms_edges *edges,
                           ms_error *err);
/* Refuses, after all edges were added, three numbers in the first line that add up. */
ms_status ms_sizes_check(const ms_sizes *sizes, const ms_text *text, const ms_edges *edges,
                         ms_error *err);

#endif
