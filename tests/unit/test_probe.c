/* Random walks down a search, and whether the sieve goes first where that pays, and only there. */
#include "base/alloc.h"
#include "match/probe.h"
#include "motifsieve.h"
#include "plan/plan.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <string.h>

/* ---- walks ----------------------------------------------------------------- */

/* The probe of every map of the pattern; the number of maps. */
static double probe_maps(const ms_graph *graph, const char *name, uint32_t walks, ms_probe *probe)
{
  static const ms_program_options visit_all = {0};
  ms_pattern *pattern = NULL;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  ms_domains domains;
  ms_shape shape;
  ms_plan *plan = NULL;
  ms_program *program = NULL;
  ms_plan_input input = {.order = MS_ORDER_RI};
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .screen.size = sizeof(ms_screen_options),
                                .embeddings = true,
                                .count_only = true};
  ck_assert_int_eq(ms_pattern_named(name, &pattern, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, NULL), MS_OK);
  ms_shape_of(pattern, false, &shape);
  ck_assert_int_eq(ms_domains_new(index, pattern, &shape, NULL, &domains, NULL), MS_OK);
  for (uint32_t i = 0; i < shape.n; i++)
    input.domain[i] = domains.of[i].count;
  ck_assert_int_eq(ms_plan_new(&shape, &input, &plan, NULL), MS_OK);
  ck_assert_int_eq(ms_program_new(index, plan, domains.of, &visit_all, &program, NULL), MS_OK);
  ck_assert_int_eq(ms_probe_search(program, walks, 7, probe, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_list(index, pattern, &options, &result, NULL), MS_OK);
  double maps = (double)result->matches;
  ms_pattern_result_free(result);
  ms_program_free(program);
  ms_plan_free(plan);
  ms_domains_free(&domains);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  return maps;
}

/* In a complete graph of 8 vertices, where every walk is alike, five walks give the exact numbers
 * of triangles and visits. */
START_TEST(complete_graph)
{
  uint32_t edges[28][2], m = 0;
  ms_graph *graph = NULL;
  ms_probe probe;
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t j = 0; j < i; j++) {
      edges[m][0] = i;
      edges[m++][1] = j;
    }
  ck_assert_int_eq(ms_graph_from_edges(8, m, (const uint32_t(*)[2])edges, NULL, &graph, NULL),
                   MS_OK);
  ck_assert_double_eq(probe_maps(graph, "triangle", 5, &probe), 336);
  ck_assert_double_eq(probe.matches, 336);
  ck_assert_double_eq(probe.visits, 8 + 8 * 7);
  ck_assert_double_eq(probe.last, 8 * 7 * 6);
  ms_graph_free(graph);
}
END_TEST

/* The mean of 200,000 walks is within 10 % of the number of diamonds in a graph of unequal
 * degrees. */
START_TEST(mean_of_walks)
{
  enum { N = 60 };
  uint32_t edges[N * N][2], m = 0, state = 5;
  ms_graph *graph = NULL;
  ms_probe probe;
  for (uint32_t i = 0; i < N; i++)
    for (uint32_t j = 0; j < i; j++) {
      state = state * 1664525u + 1013904223u;
      if ((state >> 16) % (N + 4 * i) < N / 3) {
        edges[m][0] = i;
        edges[m++][1] = j;
      }
    }
  ck_assert_int_eq(ms_graph_from_edges(N, m, (const uint32_t(*)[2])edges, NULL, &graph, NULL),
                   MS_OK);
  double maps = probe_maps(graph, "diamond", 200000, &probe);
  ck_assert_double_gt(maps, 100);
  ck_assert_double_lt(fabs(probe.matches - maps), 0.1 * maps);
  ms_graph_free(graph);
}
END_TEST

/* ---- the sieve in front ---------------------------------------------------------- */

/* Modules in a ring, complete graphs, with long chains between them.  In each
 * there are two vertices of colour a, and one of colours b and c. */
enum { MODULES = 20, SIZE = 20, CHAIN = 9, PIECE = SIZE + CHAIN };

typedef struct world {
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern_index *index;
} world;

static void world_make(world *w)
{
  static const char *const names[] = {"a", "b", "c"};
  uint32_t(*edges)[2] = ms_alloc(MODULES * (SIZE * SIZE + PIECE), sizeof *edges);
  uint32_t pairs[MODULES * 4][2], m = 0, colored = 0;
  ck_assert_ptr_nonnull(edges);
  for (uint32_t module = 0; module < MODULES; module++) {
    uint32_t first = module * PIECE;
    for (uint32_t i = 0; i < SIZE; i++)
      for (uint32_t j = 0; j < i; j++) {
        edges[m][0] = first + i;
        edges[m++][1] = first + j;
      }
    for (uint32_t i = SIZE - 1; i < PIECE; i++) {
      edges[m][0] = first + i;
      edges[m++][1] = (first + i + 1) % (MODULES * PIECE);
    }
    for (uint32_t i = 0; i < 4; i++) {
      pairs[colored][0] = first + 5 + i;
      pairs[colored++][1] = i < 2 ? 0 : i - 1;
    }
  }
  ck_assert_int_eq(
      ms_graph_from_edges(MODULES * PIECE, m, (const uint32_t(*)[2])edges, NULL, &w->graph, NULL),
      MS_OK);
  ck_assert_int_eq(ms_coloring_from_pairs(w->graph, colored, (const uint32_t(*)[2])pairs, 3, names,
                                          &w->coloring, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(w->graph, w->coloring, 1, &w->index, NULL), MS_OK);
  ms_free(edges);
}

static void world_free(world *w)
{
  ms_pattern_index_free(w->index);
  ms_coloring_free(w->coloring);
  ms_graph_free(w->graph);
}

/* Count a path whose vertices accept these colours, "." any, by `auto`; its
 * answer has to be that without a sieve.  Did the sieve go first? */
static bool goes_first(const world *w, const char *word, const char *reason, uint64_t matches)
{
  char names[MS_MAX_PATTERN][2] = {{0}};
  const char *color[MS_MAX_PATTERN];
  uint32_t edges[MS_MAX_PATTERN][2], n = (uint32_t)strlen(word);
  ms_pattern *pattern = NULL;
  ms_pattern_result *result = NULL;
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .screen.size = sizeof(ms_screen_options),
                                .count_only = true,
                                .screen.threads = 1,
                                .screen.error = 1e-9,
                                .screen.seed = 1};
  for (uint32_t i = 0; i < n; i++) {
    names[i][0] = word[i];
    color[i] = word[i] == '.' ? NULL : names[i];
    edges[i][0] = i;
    edges[i][1] = i + 1;
  }
  ck_assert_int_eq(
      ms_pattern_from_edges(n, n - 1, (const uint32_t(*)[2])edges, false, color, &pattern, NULL),
      MS_OK);
  ck_assert_int_eq(ms_pattern_list(w->index, pattern, &options, &result, NULL), MS_OK);
  bool first = result->screen != NULL;
  ck_assert_msg(strstr(result->screen_reason, reason), "%s: %s", word, result->screen_reason);
  ck_assert_uint_eq(result->matches, matches);
  ck_assert(!first || result->region_vertices < MODULES * PIECE / 2);
  ck_assert(!first || result->screen->miss_bound < 1e-9);
  ms_pattern_result_free(result);
  options.screen_mode = MS_SCREEN_NEVER;
  ck_assert_int_eq(ms_pattern_list(w->index, pattern, &options, &result, NULL), MS_OK);
  ck_assert_uint_eq(result->matches, matches);
  ms_pattern_result_free(result);
  ms_pattern_free(pattern);
  return first;
}

/* The sieve goes first where searches would be long and in vain, and not in three other cases, each
 * for its stated reason, with the count that a search without it gives. */
START_TEST(auto_decides)
{
  world w;
  world_make(&w);
  /* a third a is never near, which neither colours nor neighbours tell: each
   * end could be the same one.  18 * 17 * 16 * 15 ways a module to find out */
  ck_assert(goes_first(&w, "a..a..a", "sieve: ", 0));
  /* every search has success */
  ck_assert(!goes_first(&w, "a..a", "no sieve: visits that lead to no match", 20 * 18 * 17));
  /* nothing can fall together */
  ck_assert(!goes_first(&w, "a..b..c", "apart", 20 * 2 * 17 * 16 * 15 * 14));
  /* no search is needed */
  ck_assert(!goes_first(&w, "aaa", "has no candidates", 0));
  world_free(&w);
}
END_TEST

TEST_MAIN("probe", TEST(complete_graph), TEST(mean_of_walks), TEST(auto_decides))
