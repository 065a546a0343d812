/* Random growth of connected sets of vertices. */
#ifndef MS_GRAPH_GENERATE_GROW_H
#define MS_GRAPH_GENERATE_GROW_H

#include "graph/generate/random.h"
#include "graph/graph.h"

typedef struct ms_garden {
  const ms_graph *graph;
  uint8_t *used; /* [n] 1: the vertex is in a set */
  ms_random_sequence random;
} ms_garden;

/* Returns the end of a random arc that leads from set[count] to an unused vertex, or MS_NO_ID where
 * there is none.  Time: the degrees of the set. */
uint32_t ms_garden_next(ms_garden *garden, const uint32_t *set, uint32_t count);

#endif
