/* Universes of hubs that are too large for a block's shared memory: patterns whose visited vertices
 * are all above the root, so that a matrix has few rows and many columns. */
#include "base/hooks.h"
#include "gpu/match/dfs/dfs_device.h"
#include "gpu/match/program.h"
#include "match/engine.h"
#include "tests/gpu/emulated/engines.h"
#include "tests/support/random.h"

#include <stdlib.h>
#include <string.h>

enum { HUB_PATTERNS = 4, HUB_CASES = 24 };

static const named hub_patterns[HUB_PATTERNS] = {
    {"K4", 4, 6, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}},
    {"K5 minus an edge",
     5,
     9,
     {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 3}, {2, 4}}},
    {"K6 minus a triangle",
     6,
     12,
     {{0, 1},
      {0, 2},
      {0, 3},
      {0, 4},
      {0, 5},
      {1, 2},
      {1, 3},
      {1, 4},
      {1, 5},
      {2, 3},
      {2, 4},
      {2, 5}}},
    {"K4 with another triangle on an edge",
     5,
     8,
     {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {0, 4}, {1, 4}}},
};

/* Returns a random graph of n vertices; the first `hubs` are next to each other and to three
 * vertices in four. */
static ms_graph *hub_graph(uint64_t *state, uint32_t n, uint32_t hubs)
{
  uint32_t m = 0, (*edge)[2] = malloc((hubs * n + 3 * n) * sizeof *edge);
  ms_graph *graph;
  for (uint32_t h = 0; h < hubs; h++)
    for (uint32_t v = h + 1; v < n; v++)
      if (v < hubs || random_below(state, 4))
        memcpy(edge[m++], (uint32_t[]){h, v}, sizeof *edge);
  for (uint32_t i = 0; i < 3 * n; i++) {
    uint32_t a = random_below(state, n), b = random_below(state, n);
    if (a != b)
      memcpy(edge[m++], (uint32_t[]){a, b}, sizeof *edge);
  }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edge, NULL, &graph, NULL),
                   MS_OK);
  free(edge);
  return graph;
}

/* The hubs' universes are in global memory, or all universes of more than a few vertices are, and
 * blocks count all roots, or those of more than a few neighbours: 24 graphs with two to seven hubs
 * for each of four patterns. */
START_TEST(test_hubs)
{
  const named *p = &hub_patterns[enter(_i)];
  for (uint64_t seed = 0; seed < scaled(HUB_CASES); seed++) {
    uint64_t state = seed * HUB_PATTERNS + (uint64_t)_i;
    uint32_t n = 40 + 9 * (uint32_t)(seed % 12), hubs = 2 + (uint32_t)(seed % 6);
    subject s = {.seed = seed};
    ms_pattern *pattern;
    mpz_t maps, of_cpu;
    ms_graph *graph = hub_graph(&state, n, hubs);
    ck_assert_int_eq(ms_pattern_from_edges(p->n, p->m, p->edges, false, NULL, &pattern, NULL),
                     MS_OK);
    subject_make(&s, graph, NULL, pattern, false);
    vary(seed);
    ms_hooks.gpu_dfs_shared_universe = seed % 2 ? 0 : 30;
    ms_hooks.gpu_dfs_sure_universe = seed % 3 == 2 ? 0 : MS_LOCAL_FEW;
    ms_hooks.gpu_dfs_warp_degree = (uint32_t)(seed % 4 * 3);
    ms_hooks.gpu_few_levels = MS_DEVICE_LEVELS; /* a large program has no universes */
    mpz_inits(maps, of_cpu, NULL);
    must(&s, count_within(&s, engine, 0, maps, NULL) == MS_OK);
    must(&s, count_within(&s, &ms_pattern_engine_cpu, 0, of_cpu, NULL) == MS_OK);
    must(&s, mpz_cmp(maps, of_cpu) == 0);
    mpz_clears(maps, of_cpu, NULL);
    ms_hooks.gpu_dfs_shared_universe = MS_LOCAL_MOST;
    subject_free(&s);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
}
END_TEST

void add_hub_tests(int number)
{
  add_test(number, test_hubs, HUB_PATTERNS);
}
