/* Counts beyond 64, 128 and 256 bits on every CUDA engine, against closed forms. */
#include "tests/gpu/emulated/engines.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { LEAVES = 60000, STARS = 24 };

/* ---- closed forms ------------------------------------------------------------------- */

/* Multiplies x by n (n - 1) .. (n - k + 1). */
static void multiply_falling(mpz_t x, uint32_t n, uint32_t k)
{
  for (uint32_t i = 0; i < k; i++)
    mpz_mul_ui(x, x, n - i);
}

/* ---- graphs and patterns -------------------------------------------------------------- */

typedef struct edges {
  uint32_t n, m, room, (*edge)[2];
} edges;

static void join(edges *e, uint32_t u, uint32_t v)
{
  if (e->m == e->room) {
    e->room = 2 * e->room + 64;
    e->edge = realloc(e->edge, e->room * sizeof *e->edge);
    ck_assert_ptr_nonnull(e->edge);
  }
  e->edge[e->m][0] = u;
  e->edge[e->m++][1] = v;
  e->n = u >= e->n ? u + 1 : e->n;
  e->n = v >= e->n ? v + 1 : e->n;
}

/* Adds `leaves` new neighbours of v. */
static void add_leaves(edges *e, uint32_t v, uint32_t leaves)
{
  for (uint32_t i = 0; i < leaves; i++)
    join(e, v, e->n > v ? e->n : v + 1);
}

static edges star(uint32_t leaves)
{
  edges e = {.n = 1};
  add_leaves(&e, 0, leaves);
  return e;
}

static edges bipartite(uint32_t a, uint32_t b)
{
  edges e = {0};
  for (uint32_t u = 0; u < a; u++)
    for (uint32_t v = 0; v < b; v++)
      join(&e, u, a + v);
  return e;
}

/* ---- counts ----------------------------------------------------------------------------- */

typedef const uint32_t (*edges_view)[2];

/* Counts the embeddings of the pattern by the engine.  wanted: their number; by: the name of the
 * engine that has to be given for it. */
static void check(const edges *of_graph, const edges *of_pattern, mpz_t wanted, const char *by)
{
  ms_graph *graph;
  ms_pattern *pattern;
  ms_pattern_index *index;
  ms_pattern_result *result;
  ms_error err = {0};
  ms_pattern_options o = MS_PATTERN_OPTIONS_DEFAULT;
  char *text = mpz_get_str(NULL, 10, wanted);
  ck_ok(ms_graph_from_edges(of_graph->n, of_graph->m, (edges_view)of_graph->edge, NULL, &graph,
                            &err));
  ck_ok(ms_pattern_from_edges(of_pattern->n, of_pattern->m, (edges_view)of_pattern->edge, false,
                              NULL, &pattern, &err));
  ck_ok(ms_pattern_index_new(graph, NULL, 1, &index, &err));
  o.screen.run.engine = engine->name;
  o.embeddings = o.count_only = true;
  o.order = MS_ORDER_RI; /* otherwise the CPU counts some of them by factors */
  o.screen_mode = MS_SCREEN_NEVER;
  o.screen.run.threads = 1;
  ck_ok(ms_pattern_list(index, pattern, &o, &result, &err));
  ck_assert_msg(strcmp(result->count_text, text) == 0, "%s counts %s, not %s", engine->name,
                result->count_text, text);
  ck_assert_str_eq(result->run.engine, by);
  if (strcmp(by, engine->name) != 0)
    ck_assert_ptr_nonnull(strstr(result->run.engine_reason, "have the same neighbours"));
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  ms_pattern_free(pattern);
  ms_graph_free(graph);
  free(text);
}

/* Stars of up to 255 leaves at a hub of 60,000 neighbours: numbers of up to 4,000 bits.  Up to 12
 * leaves the engine counts itself; the CPU's engine counts more, and the reason says so. */
START_TEST(test_star_counts)
{
  static const uint32_t leaves[] = {4, 5, 6, 7, 8, 9, 12, 13, 16, 17, 64, 255};
  edges graph = star(LEAVES);
  mpz_t wanted;
  mpz_init(wanted);
  (void)enter(_i);
  for (uint32_t i = 0; i < sizeof leaves / sizeof *leaves; i++) {
    edges pattern = star(leaves[i]);
    vary(i);
    mpz_set_ui(wanted, 1);
    multiply_falling(wanted, LEAVES, leaves[i]);
    check(&graph, &pattern, wanted, leaves[i] <= 12 ? engine->name : "cpu");
    free(pattern.edge);
  }
  free(graph.edge);
  mpz_clear(wanted);
}
END_TEST

/* Sums of values of 192 bits from many roots, on one device and on three, whose sums the host
 * adds: 24 stars of different sizes. */
START_TEST(test_many_stars)
{
  edges graph = {0}, pattern = star(12);
  mpz_t wanted, one;
  mpz_inits(wanted, one, NULL);
  (void)enter(_i);
  for (uint32_t i = 0; i < STARS; i++) {
    uint32_t leaves = 100 + 50 * i;
    add_leaves(&graph, graph.n, leaves);
    mpz_set_ui(one, 1);
    multiply_falling(one, leaves, 12);
    mpz_add(wanted, wanted, one);
  }
  for (uint64_t seed = 0; seed < 5; seed++) {
    vary(seed);
    check(&graph, &pattern, wanted, engine->name);
  }
  mpz_clears(wanted, one, NULL);
  free(graph.edge);
  free(pattern.edge);
}
END_TEST

/* Complete bipartite patterns in complete bipartite graphs: every match has a value of up to 108
 * bits. */
START_TEST(test_bipartite_counts)
{
  static const uint32_t size[][4] = {/* graph's sides, pattern's sides */
                                     {2, 300, 2, 7},
                                     {2, 300, 2, 12},
                                     {4, 40, 3, 8},
                                     {6, 300, 1, 12},
                                     {8, 20, 2, 5}};
  (void)enter(_i);
  for (uint32_t i = 0; i < sizeof size / sizeof *size; i++) {
    const uint32_t *s = size[i];
    edges graph = bipartite(s[0], s[1]), pattern = bipartite(s[2], s[3]);
    mpz_t wanted, turned;
    vary(i);
    mpz_init_set_ui(wanted, 1);
    mpz_init_set_ui(turned, 1);
    multiply_falling(wanted, s[0], s[2]);
    multiply_falling(wanted, s[1], s[3]);
    multiply_falling(turned, s[0], s[3] <= s[0] ? s[3] : 0);
    multiply_falling(turned, s[1], s[3] <= s[0] ? s[2] : 0);
    if (s[3] <= s[0]) /* the sides may change places */
      mpz_add(wanted, wanted, turned);
    check(&graph, &pattern, wanted, engine->name);
    mpz_clears(wanted, turned, NULL);
    free(graph.edge);
    free(pattern.edge);
  }
}
END_TEST

static edges complete(uint32_t n)
{
  edges e = {0};
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = u + 1; v < n; v++)
      join(&e, u, v);
  return e;
}

/* Cliques in complete graphs.  On a GPU the neighbourhoods have up to 3,500 vertices, more than the
 * shared memory of a block holds as a matrix. */
START_TEST(test_complete_graphs)
{
  static const uint32_t size[][3] = {/* clique, vertices of a graph for emulated and real GPUs */
                                     {3, 60, 2500},
                                     {4, 50, 3500},
                                     {4, 140, 2300},
                                     {5, 40, 1000},
                                     {6, 30, 300}};
  (void)enter(_i);
  for (uint32_t i = 0; i < sizeof size / sizeof *size; i++) {
    uint32_t n = size[i][fake_cuda ? 1 : 2];
    edges graph = complete(n), pattern = complete(size[i][0]);
    mpz_t wanted;
    vary(8 * i + 3);
    mpz_init_set_ui(wanted, 1);
    multiply_falling(wanted, n, size[i][0]);
    check(&graph, &pattern, wanted, engine->name);
    free(graph.edge);
    free(pattern.edge);
    mpz_clear(wanted);
  }
}
END_TEST

void add_complete_tests(int number)
{
  if (!getenv("MOTIFSIEVE_SANITIZER")) /* a sanitizer makes everything slow */
    add_test(number, test_complete_graphs, 1);
}

void add_wide_tests(int number)
{
  add_test(number, test_star_counts, 1);
  add_test(number, test_many_stars, 1);
  add_test(number, test_bipartite_counts, 1);
}
