/* Counts by formula of patterns that are too large for the random cases, against sums that are
 * known: stars, matchings, cliques, isolated vertices; and normal forms of shapes. */
#include "base/hooks.h"
#include "match/count/count.h"
#include "match/count/shape_memo.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_N = 24 };

typedef struct network {
  uint32_t n, m;
  uint32_t edge[MAX_N * MAX_N][2];
  uint32_t degree[MAX_N];
  ms_graph *graph;
  ms_pattern_index *index;
} network;

static void make_network(network *w, uint32_t n, uint32_t percent, uint64_t seed)
{
  ms_error err = {0};
  *w = (network){.n = n};
  for (uint32_t u = 0; u < n; u++)
    for (uint32_t v = u + 1; v < n; v++)
      if (random_next(&seed) % 100 < percent) {
        w->edge[w->m][0] = u;
        w->edge[w->m++][1] = v;
        w->degree[u]++;
        w->degree[v]++;
      }
  ck_assert_msg(
      ms_graph_from_edges(n, w->m, (const uint32_t(*)[2])w->edge, NULL, &w->graph, &err) == MS_OK,
      "%s", err.message);
  ck_assert_int_eq(ms_pattern_index_new(w->graph, NULL, 1, &w->index, &err), MS_OK);
}

static void free_network(network *w)
{
  ms_pattern_index_free(w->index);
  ms_graph_free(w->graph);
}

static void check_count(const network *w, ms_pattern *pattern, const mpz_t subgraphs)
{
  ms_pattern_result *result = NULL;
  ms_error err = {0};
  char *expected = mpz_get_str(NULL, 10, subgraphs);
  for (int order = MS_ORDER_AUTO; order <= MS_ORDER_REUSE; order++) {
    ms_pattern_options options = {
        .size = sizeof(ms_pattern_options),
        .count_only = true,
        .order = (ms_order)order,
        .screen = {.size = sizeof(ms_screen_options), .run.threads = 1 + order % 2}};
    ck_assert_msg(ms_pattern_list(w->index, pattern, &options, &result, &err) == MS_OK, "%s",
                  err.message);
    ck_assert_str_eq(result->subgraphs_text, expected);
    ms_pattern_result_free(result);
  }
  free(expected);
  ms_pattern_free(pattern);
}

static ms_pattern *named(const char *kind, uint32_t size)
{
  char name[32];
  ms_pattern *pattern = NULL;
  ms_error err = {0};
  snprintf(name, sizeof name, "%s:%u", kind, size);
  ck_assert_msg(ms_pattern_named(name, &pattern, &err) == MS_OK, "%s", err.message);
  return pattern;
}

/* Half the sum over pairs of vertices of C(their common neighbours, 2). */
static uint64_t cycles_of_4(const network *w)
{
  static bool next_to[MAX_N][MAX_N];
  uint64_t sum = 0;
  memset(next_to, 0, sizeof next_to);
  for (uint32_t e = 0; e < w->m; e++)
    next_to[w->edge[e][0]][w->edge[e][1]] = next_to[w->edge[e][1]][w->edge[e][0]] = true;
  for (uint32_t u = 0; u < w->n; u++)
    for (uint32_t v = u + 1; v < w->n; v++) {
      uint64_t common = 0;
      for (uint32_t x = 0; x < w->n; x++)
        common += next_to[u][x] && next_to[v][x];
      sum += common * (common - 1) / 2;
    }
  return sum / 2;
}

/* Returns the number of paths from `at` to `end` through `left` more vertices that are not used. */
static uint64_t paths_to(const network *w, bool next_to[MAX_N][MAX_N], uint32_t at, uint32_t end,
                         uint32_t left, uint32_t used)
{
  uint64_t sum = 0;
  if (left == 0)
    return next_to[at][end];
  for (uint32_t v = 0; v < w->n; v++)
    if (next_to[at][v] && !(used >> v & 1))
      sum += paths_to(w, next_to, v, end, left - 1, used | 1u << v);
  return sum;
}

/* Visits every cycle of five vertices ten times. */
static uint64_t cycles_of_5(const network *w)
{
  bool next_to[MAX_N][MAX_N] = {{false}};
  uint64_t sum = 0;
  for (uint32_t e = 0; e < w->m; e++)
    next_to[w->edge[e][0]][w->edge[e][1]] = next_to[w->edge[e][1]][w->edge[e][0]] = true;
  for (uint32_t v = 0; v < w->n; v++)
    sum += paths_to(w, next_to, v, v, 4, 1u << v);
  return sum / 10;
}

static bool has_priority(const network *w, const ms_pattern *pattern)
{
  ms_shape shape;
  ms_domains domains;
  ms_count_plan plan;
  ms_shape_of(pattern, false, &shape);
  ck_assert_int_eq(ms_domains_on(NULL, w->index, pattern, &shape, NULL, 1, &domains, NULL), MS_OK);
  ms_count_query query = {
      .index = w->index, .domains = &domains, .engine = &ms_pattern_engine_cpu, .threads = 1};
  ck_assert_int_eq(ms_count_plan_new(&query, &shape, domains.of, &plan, NULL), MS_OK);
  bool priority = plan.options.priority;
  ms_count_plan_free(&plan);
  ms_domains_free(&domains);
  return priority;
}

/* Cycles of four and of five vertices, counted by vertex priority where that was chosen (at least
 * ten times), are those of the sum over pairs of common neighbours, and those that a plain search
 * visits: 60 random graphs of 6 to 24 vertices. */
START_TEST(cycles_by_priority)
{
  uint32_t by_priority = 0, length = 4 + (uint32_t)_i;
  ms_hooks.probe_steps = -1;
  ms_hooks.probe_factor = 1e9;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    network w;
    mpz_t cycles;
    make_network(&w, 6 + (uint32_t)(seed % 19), 20 + (uint32_t)(seed % 70), seed);
    mpz_init_set_ui(cycles, (unsigned long)(length == 4 ? cycles_of_4(&w) : cycles_of_5(&w)));
    ms_pattern *pattern = named("cycle", length);
    by_priority += has_priority(&w, pattern);
    check_count(&w, pattern, cycles);
    mpz_clear(cycles);
    free_network(&w);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_uint_ge(by_priority, 10);
}
END_TEST

/* Stars of 2 to 20 leaves are counted as the sum of binomials of the degrees: four random graphs of
 * 24 vertices. */
START_TEST(stars)
{
  network w;
  mpz_t sum, term;
  mpz_init(sum);
  mpz_init(term);
  make_network(&w, MAX_N, 70, (uint64_t)_i);
  for (uint32_t leaves = 2; leaves <= 20; leaves++) {
    mpz_set_ui(sum, 0);
    for (uint32_t v = 0; v < w.n; v++) {
      mpz_bin_uiui(term, w.degree[v], leaves);
      mpz_add(sum, sum, term);
    }
    check_count(&w, named("star", leaves), sum);
  }
  mpz_clear(sum);
  mpz_clear(term);
  free_network(&w);
}
END_TEST

/* Sets of k edges without a common vertex, from edge `first` on. */
static unsigned long matchings(const network *w, uint32_t first, uint32_t k, uint32_t used)
{
  unsigned long sum = k == 0;
  for (uint32_t e = first; k > 0 && e < w->m; e++) {
    uint32_t ends = 1u << w->edge[e][0] | 1u << w->edge[e][1];
    if (!(used & ends))
      sum += matchings(w, e + 1, k - 1, used | ends);
  }
  return sum;
}

/* Sets of 2 to 5 disjoint edges are counted as a plain recursion counts them: six random graphs of
 * 12 vertices. */
START_TEST(disjoint_edges)
{
  static const uint32_t edges[][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}};
  network w;
  mpz_t sum;
  mpz_init(sum);
  make_network(&w, 12, 30 + 10 * (uint32_t)_i, (uint64_t)_i + 7);
  for (uint32_t k = 2; k <= 5; k++) {
    ms_pattern *pattern = NULL;
    ck_assert_int_eq(ms_pattern_from_edges(2 * k, k, edges, false, NULL, &pattern, NULL), MS_OK);
    mpz_set_ui(sum, matchings(&w, 0, k, 0));
    check_count(&w, pattern, sum);
  }
  mpz_clear(sum);
  free_network(&w);
}
END_TEST

/* A complete graph of 24 vertices has C(24, k) cliques, and none where k > 24, and C(24, k) sets of
 * isolated vertices: k from 18 to 27, and from 7 to 10. */
START_TEST(cliques_and_isolated_vertices)
{
  network w;
  mpz_t sum;
  mpz_init(sum);
  make_network(&w, MAX_N, 100, 1);
  for (uint32_t k = 18; k <= MAX_N + 3; k++) {
    mpz_bin_uiui(sum, MAX_N, k);
    check_count(&w, named("clique", k), sum);
  }
  for (uint32_t k = 7; k <= 10; k++) {
    ms_pattern *pattern = NULL;
    ck_assert_int_eq(ms_pattern_from_edges(k, 0, NULL, false, NULL, &pattern, NULL), MS_OK);
    mpz_bin_uiui(sum, MAX_N, k);
    check_count(&w, pattern, sum);
  }
  mpz_clear(sum);
  free_network(&w);
}
END_TEST

/* A coloured star whose count is 100^29 times C(100, 2), beyond 128 bits, is counted exactly by
 * factors. */
START_TEST(colors_beyond_128_bits)
{
  enum { COLORS = 30, LEAVES = 100 };
  static uint32_t edges[COLORS * LEAVES][2], pairs[COLORS * LEAVES][2], star[COLORS + 1][2];
  static char text[COLORS][8];
  const char *names[COLORS], *accepts[COLORS + 2] = {NULL};
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_pattern *pattern = NULL;
  network w = {.n = 0};
  mpz_t sum;
  mpz_init(sum);
  for (uint32_t c = 0; c < COLORS; c++) {
    snprintf(text[c], sizeof text[c], "c%u", c);
    names[c] = accepts[c + 1] = text[c];
    star[c][1] = c + 1;
    for (uint32_t i = 0; i < LEAVES; i++) {
      edges[c * LEAVES + i][1] = pairs[c * LEAVES + i][0] = 1 + c * LEAVES + i;
      pairs[c * LEAVES + i][1] = c;
    }
  }
  star[COLORS][1] = COLORS + 1;
  accepts[COLORS + 1] = text[0];
  ck_assert_int_eq(ms_graph_from_edges(COLORS * LEAVES + 1, COLORS * LEAVES,
                                       (const uint32_t(*)[2])edges, NULL, &graph, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_coloring_from_pairs(graph, COLORS * LEAVES, (const uint32_t(*)[2])pairs,
                                          COLORS, names, &coloring, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_from_edges(COLORS + 2, COLORS + 1, (const uint32_t(*)[2])star, false,
                                         accepts, &pattern, NULL),
                   MS_OK);
  ck_assert_int_eq(ms_pattern_index_new(graph, coloring, 1, &w.index, NULL), MS_OK);
  mpz_ui_pow_ui(sum, LEAVES, COLORS - 1);
  mpz_mul_ui(sum, sum, LEAVES * (LEAVES - 1) / 2);
  ms_pattern_options options = {.size = sizeof(ms_pattern_options),
                                .screen.size = sizeof(ms_screen_options),
                                .count_only = true,
                                .screen_mode = MS_SCREEN_NEVER};
  ms_pattern_result *result = NULL;
  ck_assert_int_eq(ms_pattern_list(w.index, pattern, &options, &result, NULL), MS_OK);
  char *expected = mpz_get_str(NULL, 10, sum);
  ck_assert_str_eq(result->subgraphs_text, expected);
  free(expected);
  ms_pattern_result_free(result);
  ms_pattern_free(pattern);
  ms_pattern_index_free(w.index);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  mpz_clear(sum);
}
END_TEST

/* ---- normal forms ------------------------------------------------------------- */

static void renumber(const ms_shape *s, const uint64_t *label, const uint32_t *to, ms_shape *out,
                     uint64_t *out_label)
{
  *out = (ms_shape){.n = s->n, .directed = s->directed};
  for (uint32_t i = 0; i < s->n; i++) {
    out_label[to[i]] = label[i];
    for (uint32_t j = 0; j < s->n; j++)
      if (ms_bitset_has(&s->out[i], j)) {
        ms_bitset_add(&out->out[to[i]], to[j]);
        ms_bitset_add(&out->in[to[j]], to[i]);
      }
  }
}

/* A renumbered shape has the same key, and one with another label has another: 20,000 random
 * shapes. */
START_TEST(keys)
{
  uint64_t state = 5;
  for (int trial = 0; trial < 20000; trial++) {
    ms_shape s = {.n = 1 + (uint32_t)(random_next(&state) % MS_MEMO_VERTICES)}, t;
    uint64_t label[MS_MEMO_VERTICES], other[MS_MEMO_VERTICES];
    uint32_t to[MS_MEMO_VERTICES], percent = (uint32_t)(random_next(&state) % 60);
    ms_shape_key a, b;
    for (uint32_t i = 0; i < s.n; i++) {
      label[i] = 1 + random_next(&state) % 2;
      uint32_t j = (uint32_t)(random_next(&state) % (i + 1));
      to[i] = to[j];
      to[j] = i;
    }
    for (uint32_t i = 0; i < s.n; i++)
      for (uint32_t j = 0; j < i; j++)
        if (random_next(&state) % 100 < percent) {
          ms_bitset_add(&s.out[i], j), ms_bitset_add(&s.in[j], i);
          ms_bitset_add(&s.out[j], i), ms_bitset_add(&s.in[i], j);
        }
    renumber(&s, label, to, &t, other);
    bool named_a = ms_shape_key_of(&s, label, &a), named_b = ms_shape_key_of(&t, other, &b);
    ck_assert_int_eq(named_a, named_b);
    if (!named_a)
      continue;
    ck_assert_msg(memcmp(&a, &b, sizeof a) == 0, "trial %d", trial);
    other[0] = 3 - other[0];
    ck_assert(!ms_shape_key_of(&t, other, &b) || memcmp(&a, &b, sizeof a) != 0);
  }
}
END_TEST

TEST_MAIN("pattern_count", TEST_TIMES(stars, 4), TEST_TIMES(disjoint_edges, 6),
          TEST(cliques_and_isolated_vertices), TEST(colors_beyond_128_bits),
          TEST_TIMES(cycles_by_priority, 2), TEST(keys))
