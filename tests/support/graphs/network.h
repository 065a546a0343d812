/* A random graph as a matrix and as an index, for tests that count the maps of patterns, and the
 * number of maps by brute force. */
#ifndef MS_TESTS_SUPPORT_NETWORK_H
#define MS_TESTS_SUPPORT_NETWORK_H

#include "match/domains.h"
#include "plan/shape.h"

enum { NETWORK_MOST = 400 };

typedef struct network {
  uint32_t n;
  bool near[NETWORK_MOST][NETWORK_MOST]; /* symmetric, no loops */
  ms_graph *graph;
  ms_pattern_index *index;
} network;

/* Makes a random graph of at most NETWORK_MOST vertices, of which the first `hubs` are adjacent to
 * most others. */
network *network_new(uint32_t n, uint32_t percent, uint32_t hubs, uint64_t seed);
void network_free(network *w);
/* Makes the domains of the vertices of an undirected shape: all vertices with as many neighbours.
 */
void network_domains(const network *w, const ms_shape *shape, ms_domains *domains);
/* Returns the number of maps of an undirected shape, also an induced one: every vertex of the graph
 * is tried for each vertex of the shape, and nothing but `near` is read. */
uint64_t network_maps(const network *w, const ms_shape *shape);

#endif
