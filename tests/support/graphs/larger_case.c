#include "tests/support/graphs/larger_case.h"

#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>

void larger_make(uint64_t seed, larger_case *out)
{
  uint64_t state = seed;
  ms_error err;
  static const char *const motifs[] = {
      "c0,c1,c2", "c0:2,c1:2",     "*:4", "c0,c1,c2,c3",      "c1:2,c2,*",   "c0,c1:2,c3,*",
      "c0:5",     "c0,c1,c2:2,c3", "*:5", "c0,c0,c1,c2,c3,*", "c3:3,c2:2,c1"};
  static const char *const colors[] = {"c0", "c1", "c2", "c3"};
  uint32_t n = 30 + random_below(&state, 700), edges = 0, pairs = 0, hubs = random_below(&state, 3);
  uint32_t(*edge)[2] = malloc(sizeof *edge * 4 * n + 1), (*pair)[2] = malloc(sizeof *pair * 4 * n);
  for (uint32_t v = 1; v < n; v++) {
    uint32_t degree = 1 + random_below(&state, 2), first = v < 40 ? 0 : v - 40;
    for (uint32_t i = 0; i < degree && edges < 4 * n; i++, edges++) {
      edge[edges][0] = v;
      edge[edges][1] = first + random_below(&state, v - first);
    }
    if (v <= n / 8 && hubs > 0 && edges < 4 * n) {
      edge[edges][0] = random_below(&state, hubs);
      edge[edges++][1] = v + n / 2;
    }
  }
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t color = 0; color < 4; color++)
      if (random_below(&state, 3) == 0) {
        pair[pairs][0] = v;
        pair[pairs++][1] = color;
      }
  ck_ok(ms_graph_from_edges(n, edges, (const uint32_t(*)[2])edge, NULL, &out->graph, &err));
  ck_ok(ms_coloring_from_pairs(out->graph, pairs, (const uint32_t(*)[2])pair, 4, colors,
                               &out->coloring, &err));
  ck_ok(ms_motif_parse(motifs[seed % (sizeof motifs / sizeof *motifs)], out->coloring, &out->motif,
                       &err));
  ck_ok(ms_query_new(out->graph, out->coloring, out->motif, 0, NULL, &out->query, &err));
  free(edge);
  free(pair);
}

void larger_free(larger_case *c)
{
  ms_query_free(c->query);
  ms_motif_free(c->motif);
  ms_coloring_free(c->coloring);
  ms_graph_free(c->graph);
}
