/* 4-cycles in an inner graph (inner.h), by vertex priority.
 *
 * The vertices of an inner graph ascend by their degree in it.  Each 4-cycle is found at its
 * largest vertex, the root u: it is two of the paths u - v - w with v, w < u that lead to the same
 * w.  If c of them lead to w, then c (c-1) / 2 of the 4-cycles have u as the largest vertex and w
 * opposite to it.  Over all roots the paths are at most the sum over edges of the smaller degree
 * (Wang et al., PVLDB 2019, for butterflies).
 *
 * The numbers c of one root are found in one of two ways, whichever takes less by counted
 * operations.  Either its paths are entered in a table, one after the other.  Or the root shares
 * one read of all rows below it with others, each of which has a lane (inner_lanes.h): 2 E elements
 * for as many roots as there are lanes, if E edges lie below the roots. */
#ifndef MS_MATCH_CPU_INNER_SQUARES_H
#define MS_MATCH_CPU_INNER_SQUARES_H

#include "match/cpu/runner.h"

#define MS_MOST_LANES 64u

typedef struct ms_inner_squares {
  const ms_sorted *sorted;
  const ms_neighbor_rows *rows; /* of the inner graph: sorted */
  uint32_t n;                   /* its vertices */
  uint32_t *below;              /* [most] neighbours of each vertex below `next` */
  uint32_t *paths;              /* [most] from the root; 0 between roots */
  uint64_t *mask;               /* [most] 0 between groups */
  uint32_t next;                /* vertices below are in `below` */
  uint64_t arcs;                /* between vertices below `next` */
  uint32_t root[MS_MOST_LANES]; /* [roots] ascending: those that wait for lanes */
  uint32_t roots;
  uint64_t group_paths; /* of these */
  ms_wide_size total;   /* 4-cycles that were counted */
} ms_inner_squares;

/* Prepares for inner graphs of up to `most` vertices.  After a failure, too, the caller frees it.
 */
ms_status ms_inner_squares_init(ms_inner_squares *squares, size_t most, ms_error *err);
void ms_inner_squares_free(ms_inner_squares *squares);

/* Begins with another graph, of n vertices.  The rows have to stay until the last visit. */
void ms_inner_squares_begin(ms_inner_squares *squares, const ms_neighbor_rows *rows, uint32_t n);
/* Counts the 4-cycles whose largest vertex is in the range, apart from those of roots that wait for
 * others, and adds its steps to those of the outer runner.  Returns false if that has to stop. */
bool ms_inner_squares_visit(ms_inner_squares *squares, ms_runner *outer, uint32_t first,
                            uint32_t last);
/* Counts the roots that wait, after all visits of a graph. */
void ms_inner_squares_end(ms_inner_squares *squares);

/* Returns about how many times the time of a path it takes to count in a graph of n vertices, which
 * has so many paths and arcs. */
double ms_inner_squares_cost(const ms_sorted *sorted, double n, double paths, double arcs);

#endif
