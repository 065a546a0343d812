/* A small graph as a matrix, for tests of formats that number their vertices:
 * the plainest thing to compare a reader with. */
#ifndef MS_TESTS_SUPPORT_ADJACENCY_H
#define MS_TESTS_SUPPORT_ADJACENCY_H

#include "motifsieve.h"

#define ADJACENCY_MAX 40

typedef struct adjacency {
  uint32_t n;
  uint64_t edges;
  bool edge[ADJACENCY_MAX][ADJACENCY_MAX]; /* symmetric, no loops */
} adjacency;

/* 1..ADJACENCY_MAX vertices, from no edge to all of them; *state drives it. */
void adjacency_random(adjacency *a, uint64_t *state);
/* The vertices are called first, first + 1, ..; and the edges are the same. */
void adjacency_same(const adjacency *a, const ms_graph *graph, uint32_t first);
/* The graph with vertices "0", "1", .. */
ms_graph *adjacency_graph(const adjacency *a);

#endif
