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

#include "graph/io/edges/edges.h"
#include "graph/io/head.h"
#include "graph/io/text.h"

/* ---- numbered vertices ----------------------------------------------------------------------- */

/* Fields that hold numbers, and the errors where they do not, for formats whose vertices are
 * 1..n. */

/* Reads a whole number of at most `most`; an error says "the `what` ...". */
ms_status ms_numbered_count(const ms_text *text, ms_field field, uint64_t most, const char *what,
                            uint64_t *value, ms_error *err);
/* Reads a vertex of 1..n as an id from 0; n <= MS_MAX_NAMES. */
ms_status ms_numbered_vertex(const ms_text *text, ms_field field, uint64_t n, uint32_t *v,
                             ms_error *err);
/* Reads a weight or value, a finite number. */
ms_status ms_numbered_value(const ms_text *text, ms_field field, double *value, ms_error *err);

/* Returns a number for the arc, and its negative for the reverse: over arcs that all have their
 * reverses the sum is 0, and hardly over others. */
static inline uint64_t ms_mix_arc(uint64_t u, uint64_t v)
{
  uint64_t x = (u < v ? u : v) * 0x9E3779B97F4A7C15u ^ (u < v ? v : u);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  x ^= x >> 31;
  return u == v ? 0 : u < v ? x : -x;
}

/* ---- counts in headers ----------------------------------------------------------------------- */

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
