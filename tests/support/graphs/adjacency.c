#include "tests/support/graphs/adjacency.h"

#include "tests/support/random.h"
#include "tests/support/search/oracle.h"

#include <check.h>
#include <stdio.h>

void adjacency_random(adjacency *a, uint64_t *state)
{
  *a = (adjacency){0};
  a->n = (uint32_t)(random_next(state) % ADJACENCY_MAX) + 1;
  uint64_t density = random_next(state) % 9;
  for (uint32_t u = 0; u < a->n; u++)
    for (uint32_t v = 0; v < u; v++)
      if (random_next(state) % 8 < density) {
        a->edge[u][v] = a->edge[v][u] = true;
        a->edges++;
      }
}

void adjacency_same(const adjacency *a, const ms_graph *graph, uint32_t first)
{
  ck_assert_uint_eq(ms_graph_vertex_count(graph), a->n);
  ck_assert_uint_eq(ms_graph_edge_count(graph), a->edges);
  for (uint32_t u = 0; u < a->n; u++) {
    char name[16];
    uint32_t degree;
    snprintf(name, sizeof name, "%u", u + first);
    ck_assert_str_eq(ms_graph_name(graph, u), name);
    const uint32_t *neighbor = ms_graph_neighbors(graph, u, &degree);
    for (uint32_t i = 0; i < degree; i++)
      ck_assert_msg(a->edge[u][neighbor[i]], "%u and %u are joined", u, neighbor[i]);
  }
}

ms_graph *adjacency_graph(const adjacency *a)
{
  uint32_t pairs[ADJACENCY_MAX * ADJACENCY_MAX][2];
  uint64_t m = 0;
  ms_graph *graph;
  for (uint32_t u = 0; u < a->n; u++)
    for (uint32_t v = 0; v < u; v++)
      if (a->edge[u][v]) {
        pairs[m][0] = u;
        pairs[m++][1] = v;
      }
  ck_assert_int_eq(ms_graph_from_edges(a->n, m, (const uint32_t(*)[2])pairs, NULL, &graph, NULL),
                   MS_OK);
  return graph;
}
