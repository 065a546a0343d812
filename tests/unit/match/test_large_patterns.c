/* Patterns of 65 to 256 vertices: random ones against the verifier's recount, symmetric ones
 * against arithmetic. */
#include "graph/graph.h"
#include "query/pattern.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"
#include "verify/verify.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 400, M = 1000, MOST_MAPS = 20000 };

static ms_error err;

#define ck_ok(call) ck_assert_msg((call) == MS_OK, "%s", err.message)

/* ---- random patterns, planted in random graphs ---------------------------------------- */

typedef struct planted {
  bool directed;
  uint32_t edge[M][2]; /* of the graph; directed: arcs */
  uint32_t colors, color[N];
  uint32_t p, vertex[MS_MAX_PATTERN]; /* [p] the graph's vertices in which the pattern is planted */
  ms_graph *graph;
  ms_coloring *coloring;
  ms_pattern_index *index;
  ms_pattern *pattern;
} planted;

static void name_of(uint32_t color, char name[8])
{
  snprintf(name, 8, "c%u", color);
}

/* A random tree with further edges, and one colour for each vertex. */
static void make_graph(planted *t, uint64_t *state)
{
  uint32_t pairs[N][2];
  char text[N][8];
  const char *name[N];
  for (uint32_t e = 0; e < M; e++) {
    uint32_t u = e + 1 < N ? e + 1 : random_below(state, N);
    uint32_t v = e + 1 < N ? random_below(state, u) : (u + 1 + random_below(state, N - 1)) % N;
    bool turned = random_below(state, 2);
    t->edge[e][0] = turned ? v : u;
    t->edge[e][1] = turned ? u : v;
  }
  for (uint32_t v = 0; v < N; v++) {
    t->color[v] = pairs[v][1] = random_below(state, t->colors);
    pairs[v][0] = v;
    name_of(v, text[v]);
    name[v] = text[v];
  }
  const uint32_t(*edges)[2] = (const uint32_t(*)[2])t->edge;
  ck_ok(t->directed ? ms_graph_from_arcs(N, M, edges, NULL, &t->graph, &err)
                    : ms_graph_from_edges(N, M, edges, NULL, &t->graph, &err));
  ck_ok(ms_coloring_from_pairs(t->graph, N, (const uint32_t(*)[2])pairs, t->colors, name,
                               &t->coloring, &err));
  ck_ok(ms_pattern_index_new(t->graph, t->coloring, 1, &t->index, &err));
}

/* Takes p connected vertices, each next to an earlier one, which keeps the recount short. */
static void choose_vertices(planted *t, uint64_t *state)
{
  bool taken[N] = {false};
  t->vertex[0] = random_below(state, N);
  taken[t->vertex[0]] = true;
  for (uint32_t i = 1; i < t->p;) {
    uint32_t e = random_below(state, M), u = t->edge[e][0], v = t->edge[e][1];
    if (taken[u] == taken[v])
      continue;
    t->vertex[i] = taken[u] ? v : u;
    taken[t->vertex[i++]] = true;
  }
}

/* Makes a pattern of the edges among the chosen vertices, which lacks some of those that close
 * cycles unless `whole`; each vertex accepts its own colour, or now and then any. */
static void make_pattern(planted *t, bool whole, uint64_t *state)
{
  uint32_t edges[M][2], m = 0, place[N];
  char text[MS_MAX_PATTERN][8];
  const char *color[MS_MAX_PATTERN];
  memset(place, 255, sizeof place);
  for (uint32_t i = 0; i < t->p; i++)
    place[t->vertex[i]] = i;
  for (uint32_t e = 0; e < M; e++) {
    uint32_t a = place[t->edge[e][0]], b = place[t->edge[e][1]];
    bool in_tree = e + 1 < N; /* each of these joins a vertex to an earlier one */
    if (a >= t->p || b >= t->p || !(whole || in_tree || random_below(state, 4)))
      continue;
    edges[m][0] = a;
    edges[m++][1] = b;
  }
  for (uint32_t i = 0; i < t->p; i++) {
    name_of(t->color[t->vertex[i]], text[i]);
    color[i] = random_below(state, 40) ? text[i] : NULL;
  }
  ck_ok(ms_pattern_from_edges(t->p, m, (const uint32_t(*)[2])edges, t->directed, color, &t->pattern,
                              &err));
}

static void free_planted(planted *t)
{
  ms_pattern_free(t->pattern);
  ms_pattern_index_free(t->index);
  ms_coloring_free(t->coloring);
  ms_graph_free(t->graph);
}

static bool count_to_limit(void *user, const uint32_t *row)
{
  uint32_t *left = user;
  (void)row;
  return --*left > 0;
}

/* Returns the number of maps that the verifier finds; 0: more than MOST_MAPS. */
static unsigned long recount(const planted *t, bool induced, mpz_t automorphisms)
{
  uint32_t left = MOST_MAPS;
  ms_judge *judge;
  mpz_t maps;
  mpz_init(maps);
  ck_ok(ms_judge_pattern(t->graph, t->coloring, t->pattern, induced, false, &judge, &err));
  ck_ok(ms_judge_recount(judge, maps, count_to_limit, &left, NULL, &err));
  ck_ok(ms_judge_automorphisms(judge, automorphisms, NULL, &err));
  unsigned long found = left > 0 ? mpz_get_ui(maps) : 0;
  mpz_clear(maps);
  ms_judge_free(judge);
  return found;
}

/* Lists or counts, as maps or as subgraphs, and returns the number; the library verifies each
 * listed row by itself. */
static unsigned long search(const planted *t, bool induced, bool embeddings, bool count_only,
                            const char *automorphisms)
{
  ms_pattern_result *result;
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .induced = induced,
                                .embeddings = embeddings,
                                .count_only = count_only,
                                .screen = {.size = sizeof(ms_screen_options), .run.threads = 2}};
  ck_ok(ms_pattern_list(t->index, t->pattern, &options, &result, &err));
  unsigned long found = strtoul(result->count_text, NULL, 10);
  ck_assert_str_eq(result->automorphisms_text, automorphisms);
  ms_pattern_result_free(result);
  return found;
}

/* Maps and subgraphs of a planted pattern, listed and counted, are as many as the verifier finds by
 * plain backtracking, and its group has the order that the verifier finds: 24 random graphs,
 * directed or not, with patterns of 65 to 256 vertices, induced or not. */
START_TEST(planted_patterns)
{
  uint64_t state = 1;
  uint32_t compared = 0;
  for (uint32_t i = 0; i < 24; i++) {
    static const uint32_t sizes[] = {65, 107, 128, 129, 200, 256};
    planted t = {.directed = i & 1, .p = sizes[i % 6], .colors = 60 + 40 * (i % 3)};
    bool induced = i & 2;
    mpz_t order;
    mpz_init(order);
    make_graph(&t, &state);
    choose_vertices(&t, &state);
    make_pattern(&t, induced, &state);
    unsigned long maps = recount(&t, induced, order);
    char *text = mpz_get_str(NULL, 10, order);
    if (maps > 0) {
      ck_assert_uint_eq(search(&t, induced, true, true, text), maps);
      ck_assert_uint_eq(search(&t, induced, true, false, text), maps);
      unsigned long classes = search(&t, induced, false, false, text);
      ck_assert_uint_eq(classes * mpz_get_ui(order), maps);
      ck_assert_uint_eq(search(&t, induced, false, true, text), classes);
      compared++;
    }
    free(text);
    mpz_clear(order);
    free_planted(&t);
  }
  ck_assert_uint_ge(compared, 16);
}
END_TEST

/* ---- symmetric patterns ---------------------------------------------------------------- */

/* Returns the graph of a built-in pattern. */
static ms_graph *graph_of(const char *name)
{
  static uint32_t edges[MS_MAX_PATTERN * MS_MAX_PATTERN][2];
  ms_pattern *pattern;
  ms_graph *graph;
  uint64_t m = 0;
  ck_ok(ms_pattern_named(name, &pattern, &err));
  for (uint32_t u = 0; u < pattern->n; u++)
    for (uint32_t v = u + 1; v < pattern->n; v++)
      if (ms_bitset_has(&pattern->out[u], v)) {
        edges[m][0] = u;
        edges[m++][1] = v;
      }
  ck_ok(ms_graph_from_edges(pattern->n, m, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  ms_pattern_free(pattern);
  return graph;
}

static void check_count(const char *in, const char *name, bool induced, const char *subgraphs)
{
  ms_graph *graph = graph_of(in);
  ms_pattern *pattern;
  ms_pattern_index *index;
  ck_ok(ms_pattern_named(name, &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  for (int count_only = 0; count_only < 2; count_only++) {
    ms_pattern_result *result;
    ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                  .induced = induced,
                                  .count_only = count_only,
                                  .screen = {.size = sizeof(ms_screen_options), .run.threads = 1}};
    ck_ok(ms_pattern_list(index, pattern, &options, &result, &err));
    ck_assert_msg(strcmp(result->count_text, subgraphs) == 0, "%s in %s: %s, not %s", name, in,
                  result->count_text, subgraphs);
    ms_pattern_result_free(result);
  }
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}

/* Stars, paths, cycles, cliques and a wheel are in slightly larger ones as often as arithmetic
 * says, listed and counted: 13 pairs of up to 256 vertices. */
START_TEST(symmetric_patterns)
{
  check_count("star:200", "star:200", false, "1");
  check_count("star:201", "star:200", false, "201");
  check_count("star:201", "star:200", true, "201");
  check_count("star:255", "star:254", false, "255");
  check_count("path:256", "path:256", true, "1");
  check_count("path:256", "path:200", false, "57");
  check_count("cycle:100", "cycle:100", false, "1");
  check_count("cycle:256", "path:256", false, "256");
  check_count("cycle:256", "path:100", true, "256");
  check_count("clique:65", "clique:65", false, "1");
  check_count("clique:66", "clique:65", false, "66");
  check_count("clique:256", "clique:256", true, "1");
  check_count("wheel:100", "cycle:100", false, "101");
}
END_TEST

/* The number of embeddings of K_65 in K_66 is 66!, which has 93 digits. */
START_TEST(counts_of_many_digits)
{
  ms_graph *graph = graph_of("clique:66");
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *result;
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .embeddings = true,
                                .count_only = true,
                                .screen = {.size = sizeof(ms_screen_options), .run.threads = 1}};
  mpz_t expected;
  mpz_init(expected);
  mpz_fac_ui(expected, 66);
  char *text = mpz_get_str(NULL, 10, expected);
  ck_ok(ms_pattern_named("clique:65", &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  ck_ok(ms_pattern_list(index, pattern, &options, &result, &err));
  ck_assert_str_eq(result->count_text, text);
  free(text);
  mpz_clear(expected);
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("large patterns", TEST(planted_patterns), TEST(symmetric_patterns),
          TEST(counts_of_many_digits))
