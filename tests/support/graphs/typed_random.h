/* Random typed multigraphs, and whether a graph is that one, by counting all
 * edges of all pairs of vertices. */
#ifndef MS_TESTS_SUPPORT_TYPED_RANDOM_H
#define MS_TESTS_SUPPORT_TYPED_RANDOM_H

#include "graph/typed.h"

#define TYPED_RANDOM_MOST 24u /* vertices */
#define TYPED_RANDOM_RELATIONS 6u
#define TYPED_RANDOM_EDGES 400u

typedef struct typed_random {
  ms_typed_source source; /* points into the arrays below */
  uint32_t edges[TYPED_RANDOM_EDGES][2];
  uint32_t edge_type[TYPED_RANDOM_EDGES];
  char name[TYPED_RANDOM_MOST][16];
  const char *names[TYPED_RANDOM_MOST], *vertex_type[TYPED_RANDOM_MOST];
  const char *relation[TYPED_RANDOM_RELATIONS], *inverse[TYPED_RANDOM_RELATIONS];
} typed_random;

/* Makes the multigraph of a seed: parallel edges and self-loops, vertices without edges, relations
 * with and without direction, whose inverses are called "^r" or by a name. */
void typed_random_make(uint64_t seed, typed_random *random);
/* Checks that a graph has the same vertices by name, and every edge as often as the source. */
void typed_random_check(const typed_random *random, const ms_typed *graph);

#endif
