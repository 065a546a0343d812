/* Estimates of a search from a sample of its partial matches, and whether the sieve goes first
 * where that pays, and only there. */
#include "base/alloc.h"
#include "base/hooks.h"
#include "match/count/count.h"
#include "match/probe.h"
#include "motifsieve.h"
#include "plan/plan.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- graphs and programs ------------------------------------------------------ */

/* The search of all maps of a pattern. */
typedef struct hunt {
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_domains domains;
  ms_plan *plan;
  ms_program *program;
  double maps; /* their number */
} hunt;

static uint32_t draw(uint32_t *state, uint32_t n)
{
  *state = *state * 1664525u + 1013904223u;
  return (uint32_t)((uint64_t)(*state >> 8) * n >> 24);
}

/* Makes a random graph of unequal degrees: an edge has its end in a range that is short for one
 * edge in three. */
static ms_graph *random_graph(uint32_t n, uint32_t m, uint32_t *state)
{
  uint32_t(*edges)[2] = ms_alloc(m, sizeof *edges);
  ms_graph *graph = NULL;
  ck_assert_ptr_nonnull(edges);
  for (uint32_t i = 0; i < m; i++) {
    edges[i][0] = draw(state, n);
    edges[i][1] = draw(state, i % 3 ? n : n / 8 + 2);
  }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edges, NULL, &graph, NULL),
                   MS_OK);
  ms_free(edges);
  return graph;
}

static double count_maps(const ms_pattern_index *index, const ms_pattern *pattern, bool induced)
{
  ms_pattern_result *result = NULL;
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .screen.size = sizeof(ms_screen_options),
                                .embeddings = true,
                                .induced = induced,
                                .screen_mode = MS_SCREEN_NEVER,
                                .count_only = true};
  ck_assert_int_eq(ms_pattern_list(index, pattern, &options, &result, NULL), MS_OK);
  double maps = (double)result->matches;
  ms_pattern_result_free(result);
  return maps;
}

static void hunt_make(hunt *h, const ms_graph *graph, const char *name, bool induced)
{
  static const ms_program_options visit_all = {0};
  ms_shape shape;
  ms_plan_input input = {.order = MS_ORDER_RI};
  memset(h, 0, sizeof *h);
  ck_assert_int_eq(ms_pattern_named(name, &h->pattern, NULL), MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &h->index, NULL), MS_OK);
  ms_shape_of(h->pattern, induced, &shape);
  ck_assert_int_eq(ms_domains_on(NULL, h->index, h->pattern, &shape, NULL, 1, &h->domains, NULL),
                   MS_OK);
  for (uint32_t i = 0; i < shape.n; i++)
    input.domain[i] = h->domains.of[i].count;
  ck_assert_int_eq(ms_plan_new(&shape, &input, &h->plan, NULL), MS_OK);
  ck_assert_int_eq(ms_program_new(h->index, h->plan, h->domains.of, &visit_all, &h->program, NULL),
                   MS_OK);
  h->maps = count_maps(h->index, h->pattern, induced);
}

static void hunt_free(hunt *h)
{
  ms_program_free(h->program);
  ms_plan_free(h->plan);
  ms_domains_free(&h->domains);
  ms_pattern_index_free(h->index);
  ms_pattern_free(h->pattern);
}

/* ---- estimates ---------------------------------------------------------------- */

/* In a complete graph of 8 vertices, where all partial matches are alike, a population of five
 * gives the exact numbers of triangles and visits. */
START_TEST(complete_graph)
{
  uint32_t edges[28][2], m = 0;
  ms_graph *graph = NULL;
  ms_probe probe;
  hunt h;
  for (uint32_t i = 0; i < 8; i++)
    for (uint32_t j = 0; j < i; j++) {
      edges[m][0] = i;
      edges[m++][1] = j;
    }
  ck_assert_int_eq(ms_graph_from_edges(8, m, (const uint32_t(*)[2])edges, NULL, &graph, NULL),
                   MS_OK);
  hunt_make(&h, graph, "triangle", false);
  ck_assert_double_eq(h.maps, 336);
  ck_assert_int_eq(ms_probe_search(h.program, NULL, 5, 7, NULL, &probe, NULL), MS_OK);
  ck_assert(!probe.exact);
  ck_assert_double_eq_tol(probe.matches, 336, 1e-9);
  ck_assert_double_eq_tol(probe.visits, 8 + 8 * 7, 1e-9);
  ck_assert_double_eq_tol(probe.last, 8 * 7 * 6, 1e-9);
  hunt_free(&h);
  ms_graph_free(graph);
}
END_TEST

static const char *const shapes[] = {"path:4",  "triangle", "star:3",  "cycle:4", "paw",
                                     "diamond", "clique:4", "cycle:5", "house",   "bowtie"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* A population that holds all partial matches gives the exact number of maps, and says so: 10
 * patterns, induced and not, in 12 random graphs each. */
START_TEST(exact_when_all_are_kept)
{
  uint32_t state = 11;
  for (uint32_t i = 0; i < 12 * SHAPES; i++) {
    ms_graph *graph = random_graph(10 + draw(&state, 20), 20 + draw(&state, 60), &state);
    ms_probe probe;
    hunt h;
    hunt_make(&h, graph, shapes[i % SHAPES], i / SHAPES % 2);
    ck_assert_int_eq(ms_probe_search(h.program, NULL, 100000, i, NULL, &probe, NULL), MS_OK);
    ck_assert_msg(probe.exact && probe.matches == h.maps, "%s: %g, not %g", shapes[i % SHAPES],
                  probe.matches, h.maps);
    hunt_free(&h);
    ms_graph_free(graph);
  }
}
END_TEST

/* The estimates of matches and of steps have no bias and a bounded variance: over 200 seeds with a
 * population of 32, their mean is within four standard errors (or 1 %) of the truth, and at least
 * 90 % of them are within a factor of 2 of it.  10 patterns, induced and not, in 4 random graphs
 * each that have more than 3,000 maps. */
START_TEST(unbiased)
{
  enum { SEEDS = 200, GRAPHS = 4 };
  uint32_t state = 5, tried = 0;
  for (uint32_t i = 0; i < GRAPHS * SHAPES; i++) {
    ms_graph *graph = random_graph(60 + draw(&state, 60), 500 + draw(&state, 300), &state);
    ms_probe probe, all;
    double sum[2] = {0}, squares[2] = {0};
    uint32_t near[2] = {0};
    hunt h;
    hunt_make(&h, graph, shapes[i % SHAPES], i / SHAPES % 2);
    ck_assert_int_eq(ms_probe_search(h.program, NULL, 4000000, 1, NULL, &all, NULL), MS_OK);
    ck_assert(all.exact);
    for (uint64_t seed = 0; seed < SEEDS && h.maps > 3000; seed++) {
      ck_assert_int_eq(ms_probe_search(h.program, NULL, 32, seed, NULL, &probe, NULL), MS_OK);
      double found[2] = {probe.matches, probe.steps}, truth[2] = {h.maps, all.steps};
      for (int k = 0; k < 2; k++) {
        sum[k] += found[k];
        squares[k] += found[k] * found[k];
        near[k] += found[k] >= truth[k] / 2 && found[k] <= truth[k] * 2;
      }
    }
    for (int k = 0; k < 2 && h.maps > 3000; k++) {
      double mean = sum[k] / SEEDS, truth = k ? all.steps : h.maps;
      double error = sqrt(fmax(0, squares[k] / SEEDS - mean * mean) / SEEDS);
      ck_assert_msg(fabs(mean - truth) <= fmax(4 * error, 0.01 * truth),
                    "%s: mean %g of %s, not %g (standard error %g)", shapes[i % SHAPES], mean,
                    k ? "steps" : "matches", truth, error);
      ck_assert_msg(near[k] >= SEEDS * 9 / 10, "%s: %u of %d estimates of %s are near",
                    shapes[i % SHAPES], near[k], SEEDS, k ? "steps" : "matches");
    }
    tried += h.maps > 3000;
    hunt_free(&h);
    ms_graph_free(graph);
  }
  ck_assert_uint_ge(tried, GRAPHS * SHAPES / 2);
}
END_TEST

/* The same seed gives the same figures. */
START_TEST(repeatable)
{
  uint32_t state = 3;
  ms_graph *graph = random_graph(200, 1500, &state);
  ms_probe a, b, other;
  hunt h;
  hunt_make(&h, graph, "house", false);
  ck_assert_int_eq(ms_probe_search(h.program, NULL, 40, 9, NULL, &a, NULL), MS_OK);
  ck_assert_int_eq(ms_probe_search(h.program, NULL, 40, 9, NULL, &b, NULL), MS_OK);
  ck_assert_int_eq(ms_probe_search(h.program, NULL, 40, 10, NULL, &other, NULL), MS_OK);
  ck_assert(a.steps == b.steps && a.matches == b.matches && a.visits == b.visits);
  ck_assert(a.steps != other.steps);
  hunt_free(&h);
  ms_graph_free(graph);
}
END_TEST

/* Where 2,000 triangles hang from a long chain, and all paths but those of one dense module of 24
 * vertices end early, each of 50 probes with a small population sees the module: its steps are
 * within a factor of 2 of the truth. */
START_TEST(long_branches_are_seen)
{
  enum { DENSE = 24, PENDANTS = 2000 };
  uint32_t m = 0, n = DENSE;
  uint32_t(*edges)[2] = ms_alloc(DENSE * DENSE + PENDANTS * 3, sizeof *edges);
  ms_graph *graph = NULL;
  ms_probe all, probe;
  hunt h;
  ck_assert_ptr_nonnull(edges);
  for (uint32_t i = 0; i < DENSE; i++)
    for (uint32_t j = 0; j < i; j++) {
      edges[m][0] = i;
      edges[m++][1] = j;
    }
  for (uint32_t i = 0; i < PENDANTS; i++, n += 3)
    for (uint32_t j = 0; j < 3; j++) {
      edges[m][0] = n + j;
      edges[m++][1] = n + (j + 1) % 3;
    }
  ck_assert_int_eq(ms_graph_from_edges(n, m, (const uint32_t(*)[2])edges, NULL, &graph, NULL),
                   MS_OK);
  hunt_make(&h, graph, "bowtie", false);
  ck_assert_int_eq(ms_probe_search(h.program, NULL, 8000000, 1, NULL, &all, NULL), MS_OK);
  ck_assert(all.exact);
  ck_assert_double_eq(all.matches, 24.0 * 23 * 22 * 21 * 20);
  for (uint64_t seed = 0; seed < 50; seed++) {
    ck_assert_int_eq(ms_probe_search(h.program, NULL, 32, seed, NULL, &probe, NULL), MS_OK);
    ck_assert_msg(probe.steps > all.steps / 2 && probe.steps < all.steps * 2, "%g, not %g",
                  probe.steps, all.steps);
  }
  hunt_free(&h);
  ms_graph_free(graph);
  ms_free(edges);
}
END_TEST

/* The bound on steps is never below the partial matches of a search: 10 patterns in 10 random
 * graphs each. */
START_TEST(bound_holds)
{
  uint32_t state = 17;
  for (uint32_t i = 0; i < 10 * SHAPES; i++) {
    ms_graph *graph = random_graph(10 + draw(&state, 30), 20 + draw(&state, 100), &state);
    ms_probe all;
    hunt h;
    double nodes = 0;
    hunt_make(&h, graph, shapes[i % SHAPES], i / SHAPES % 2);
    ck_assert_int_eq(ms_probe_search(h.program, NULL, 1000000, 1, NULL, &all, NULL), MS_OK);
    for (uint32_t level = 0; level < h.program->prefix; level++)
      nodes += all.nodes[level];
    ck_assert_double_ge(ms_probe_bound(h.program), MS_COST_VISIT * nodes);
    hunt_free(&h);
    ms_graph_free(graph);
  }
}
END_TEST

/* ---- costs that plans print ----------------------------------------------------- */

/* Returns a random connected pattern of p vertices, some of which accept one of two colours. */
static ms_pattern *random_pattern(uint32_t p, bool colored, uint32_t *state)
{
  uint32_t edges[64][2], m = 0;
  const char *color[16] = {NULL};
  ms_pattern *pattern = NULL;
  for (uint32_t i = 1; i < p; i++) {
    edges[m][0] = i;
    edges[m++][1] = draw(state, i);
  }
  for (uint32_t i = 0; i < p / 2; i++) {
    uint32_t a = draw(state, p), b = draw(state, p);
    if (a != b) {
      edges[m][0] = a;
      edges[m++][1] = b;
    }
  }
  for (uint32_t i = 0; colored && i < p; i++)
    color[i] = draw(state, 2) ? (draw(state, 2) ? "a" : "b") : NULL;
  ck_assert_int_eq(ms_pattern_from_edges(p, m, (const uint32_t(*)[2])edges, false,
                                         colored ? color : NULL, &pattern, NULL),
                   MS_OK);
  return pattern;
}

/* The seconds that `plan` prints are above 0 and finite unless some vertex has no candidates:
 * counts and lists, induced or not, with colours or not, of 2 to 9 vertices, 400 cases. */
START_TEST(costs_are_never_zero)
{
  static const char *const names[] = {"a", "b"};
  uint32_t state = 23, pairs[120][2], estimated = 0;
  for (uint32_t i = 0; i < 120; i++) {
    pairs[i][0] = i;
    pairs[i][1] = i % 3 == 0;
  }
  for (uint32_t i = 0; i < 400; i++) {
    ms_graph *graph = random_graph(120, 200 + draw(&state, 800), &state);
    ms_coloring *coloring = NULL;
    ms_pattern_index *index = NULL;
    char *text = NULL;
    ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                  .screen.size = sizeof(ms_screen_options),
                                  .screen.run.threads = 1,
                                  .count_only = i & 1,
                                  .induced = i & 2};
    ms_pattern *pattern = random_pattern(2 + i % 8, i & 4, &state);
    ck_assert_int_eq(
        ms_coloring_from_pairs(graph, 120, (const uint32_t(*)[2])pairs, 2, names, &coloring, NULL),
        MS_OK);
    ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &index, NULL), MS_OK);
    ck_assert_int_eq(ms_pattern_explain(index, pattern, &options, true, &text, NULL), MS_OK);
    const char *at = strstr(text, "\"cpu_seconds\":");
    ck_assert_ptr_nonnull(at);
    double seconds = strtod(at + strlen("\"cpu_seconds\":"), NULL);
    bool nothing = strstr(text, "nothing to search") != NULL;
    ck_assert_msg(nothing ? seconds == 0 : seconds > 0 && isfinite(seconds), "%s", text);
    ck_assert_msg(nothing || strstr(text, "the CPU needs"), "%s", text);
    estimated += !nothing;
    ms_text_free(text);
    ms_pattern_free(pattern);
    ms_pattern_index_free(index);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
  ck_assert_uint_gt(estimated, 300);
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
                                .screen.run.threads = 1,
                                .screen.error = 1e-9,
                                .screen.run.seed = 1};
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
 * for its stated reason, with the count that a search without it gives.  At a hinge such a count is
 * short, and no sieve goes first. */
START_TEST(auto_decides)
{
  world w;
  world_make(&w);
  ck_assert(!goes_first(&w, "a..a..a", "no sieve: ", 0));
  ms_hooks.count_hinge_weight = INFINITY;
  /* a third a is never near, which neither colours nor neighbours tell: each
   * end could be the same one.  18 * 17 * 16 * 15 ways a module to find out */
  ck_assert(goes_first(&w, "a..a..a", "sieve: ", 0));
  /* every search has success */
  ck_assert(!goes_first(&w, "a..a", "no sieve: steps that lead to no match", 20 * 18 * 17));
  /* nothing can fall together */
  ck_assert(!goes_first(&w, "a..b..c", "apart", 20 * 2 * 17 * 16 * 15 * 14));
  /* no search is needed */
  ck_assert(!goes_first(&w, "aaa", "has no candidates", 0));
  ms_hooks = ms_hooks_default;
  world_free(&w);
}
END_TEST

TEST_MAIN("probe", TEST(complete_graph), TEST(exact_when_all_are_kept), TEST(unbiased),
          TEST(repeatable), TEST(long_branches_are_seen), TEST(bound_holds),
          TEST(costs_are_never_zero), TEST(auto_decides))
