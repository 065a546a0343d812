/* Random labellings and graphs: shuffles are uniform over all permutations; each null holds what it
 * says on random graphs; each is a function of the seed and the number; both forms of a
 * labelling, and the batches of bytes, agree; failures of memory. */
#include "base/hooks.h"
#include "graph/graph.h"
#include "significance/nulls.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_N = 300, MOST_LABELS = 6, LARGE = 1 /* the seed of a large graph */ };

static ms_error err;

typedef struct trial {
  uint32_t n, labels;
  ms_graph *graph;
  uint16_t label[MOST_N];
  uint32_t stratum[MOST_N];
} trial;

static trial t;

static void make_trial(uint64_t seed)
{
  static uint32_t edges[MOST_N * 8][2];
  uint64_t m = 0;
  t.n = 1 + random_below(&seed, MOST_N);
  t.labels = 1 + random_below(&seed, MOST_LABELS);
  uint32_t degree = random_below(&seed, 8), free_of_16 = random_below(&seed, 8);
  for (uint32_t v = 0; v < t.n; v++) {
    t.label[v] = random_below(&seed, 16) < free_of_16 ? MS_NO_LABEL
                                                      : (uint16_t)random_below(&seed, t.labels);
    t.stratum[v] = random_below(&seed, 4) * 7;
    for (uint32_t i = 0; i < degree; i++) {
      uint32_t u = random_below(&seed, 1 + random_below(&seed, t.n));
      edges[m][0] = v;
      edges[m][1] = u;
      m += u != v;
    }
  }
  ck_ok(ms_graph_from_edges(t.n, m, (const uint32_t(*)[2])edges, NULL, &t.graph, &err));
}

/* ---- uniformity ------------------------------------------------------------------------- */

/* Returns the place of a permutation of n <= 5 in the order of their Lehmer codes. */
static uint32_t number_of(const uint32_t *from, uint32_t n)
{
  uint32_t number = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t smaller = 0;
    for (uint32_t j = i + 1; j < n; j++)
      smaller += from[j] < from[i];
    number = number * (n - i) + smaller;
  }
  return number;
}

/* All permutations of 2 to 5 vertices come equally often: chi-square over 60,000 labellings for
 * each of two seeds, at a level of about 10^-4. */
START_TEST(shuffles_are_uniform)
{
  static const double limit[] = {0, 0, 15.2, 26, 56, 185};
  for (uint32_t n = 2; n <= 5; n++) {
    uint32_t kinds = n == 2 ? 2 : n == 3 ? 6 : n == 4 ? 24 : 120;
    ms_graph *graph;
    const uint16_t label[5] = {0};
    ck_ok(ms_graph_from_edges(n, 0, NULL, NULL, &graph, &err));
    for (uint64_t seed = 1; seed <= 2; seed++) {
      uint32_t count[120] = {0};
      uint64_t rounds = scaled(60000);
      double square = 0, mean = (double)rounds / kinds;
      ms_null *null;
      ck_ok(ms_null_open(graph, label, MS_NULL_LABELS, NULL, seed, &null, &err));
      for (uint64_t i = 0; i < rounds; i++) {
        uint32_t from[5];
        ck_ok(ms_null_from(null, i, from, NULL, &err));
        count[number_of(from, n)]++;
      }
      for (uint32_t i = 0; i < kinds; i++)
        square += (count[i] - mean) * (count[i] - mean) / mean;
      ck_assert_msg(square < limit[n], "n %u, seed %u: chi-square %g", n, (unsigned)seed, square);
      ms_null_free(null);
    }
    ms_graph_free(graph);
  }
}
END_TEST

/* With 300 vertices, each label comes to each vertex equally often: 300 x 300 numbers of 4,000
 * labellings.  Their chi-square has 299^2 degrees of freedom and is about normal. */
START_TEST(places_are_uniform)
{
  static uint32_t count[MOST_N][MOST_N];
  static uint16_t label[MOST_N];
  double square = 0, degrees = (MOST_N - 1.0) * (MOST_N - 1.0);
  ms_graph *graph;
  ms_null *null;
  uint32_t rounds = scaled(4000) < 1000 ? 1000 : (uint32_t)scaled(4000);
  memset(count, 0, sizeof count);
  ck_ok(ms_graph_from_edges(MOST_N, 0, NULL, NULL, &graph, &err));
  ck_ok(ms_null_open(graph, label, MS_NULL_LABELS, NULL, 5, &null, &err));
  for (uint32_t i = 0; i < rounds; i++) {
    uint32_t from[MOST_N];
    ck_ok(ms_null_from(null, i, from, NULL, &err));
    for (uint32_t v = 0; v < MOST_N; v++)
      count[v][from[v]]++;
  }
  double mean = (double)rounds / MOST_N;
  for (uint32_t v = 0; v < MOST_N; v++)
    for (uint32_t u = 0; u < MOST_N; u++)
      square += (count[v][u] - mean) * (count[v][u] - mean) / mean;
  /* 4 standard deviations of a chi-square, sqrt(2 degrees) each */
  ck_assert_double_le(square, degrees + 4 * 1.5 * MOST_N);
  ck_assert_double_ge(square, degrees - 4 * 1.5 * MOST_N);
  ms_null_free(null);
  ms_graph_free(graph);
}
END_TEST

/* ---- what is held ----------------------------------------------------------------------- */

static void check_permutation(const uint32_t *from)
{
  bool met[MOST_N] = {false};
  for (uint32_t v = 0; v < t.n; v++) {
    ck_assert_uint_lt(from[v], t.n);
    ck_assert(!met[from[v]]);
    met[from[v]] = true;
    if (t.label[v] == MS_NO_LABEL)
      ck_assert_uint_eq(from[v], v);
  }
}

static uint32_t degree_of(uint32_t v)
{
  uint32_t degree = 0;
  for (uint64_t a = t.graph->offset[v]; a < t.graph->offset[v + 1]; a++)
    degree += t.label[t.graph->neighbor[a]] != MS_NO_LABEL;
  return degree;
}

/* Checks that classes hold whole degrees of one stratum, and are as large as they say. */
static void check_classes(const ms_null *null, const uint32_t *stratum)
{
  uint32_t classes = 0;
  for (uint32_t i = 0; i < null->moved; i++) {
    uint32_t begin = null->class_begin[i], v = null->member[i];
    classes += begin == i;
    ck_assert_uint_eq(null->class_begin[begin], begin);
    for (uint32_t j = i + 1; j < null->moved; j++) {
      uint32_t u = null->member[j];
      bool same = null->class_begin[j] == begin;
      ck_assert(!same || !stratum || stratum[u] == stratum[v]);
      if (stratum ? stratum[u] == stratum[v] : true) {
        ck_assert(null->kind == MS_NULL_DEGREE || same);
        ck_assert(degree_of(u) != degree_of(v) || same);
      }
    }
    uint32_t size = 0, alike = 0;
    for (uint32_t j = 0; j < null->moved; j++) {
      size += null->class_begin[j] == begin;
      alike += !stratum || stratum[null->member[j]] == stratum[v];
    }
    ck_assert(size >= MS_DEGREE_CLASS || size == alike);
  }
  ck_assert_uint_eq(classes, null->classes);
}

/* The greatest share of edges that may differ from the table.  The chain ends near it. */
static double share_of_wrong_edges(const uint16_t *label, uint64_t *edges)
{
  int64_t table[MOST_LABELS][MOST_LABELS] = {{0}}, sum = 0;
  *edges = 0;
  for (uint32_t v = 0; v < t.n; v++)
    for (uint64_t a = t.graph->offset[v]; a < t.graph->offset[v + 1]; a++) {
      uint32_t u = t.graph->neighbor[a];
      if (u < v || t.label[u] == MS_NO_LABEL || t.label[v] == MS_NO_LABEL)
        continue;
      uint16_t x = t.label[u], y = t.label[v], p = label[u], q = label[v];
      table[x < y ? x : y][x < y ? y : x]++;
      table[p < q ? p : q][p < q ? q : p]--;
      ++*edges;
    }
  for (uint32_t a = 0; a < MOST_LABELS; a++)
    for (uint32_t b = 0; b < MOST_LABELS; b++)
      sum += llabs(table[a][b]);
  return *edges ? (double)sum / 2 / (double)*edges : 0;
}

static void check_labels(ms_null_kind kind, const uint32_t *stratum, uint64_t seed)
{
  ms_null *null;
  uint64_t first = seed << 40, edges;
  ck_ok(ms_null_open(t.graph, t.label, kind, stratum, seed, &null, &err));
  if (kind != MS_NULL_EDGES)
    check_classes(null, stratum);
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t from[MOST_N], again[MOST_N];
    uint16_t label[MOST_N];
    ms_null_trace trace, other;
    ck_ok(ms_null_from(null, first + i, from, &trace, &err));
    ck_ok(ms_null_from(null, first + i, again, NULL, &err));
    ck_ok(ms_null_labels(null, first + i, label, &other, &err));
    check_permutation(from);
    ck_assert_mem_eq(from, again, t.n * sizeof *from);
    ck_assert_mem_eq(&trace, &other, sizeof trace);
    for (uint32_t v = 0; v < t.n; v++) {
      ck_assert_uint_eq(label[v], t.label[from[v]]);
      if (stratum)
        ck_assert_uint_eq(stratum[v], stratum[from[v]]);
    }
    if (kind == MS_NULL_EDGES) {
      ck_assert_double_eq_tol(trace.deviation, share_of_wrong_edges(label, &edges), 1e-12);
      ck_assert(trace.deviation == 0);
      ck_assert_uint_le(trace.accepted, trace.tried);
    }
  }
  ms_null_free(null);
}

/* Labellings of 80 random graphs move labels within their classes, by every null, with strata and
 * without. */
START_TEST(labels_stay_in_their_classes)
{
  for (uint64_t seed = 1; seed <= scaled(80); seed++) {
    make_trial(seed);
    check_labels(MS_NULL_LABELS, NULL, seed);
    check_labels(MS_NULL_LABELS, t.stratum, seed);
    check_labels(MS_NULL_DEGREE, seed % 2 ? NULL : t.stratum, seed);
    if (seed % 4 == 0)
      check_labels(MS_NULL_EDGES, seed % 8 ? NULL : t.stratum, seed);
    ms_graph_free(t.graph);
  }
}
END_TEST

/* Different seeds and numbers give different labellings; the table of edges is held, although most
 * labels have moved. */
START_TEST(labellings_differ)
{
  uint16_t label[5][MOST_N];
  ms_null *null;
  ms_null_trace trace;
  make_trial(LARGE);
  ck_assert_uint_gt(t.n, 100);
  for (uint64_t i = 0; i < 4; i++) {
    ck_ok(ms_null_open(t.graph, t.label, MS_NULL_LABELS, NULL, i / 2, &null, &err));
    ck_ok(ms_null_labels(null, i % 2, label[i], NULL, &err));
    for (uint64_t j = 0; j < i; j++)
      ck_assert(memcmp(label[i], label[j], t.n * sizeof **label) != 0);
    ms_null_free(null);
  }
  ck_ok(ms_null_open(t.graph, t.label, MS_NULL_EDGES, NULL, 1, &null, &err));
  uint32_t from[MOST_N], moved = 0;
  ck_ok(ms_null_from(null, 9, from, &trace, &err));
  for (uint32_t v = 0; v < t.n; v++)
    moved += from[v] != v;
  ck_assert_uint_gt(2 * moved, null->moved);
  ck_assert_uint_gt(trace.accepted, null->moved);
  ms_null_free(null);
  ms_graph_free(t.graph);
}
END_TEST

/* Returns the table of the edges of a labelling with two labels: the edges between labels 0 and 0,
 * 0 and 1, 1 and 1. */
static uint32_t table_of(const ms_graph *g, const uint16_t *label)
{
  uint32_t count[3] = {0};
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
      if (g->neighbor[a] > v)
        count[label[v] + label[g->neighbor[a]]]++;
  return count[0] * 10000 + count[1] * 100 + count[2];
}

/* All labellings with the table of the graph come equally often, and no other ones: chi-square over
 * 4,000 labellings of a graph of eight vertices, of which four have the label 1. */
START_TEST(labellings_with_the_table_are_uniform)
{
  const uint32_t edges[9][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5},
                                {5, 6}, {6, 7}, {0, 3}, {2, 6}};
  const uint16_t label[8] = {0, 1, 1, 0, 0, 1, 0, 1};
  uint32_t met[256] = {0}, possible = 0;
  uint64_t rounds = scaled(4000);
  double square = 0;
  ms_graph *graph;
  ms_null *null;
  ck_ok(ms_graph_from_edges(8, 9, edges, NULL, &graph, &err));
  ck_ok(ms_null_open(graph, label, MS_NULL_EDGES, NULL, 5, &null, &err));
  for (uint64_t i = 0; i < rounds; i++) {
    uint16_t out[8];
    uint32_t mask = 0;
    ms_null_trace trace;
    ck_ok(ms_null_labels(null, i, out, &trace, &err));
    ck_assert(trace.deviation == 0);
    for (uint32_t v = 0; v < 8; v++)
      mask |= (uint32_t)out[v] << v;
    met[mask]++;
  }
  uint32_t table = table_of(graph, label);
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t mask = 0; mask < 256; mask++) {
      uint16_t other[8];
      for (uint32_t v = 0; v < 8; v++)
        other[v] = mask >> v & 1;
      bool fits = __builtin_popcount(mask) == 4 && table_of(graph, other) == table;
      double mean = pass ? (double)rounds / possible : 0;
      ck_assert(fits || met[mask] == 0);
      if (pass == 0)
        possible += fits;
      else if (fits)
        square += (met[mask] - mean) * (met[mask] - mean) / mean;
    }
  ck_assert_uint_gt(possible, 5);
  /* 4 standard deviations of a chi-square */
  ck_assert_double_lt(square, possible - 1 + 4 * sqrt(2.0 * (possible - 1)));
  ms_null_free(null);
  ms_graph_free(graph);
}
END_TEST

enum { SMALL_N = 9, SMALL_LABELS = 3, SMALL_CODES = 19683 /* 3^9 */ };

/* A random graph of nine vertices, some of them in a star, and nine labels of three kinds. */
static uint64_t make_small(uint64_t seed, uint32_t (*edge)[2], uint16_t *label)
{
  uint64_t m = 0;
  for (uint32_t v = 0; v < SMALL_N; v++)
    label[v] = (uint16_t)(v < 4 ? 0 : v < 7 ? 1 : 2);
  for (uint32_t v = SMALL_N; v-- > 1;) {
    uint32_t u = random_below(&seed, v + 1);
    uint16_t other = label[u];
    label[u] = label[v];
    label[v] = other;
  }
  for (uint32_t v = 1; v < SMALL_N; v++)
    for (uint32_t u = 0; u < v; u++)
      if (random_below(&seed, 8) < (u == 0 ? 4u : 1u)) {
        edge[m][0] = u;
        edge[m++][1] = v;
      }
  return m;
}

static uint32_t code_of(const uint16_t *label)
{
  uint32_t code = 0;
  for (uint32_t v = 0; v < SMALL_N; v++)
    code = code * SMALL_LABELS + label[v];
  return code;
}

/* Fills the numbers of vertices of each label, in each of two strata, and of edges between each two
 * labels. */
static void fill_small(const ms_graph *g, const uint16_t *label, const uint32_t *stratum,
                       uint8_t count[2 * SMALL_LABELS + SMALL_LABELS * SMALL_LABELS])
{
  memset(count, 0, 2 * SMALL_LABELS + SMALL_LABELS * SMALL_LABELS);
  for (uint32_t v = 0; v < g->n; v++) {
    count[(stratum ? stratum[v] * SMALL_LABELS : 0) + label[v]]++;
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
      count[2 * SMALL_LABELS + label[v] * SMALL_LABELS + label[g->neighbor[a]]]++;
  }
}

/* Sets fits[code] for the labellings with the same numbers, and returns how many there are. */
static uint32_t find_fitting(const ms_graph *g, const uint16_t *label, const uint32_t *stratum,
                             bool *fits)
{
  uint8_t wanted[2 * SMALL_LABELS + SMALL_LABELS * SMALL_LABELS], has[sizeof wanted];
  uint32_t possible = 0;
  fill_small(g, label, stratum, wanted);
  for (uint32_t code = 0; code < SMALL_CODES; code++) {
    uint16_t other[SMALL_N];
    uint32_t rest = code;
    for (uint32_t v = SMALL_N; v-- > 0; rest /= SMALL_LABELS)
      other[v] = (uint16_t)(rest % SMALL_LABELS);
    fill_small(g, other, stratum, has);
    fits[code] = memcmp(has, wanted, sizeof has) == 0;
    possible += fits[code];
  }
  return possible;
}

/* Returns the chi-square of `rounds` labellings, all of which have to fit. */
static double square_of_small(const ms_null *null, const bool *fits, uint32_t possible,
                              uint64_t rounds)
{
  static uint32_t met[SMALL_CODES];
  double square = 0, mean = (double)rounds / possible;
  memset(met, 0, sizeof met);
  for (uint64_t i = 0; i < rounds; i++) {
    uint16_t label[SMALL_N];
    ms_null_trace trace;
    ck_ok(ms_null_labels(null, i, label, &trace, &err));
    ck_assert(trace.deviation == 0);
    ck_assert(fits[code_of(label)]);
    met[code_of(label)]++;
  }
  for (uint32_t code = 0; code < SMALL_CODES; code++)
    if (fits[code])
      square += (met[code] - mean) * (met[code] - mean) / mean;
  return square;
}

/* The labellings of small random graphs with three labels are, equally often, all of those with the
 * table of the graph, and with the labels of the strata: chi-square, over 600 labellings of each
 * of five graphs with 20 or more of them, at 4 standard deviations of the sum.  The chains are four
 * times as long as usual, so that what is tested are the probabilities of the moves. */
START_TEST(all_labellings_of_small_graphs_are_uniform)
{
  static bool fits[SMALL_CODES];
  const uint32_t halves[SMALL_N] = {0, 0, 1, 1, 0, 1, 0, 1, 0};
  double square = 0, degrees = 0;
  uint32_t graphs = 0;
  ms_hooks.null_vertex_swaps *= 4;
  for (uint64_t seed = 1; graphs < 5; seed++) {
    uint32_t edges[SMALL_N * SMALL_N][2];
    uint16_t label[SMALL_N];
    const uint32_t *stratum = seed % 4 ? NULL : halves;
    ms_graph *graph;
    ms_null *null;
    uint64_t m = make_small(seed, edges, label);
    ck_ok(ms_graph_from_edges(SMALL_N, m, (const uint32_t(*)[2])edges, NULL, &graph, &err));
    uint32_t possible = find_fitting(graph, label, stratum, fits);
    if (possible >= 20) {
      ck_ok(ms_null_open(graph, label, MS_NULL_EDGES, stratum, seed, &null, &err));
      square += square_of_small(null, fits, possible, scaled(600) < 200 ? 200 : scaled(600));
      degrees += possible - 1;
      graphs++;
      ms_null_free(null);
    }
    ms_graph_free(graph);
  }
  ms_hooks = ms_hooks_default;
  ck_assert_msg(square < degrees + 4 * sqrt(2 * degrees), "chi-square %g, %g degrees of freedom",
                square, degrees);
}
END_TEST

/* Returns a number that differs for different tables of labelled edges, but by accident. */
static uint64_t hash_table(const ms_graph *g, const uint16_t *label)
{
  uint64_t sum = 0;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++) {
      uint64_t direction = g->direction ? g->direction[a] : 0, pair = label[v];
      pair = (direction << 32 | pair << 16 | label[g->neighbor[a]]) + 1;
      sum += pair * 0x9E3779B97F4A7C15u ^ pair * pair * 0xBF58476D1CE4E5B9u;
    }
  return sum;
}

/* Rewired graphs of 60 random graphs are valid, have the degrees, and with colours also the table,
 * and depend on seed and number only, not on whether bits or a table say which edges there are. */
START_TEST(degrees_are_held)
{
  for (uint64_t seed = 1; seed <= scaled(60); seed++) {
    ms_null *null;
    ms_graph *a, *b;
    ms_null_trace trace;
    ms_null_kind kind = seed % 2 ? MS_NULL_REWIRE : MS_NULL_REWIRE_COLORS;
    make_trial(seed);
    ck_ok(ms_null_open(t.graph, t.label, kind, NULL, seed, &null, &err));
    ck_ok(ms_null_graph(null, seed, &a, &trace, &err));
    ms_hooks.null_words = 0;
    ms_null_free(null);
    ck_ok(ms_null_open(t.graph, t.label, kind, NULL, seed, &null, &err));
    ck_ok(ms_null_graph(null, seed, &b, NULL, &err));
    ms_hooks = ms_hooks_default;
    ck_assert(kind == MS_NULL_REWIRE || hash_table(a, t.label) == hash_table(t.graph, t.label));
    ck_ok(validate_graph(a, &err));
    ck_assert_uint_eq(a->arcs, t.graph->arcs);
    for (uint32_t v = 0; v < t.n; v++)
      ck_assert_uint_eq(a->offset[v + 1] - a->offset[v],
                        t.graph->offset[v + 1] - t.graph->offset[v]);
    ck_assert_mem_eq(a->neighbor, b->neighbor, a->arcs * sizeof *a->neighbor);
    if (trace.accepted > 50)
      ck_assert(memcmp(a->neighbor, t.graph->neighbor, a->arcs * sizeof *a->neighbor) != 0);
    ms_graph_free(a);
    ms_graph_free(b);
    ms_null_free(null);
    ms_graph_free(t.graph);
  }
}
END_TEST

/* Rewired from a matching of three edges, all fifteen
 * matchings of six vertices come equally often: chi-square over 7,500 graphs. */
START_TEST(rewired_graphs_are_uniform)
{
  const uint32_t edges[3][2] = {{0, 1}, {2, 3}, {4, 5}};
  uint32_t count[6][6] = {{0}};
  uint64_t rounds = scaled(7500);
  double square = 0, mean = (double)rounds / 15;
  ms_graph *graph;
  ms_null *null;
  const uint16_t label[6] = {0};
  uint32_t met[216] = {0}, matchings = 0;
  ck_ok(ms_graph_from_edges(6, 3, edges, NULL, &graph, &err));
  ck_ok(ms_null_open(graph, label, MS_NULL_REWIRE, NULL, 3, &null, &err));
  for (uint64_t i = 0; i < rounds; i++) {
    ms_graph *g;
    ck_ok(ms_null_graph(null, i, &g, NULL, &err));
    uint32_t partner[6];
    for (uint32_t v = 0; v < 6; v++)
      partner[v] = g->neighbor[g->offset[v]];
    /* the partners of 0 and of the lowest other vertex tell the matching */
    uint32_t low = partner[0] == 1 ? 2 : 1;
    count[partner[0]][partner[low]]++;
    ms_graph_free(g);
  }
  for (uint32_t a = 0; a < 6; a++)
    for (uint32_t b = 0; b < 6; b++)
      if (count[a][b] > 0) {
        met[matchings++] = count[a][b];
        square += (count[a][b] - mean) * (count[a][b] - mean) / mean;
      }
  ck_assert_uint_eq(matchings, 15);
  ck_assert_uint_gt(met[0], 0);
  ck_assert_double_lt(square, 43); /* 14 degrees of freedom, level 10^-4 */
  ms_null_free(null);
  ms_graph_free(graph);
}
END_TEST

/* ---- failures ----------------------------------------------------------------------------- */

static ms_status make_one(void *user, ms_error *reason)
{
  ms_null_kind kind = *(const ms_null_kind *)user;
  uint16_t label[MOST_N];
  ms_null *null;
  ms_graph *graph = NULL;
  ms_status status = ms_null_open(t.graph, t.label, kind, NULL, 1, &null, reason);
  if (status != MS_OK)
    return status;
  status = ms_null_rewires(kind) ? ms_null_graph(null, 1, &graph, NULL, reason)
                                 : ms_null_labels(null, 1, label, NULL, reason);
  ms_graph_free(graph);
  ms_null_free(null);
  return status;
}

START_TEST(every_allocation_may_fail)
{
  ms_hooks.null_vertex_swaps = 3; /* lists grow, and few runs are needed */
  make_trial(LARGE);
  for (ms_null_kind kind = MS_NULL_LABELS; kind <= MS_NULL_REWIRE_COLORS; kind++)
    ck_assert_int_gt(failing_runs(make_one, &kind), 4);
  ms_hooks = ms_hooks_default;
  ms_graph_free(t.graph);
}
END_TEST

/* ---- directed graphs ------------------------------------------------------------------- */

/* The arcs of a graph of four vertices, as the bits 4 from + to. */
static uint32_t arcs_of(const ms_graph *g)
{
  uint32_t bits = 0;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
      if (g->direction[a] & MS_ARC_TO)
        bits |= 1u << (4 * v + g->neighbor[a]);
  return bits;
}

/* The numbers of arcs out, arcs in and mutual arcs of each vertex, two bits each. */
static uint32_t degrees_of(uint32_t bits)
{
  uint32_t all = 0;
  for (uint32_t v = 0; v < 4; v++) {
    uint32_t out = 0, in = 0, mutual = 0;
    for (uint32_t u = 0; u < 4; u++) {
      uint32_t to = bits >> (4 * v + u) & 1, from = bits >> (4 * u + v) & 1;
      out += to;
      in += from;
      mutual += to & from;
    }
    all |= (out | in << 2 | mutual << 4) << 6 * v;
  }
  return all;
}

static ms_graph *graph_of(uint32_t bits)
{
  uint32_t arc[16][2];
  uint64_t m = 0;
  ms_graph *g;
  for (uint32_t i = 0; i < 16; i++)
    if (bits >> i & 1) {
      arc[m][0] = i / 4;
      arc[m++][1] = i % 4;
    }
  ck_ok(ms_graph_from_arcs(4, m, (const uint32_t(*)[2])arc, NULL, &g, &err));
  return g;
}

static bool has_loop(uint32_t bits)
{
  return bits & (1u << 0 | 1u << 5 | 1u << 10 | 1u << 15);
}

static uint64_t labelled_arcs(uint32_t bits, const uint16_t *label)
{
  ms_graph *g = graph_of(bits);
  uint64_t table = hash_table(g, label);
  ms_graph_free(g);
  return table;
}

/* From a directed graph of four vertices, the graphs that are met have the same numbers of arcs
 * out, arcs in and mutual arcs, and come equally often: chi-square over 100 for each of them, for
 * 40 sets of 3 to 40 such graphs.  All graphs of a set are met, but where it has the six cycles
 * through all vertices: a step from one of them would make an arc mutual.  The same with three
 * vertices of one colour, whose arcs keep their table, too. */
static void test_directed(ms_null_kind kind, const uint16_t label[4])
{
  static uint32_t count[1u << 16];
  double square = 0, freedom = 0;
  uint32_t missed = 0;
  uint64_t each = scaled(100) + 5;
  ms_hooks.null_edge_swaps = 1000;
  for (uint32_t start = 1, done = 0; start < 1u << 16 && done < 40; start += 1) {
    uint32_t members = 0, degrees = degrees_of(start);
    ms_null *null;
    if (has_loop(start))
      continue;
    for (uint32_t bits = 0; bits < 1u << 16; bits++) {
      bool is_member = !has_loop(bits) && degrees_of(bits) == degrees &&
                       labelled_arcs(bits, label) == labelled_arcs(start, label);
      count[bits] = is_member ? 0 : UINT32_MAX;
      members += is_member;
    }
    if (members < 3 || members > 40)
      continue;
    done++;
    ms_graph *graph = graph_of(start);
    ck_ok(ms_null_open_directed(graph, label, kind, NULL, start, &null, &err));
    for (uint64_t i = 0; i < each * members; i++) {
      ms_graph *g;
      ck_ok(ms_null_graph(null, i, &g, NULL, &err));
      ck_ok(validate_graph(g, &err));
      ck_assert_uint_ne(count[arcs_of(g)]++, UINT32_MAX);
      ms_graph_free(g);
    }
    uint32_t met = 0;
    for (uint32_t bits = 0; bits < 1u << 16; bits++)
      met += count[bits] > 0 && count[bits] != UINT32_MAX;
    double mean = (double)each * members / met;
    for (uint32_t bits = 0; bits < 1u << 16; bits++)
      if (count[bits] > 0 && count[bits] != UINT32_MAX)
        square += (count[bits] - mean) * (count[bits] - mean) / mean;
    freedom += met - 1;
    missed += met < members;
    ck_assert(met == members || members == 6 || kind == MS_NULL_REWIRE_COLORS);
    ms_null_free(null);
    ms_graph_free(graph);
  }
  ms_hooks = ms_hooks_default;
  ck_assert(freedom > 80 && missed < 4);
  ck_assert_msg(square < freedom + 4 * sqrt(2 * freedom), "chi-square %g, %g degrees of freedom",
                square, freedom);
}

START_TEST(directed_graphs_are_uniform)
{
  static const uint16_t label[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}};
  test_directed(MS_NULL_REWIRE, label[0]);
  test_directed(MS_NULL_REWIRE_COLORS, label[1]);
}
END_TEST

TEST_MAIN("nulls", TEST(shuffles_are_uniform), TEST(places_are_uniform),
          TEST(labels_stay_in_their_classes), TEST(labellings_differ),
          TEST(labellings_with_the_table_are_uniform),
          TEST(all_labellings_of_small_graphs_are_uniform), TEST(degrees_are_held),
          TEST(rewired_graphs_are_uniform), TEST(directed_graphs_are_uniform),
          TEST(every_allocation_may_fail))
