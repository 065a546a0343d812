/* A small graph as a matrix, with which tests of formats that number their vertices compare what a
 * reader makes of a file. */
#ifndef MS_TESTS_SUPPORT_ADJACENCY_H
#define MS_TESTS_SUPPORT_ADJACENCY_H

#include "motifsieve.h"

#define ADJACENCY_MAX 40

typedef struct adjacency {
  uint32_t n;
  uint64_t edges;
  bool edge[ADJACENCY_MAX][ADJACENCY_MAX]; /* symmetric, no loops */
} adjacency;

/* Draws a graph of 1..ADJACENCY_MAX vertices, with any share of the edges, from *state. */
void adjacency_random(adjacency *a, uint64_t *state);
/* Checks that the vertices are called first, first + 1, .., and that the edges are the same. */
void adjacency_same(const adjacency *a, const ms_graph *graph, uint32_t first);
/* Returns the graph with vertices "0", "1", .. */
ms_graph *adjacency_graph(const adjacency *a);

#endif
