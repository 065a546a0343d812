/* graph/generate: random graphs are simple, of the right size and degrees, the
 * same on any number of threads, and distributed as they should be; planted
 * matches are there.
 *
 * Bounds on random quantities are six standard deviations or more; the seeds
 * are fixed, so a bound that holds once holds always. */
#include "base/alloc.h"
#include "graph/generate/family.h"
#include "graph/generate/generate.h"
#include "graph/generate/random.h"
#include "graph/graph.h"
#include "query/query.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
static ms_error err;

/* Checks what the builder of the graph found wrong with the edges: nothing. */
static ms_graph *make(ms_generate_options o)
{
  ms_graph *graph;
  ck_ok(ms_generate_graph(&o, &graph, &err));
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert_uint_eq(info.self_loops, 0);
  ck_assert_uint_eq(info.duplicates, 0);
  ck_ok(validate_graph(graph, &err));
  return graph;
}

static uint32_t degree(const ms_graph *graph, uint32_t v)
{
  return (uint32_t)(graph->offset[v + 1] - graph->offset[v]);
}

static bool same_rows(const ms_graph *a, const ms_graph *b)
{
  return a->n == b->n && a->arcs == b->arcs &&
         memcmp(a->offset, b->offset, ((size_t)a->n + 1) * sizeof *a->offset) == 0 &&
         memcmp(a->neighbor, b->neighbor, a->arcs * sizeof *a->neighbor) == 0;
}

static bool adjacent(const ms_graph *graph, uint32_t u, uint32_t v)
{
  for (uint64_t a = graph->offset[u]; a < graph->offset[u + 1]; a++)
    if (graph->neighbor[a] == v)
      return true;
  return false;
}

static void near(double got, double mean, double deviations, const char *what)
{
  ck_assert_msg(fabs(got - mean) <= deviations, "%s: %g, expected %g +- %g", what, got, mean,
                deviations);
}

/* ---- the parts ------------------------------------------------------------- */

static int compare_keys(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* ms_sort_keys orders keys as qsort does: up to 20,000 random keys under four masks, by 1, 3, 5 and
 * 7 threads. */
START_TEST(keys_are_sorted)
{
  enum { MOST = 20000 };
  static const uint64_t masks[] = {0xFF, 0xFF00FF0000, UINT64_MAX, 0};
  static uint64_t key[MOST], wanted[MOST], scratch[MOST];
  uint64_t state = 1;
  ms_watch watch = {.stop = NULL};
  for (size_t mask = 0; mask < COUNT(masks); mask++)
    for (uint32_t count = 0; count <= MOST; count = count * 3 + 1)
      for (int threads = 1; threads <= 7; threads += 2) {
        for (uint32_t i = 0; i < count; i++)
          key[i] = wanted[i] = random_next(&state) & masks[mask];
        qsort(wanted, count, sizeof *wanted, compare_keys);
        ms_sort_keys(key, scratch, count, threads, &watch);
        ck_assert_mem_eq(key, wanted, count * sizeof *key);
      }
}
END_TEST

static void shuffle(uint32_t *a, uint64_t count, uint64_t seed, uint32_t part, int threads)
{
  ms_watch watch = {.stop = NULL};
  const ms_generate_plan plan = {.o = {.run.seed = seed, .run.threads = threads}, .watch = &watch};
  ck_ok(ms_shuffle(&plan, a, count, part, &err));
}

/* A shuffle is a permutation, the same by 1 and 5 threads, and its elements are as likely in each
 * sixteenth of the places by chi-square: six sizes up to 300,001. */
START_TEST(shuffles_are_permutations)
{
  enum { PARTS = 16 };
  static const uint32_t sizes[] = {1, 2, 5, 1000, 32768, 300001};
  for (size_t s = 0; s < COUNT(sizes); s++) {
    uint32_t n = sizes[s], *a = ms_alloc(n, sizeof *a), *b = ms_alloc(n, sizeof *b);
    uint8_t *seen = ms_calloc(n, 1);
    double cell[PARTS][PARTS] = {{0}}, chi = 0, expected = n / (double)(PARTS * PARTS);
    for (uint32_t i = 0; i < n; i++)
      a[i] = b[i] = i;
    shuffle(a, n, 7, 3, 1);
    shuffle(b, n, 7, 3, 5);
    ck_assert_mem_eq(a, b, n * sizeof *a);
    for (uint32_t i = 0; i < n; i++) {
      if (a[i] >= n || seen[a[i]]++)
        ck_abort_msg("%u elements: no permutation", n);
      cell[(uint64_t)i * PARTS / n][(uint64_t)a[i] * PARTS / n]++;
    }
    for (int i = 0; i < PARTS * PARTS; i++)
      chi += pow(cell[i / PARTS][i % PARTS] - expected, 2) / expected;
    if (n > 10000)
      near(chi, 225, 6 * sqrt(2 * 225), "places after a shuffle");
    ms_free(a);
    ms_free(b);
    ms_free(seen);
  }
  uint32_t none = 5;
  shuffle(&none, 0, 1, 1, 1);
  ck_assert_uint_eq(none, 5);
}
END_TEST

/* All 120 orders of five elements are equally likely by chi-square: 36,000 shuffles. */
START_TEST(small_shuffles_are_uniform)
{
  enum { EACH = 300, ORDERS = 120 };
  static uint32_t seen[3125];
  double chi = 0;
  uint32_t orders = 0;
  for (uint64_t seed = 0; seed < EACH * ORDERS; seed++) {
    uint32_t a[5] = {0, 1, 2, 3, 4}, code = 0;
    shuffle(a, 5, seed, 1, 1);
    for (int i = 0; i < 5; i++)
      code = code * 5 + a[i];
    seen[code]++;
  }
  for (size_t i = 0; i < COUNT(seen); i++)
    if (seen[i]) {
      orders++;
      chi += pow((double)seen[i] - EACH, 2) / EACH;
    }
  ck_assert_uint_eq(orders, ORDERS);
  near(chi, ORDERS - 1, 6 * sqrt(2 * ORDERS), "orders of five");
}
END_TEST

/* ---- regular ----------------------------------------------------------------- */

/* Every vertex of a random regular graph has the degree asked for: all feasible degrees of 1 to 12
 * vertices with 20 seeds, and five larger pairs with three seeds. */
START_TEST(regular_is_regular)
{
  for (uint32_t n = 1; n <= 12; n++)
    for (uint32_t d = 0; d < n; d++)
      for (uint64_t seed = 1; seed <= 20 && n * d % 2 == 0; seed++) {
        ms_graph *graph;
        ck_ok(ms_generate_regular(n, d, seed, &graph, &err));
        for (uint32_t v = 0; v < n; v++)
          if (degree(graph, v) != d || graph->n != n || graph->info.duplicates)
            ck_abort_msg("n = %u, d = %u, seed %u", n, d, (unsigned)seed);
        ms_graph_free(graph);
      }
  static const uint32_t larger[][2] = {{1000, 20}, {1001, 500}, {400, 398}, {300, 150}, {5000, 3}};
  for (size_t i = 0; i < COUNT(larger) * 3; i++) {
    uint32_t n = larger[i / 3][0], d = larger[i / 3][1];
    if (n * d % 2)
      d--;
    ms_graph *graph = make((ms_generate_options){.family = MS_FAMILY_REGULAR,
                                                 .given = MS_GEN_VERTICES | MS_GEN_DEGREE,
                                                 .vertices = n,
                                                 .degree = d,
                                                 .run.seed = i});
    ck_assert_uint_eq(graph->n, n);
    for (uint32_t v = 0; v < n; v++)
      if (degree(graph, v) != d)
        ck_abort_msg("n = %u, d = %u: degree %u", n, d, degree(graph, v));
    ms_graph_free(graph);
  }
}
END_TEST

/* Which of the graphs on 6 vertices, as a number: a bit for each edge. */
static uint32_t shape_of(const ms_graph *graph)
{
  uint32_t bits = 0, bit = 0;
  for (uint32_t u = 0; u < graph->n; u++)
    for (uint32_t v = u + 1; v < graph->n; v++)
      bits |= (uint32_t)adjacent(graph, u, v) << bit++;
  return bits;
}

/* Small graphs of a family, all equally likely: chi-square over `shapes`. */
static void check_uniform(ms_generate_options o, uint32_t shapes, const char *what)
{
  enum { EACH = 300 };
  static uint32_t seen[1 << 15];
  double chi = 0;
  uint32_t kinds = 0;
  memset(seen, 0, sizeof seen);
  for (uint64_t seed = 0; seed < (uint64_t)EACH * shapes; seed++) {
    ms_graph *graph;
    o.run.seed = seed;
    ck_ok(ms_generate_graph(&o, &graph, &err));
    seen[shape_of(graph)]++;
    ms_graph_free(graph);
  }
  for (uint32_t i = 0; i < COUNT(seen); i++)
    kinds += seen[i] > 0;
  ck_assert_msg(kinds == shapes, "%s: %u kinds of graphs, expected %u", what, kinds, shapes);
  for (uint32_t i = 0; i < COUNT(seen); i++)
    if (seen[i])
      chi += pow((double)seen[i] - EACH, 2) / EACH;
  near(chi, shapes - 1, 6 * sqrt(2.0 * shapes), what);
}

/* All graphs of a small family are equally likely by chi-square: perfect matchings and octahedra on
 * six vertices, 3 or 8 of ten edges, and edges with probability one half. */
START_TEST(small_graphs_are_uniform)
{
  const unsigned n_d = MS_GEN_VERTICES | MS_GEN_DEGREE, n_m = MS_GEN_VERTICES | MS_GEN_EDGES,
                 n_p = MS_GEN_VERTICES | MS_GEN_PROBABILITY;
  ms_generate_options o = {.family = MS_FAMILY_REGULAR, .given = n_d, .vertices = 6, .degree = 1};
  o.run.threads = 1;
  check_uniform(o, 15, "perfect matchings");
  o.degree = 4; /* their complements */
  check_uniform(o, 15, "octahedra");
  o = (ms_generate_options){.family = MS_FAMILY_ER, .given = n_m, .vertices = 5, .edges = 3};
  o.run.threads = 1;
  check_uniform(o, 120, "three of ten edges");
  o.edges = 8;
  check_uniform(o, 45, "eight of ten edges");
  o = (ms_generate_options){
      .family = MS_FAMILY_ER, .given = n_p, .vertices = 4, .probability = 0.5};
  o.run.threads = 1;
  check_uniform(o, 64, "edges with probability one half");
}
END_TEST

/* ---- er ---------------------------------------------------------------------- */

/* A random graph has exactly the edges asked for, from none to all pairs: ten sizes. */
START_TEST(er_by_edges)
{
  static const uint64_t sizes[][2] = {{1, 0},         {2, 1},        {10, 0},   {10, 22},
                                      {10, 23},       {10, 45},      {1000, 1}, {1000, 50000},
                                      {1000, 490000}, {70000, 70000}};
  for (size_t i = 0; i < COUNT(sizes); i++) {
    ms_graph *graph = make((ms_generate_options){.family = MS_FAMILY_ER,
                                                 .given = MS_GEN_VERTICES | MS_GEN_EDGES,
                                                 .vertices = sizes[i][0],
                                                 .edges = sizes[i][1],
                                                 .run.seed = i});
    ck_assert_uint_eq(graph->n, sizes[i][0]);
    ck_assert_uint_eq(graph->arcs, 2 * sizes[i][1]);
    ms_graph_free(graph);
  }
}
END_TEST

/* The number of edges and the degrees are binomial: six probabilities on 3,000 vertices. */
START_TEST(er_by_probability)
{
  static const double probabilities[] = {0, 1e-9, 0.001, 0.1, 0.9, 1};
  for (size_t i = 0; i < COUNT(probabilities); i++) {
    double p = probabilities[i], n = 3000, pairs = n * (n - 1) / 2, chi = 0;
    ms_graph *graph = make((ms_generate_options){.family = MS_FAMILY_ER,
                                                 .given = MS_GEN_VERTICES | MS_GEN_PROBABILITY,
                                                 .vertices = 3000,
                                                 .probability = p,
                                                 .run.seed = 5 + i});
    near((double)graph->arcs / 2, pairs * p, 6 * sqrt(pairs * p * (1 - p)) + (p == 1e-9), "edges");
    for (uint32_t v = 0; v < 3000 && p >= 0.001 && p < 1; v++)
      chi += pow(degree(graph, v) - (n - 1) * p, 2) / ((n - 1) * p * (1 - p));
    if (chi > 0)
      near(chi, n, 8 * sqrt(2 * n), "degrees by chi-square");
    ms_graph_free(graph);
  }
}
END_TEST

/* ---- power law ----------------------------------------------------------------- */

/* Vertices of degree at most d against n F(d): half a vertex of rounding, and
 * those that were shifted so that the sum comes out. */
static void check_quantiles(const ms_graph *graph, uint32_t low, uint32_t high, double exponent)
{
  double all = 0, sum = 0;
  uint32_t at_most = 0;
  uint32_t *count = ms_calloc((size_t)high + 2, sizeof *count);
  for (uint32_t v = 0; v < graph->n; v++) {
    if (degree(graph, v) < low || degree(graph, v) > high)
      ck_abort_msg("degree %u is not in %u..%u", degree(graph, v), low, high);
    count[degree(graph, v)]++;
  }
  for (uint32_t d = low; d <= high; d++)
    all += pow(d, exponent);
  for (uint32_t d = low; d <= high; d++) {
    sum += pow(d, exponent);
    at_most += count[d];
    near(at_most, graph->n * sum / all, 0.5 + 1e-6 * graph->n + (high - low + 1) / 2.0,
         "vertices up to a degree");
  }
  ms_free(count);
}

/* Degrees follow the quantiles of the power law between the two given ends: six distributions. */
START_TEST(power_law_between_two_degrees)
{
  static const struct {
    uint32_t n, low, high;
    double exponent;
  } cases[] = {{100000, 1, 50, -1.0}, {100000, 2, 300, -0.5}, {50000, 1, 1000, -2.5},
               {20000, 5, 5, -1},     {20000, 3, 20, 0},      {1000, 1, 200, -1.5}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    ms_graph *graph = make((ms_generate_options){.family = MS_FAMILY_POWER_LAW,
                                                 .given = MS_GEN_VERTICES | MS_GEN_EXPONENT |
                                                          MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE,
                                                 .vertices = cases[i].n,
                                                 .exponent = cases[i].exponent,
                                                 .min_degree = cases[i].low,
                                                 .max_degree = cases[i].high,
                                                 .run.seed = i});
    ck_assert_uint_eq(graph->n, cases[i].n);
    check_quantiles(graph, cases[i].low, cases[i].high, cases[i].exponent);
    ms_graph_free(graph);
  }
}
END_TEST

/* The number of edges is exact, one end of the degrees is as given, and the
 * inner degrees have frequencies d^X beside each other. */
static void check_sized(ms_generate_options o, uint64_t edges, bool high_is_given)
{
  ms_graph *graph = make(o);
  uint32_t count[4096] = {0}, least = UINT32_MAX, most = 0;
  ck_assert_uint_eq(graph->arcs, 2 * edges);
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t d = degree(graph, v);
    ck_assert_uint_lt(d, COUNT(count));
    count[d]++;
    least = d < least ? d : least;
    most = d > most ? d : most;
  }
  ck_assert_uint_eq(high_is_given ? most : least, high_is_given ? o.max_degree : o.min_degree);
  for (uint32_t d = least + 2; d + 1 < most && count[least + 1] > 0; d++) {
    double expected = count[least + 1] * pow((double)d / (least + 1), o.exponent);
    near(count[d], expected, 2 + 0.01 * expected + (d > most * 3 / 4 ? 0.2 * expected + 20 : 0),
         "vertices of an inner degree");
  }
  ms_graph_free(graph);
}

/* The number of edges is exact, one end of the degrees is as given, and neighbouring degrees have
 * the frequencies of the exponent: three graphs of 65,536 vertices. */
START_TEST(power_law_of_a_size)
{
  const unsigned base = MS_GEN_VERTICES | MS_GEN_EXPONENT;
  ms_generate_options o = {.family = MS_FAMILY_POWER_LAW,
                           .given = base | MS_GEN_EDGES | MS_GEN_MIN_DEGREE,
                           .vertices = 1 << 16,
                           .exponent = -1,
                           .edges = 650000,
                           .min_degree = 1,
                           .run.seed = 3};
  check_sized(o, 650000, false);
  o.exponent = -0.5;
  o.min_degree = 4;
  check_sized(o, 650000, false);
  o.given = base | MS_GEN_DEGREE | MS_GEN_MAX_DEGREE;
  o.degree = 30;
  o.max_degree = 60;
  check_sized(o, (UINT64_C(30) << 16) / 2, true);
}
END_TEST

/* ---- hubs ----------------------------------------------------------------------- */

/* Returns (b^w - 1) / (b - 1). */
static double classes_sum(double b, double w)
{
  return (pow(b, w) - 1) / (b - 1);
}

/* The classes, by closed formulas: stubs[j] of each of size[j] vertices, not rounded. */
static void expect_classes(const ms_generate_options *o, double *size, double *stubs)
{
  double low = 1 + 1e-9, high = 10, all = 0, w = (double)o->classes, before = 0;
  for (int i = 0; i < 100; i++) {
    double b = (low + high) / 2;
    *(classes_sum(b, w) < (double)o->vertices ? &low : &high) = b;
  }
  for (uint32_t j = 0; j < o->classes; j++) {
    double upto = round(classes_sum(low, j + 1.0));
    size[j] = upto - before;
    before = upto;
    all += pow(size[j], o->exponent + 1);
  }
  ck_assert(before == (double)o->vertices);
  for (uint32_t j = 0; j < o->classes; j++)
    stubs[j] = o->degree * (double)o->vertices / all * pow(size[j], o->exponent);
}

/* Returns the number of neighbours that a vertex with `own` stubs is expected to have, if pairs
 * that are drawn repeatedly count once. */
static double expect_degree(const ms_generate_options *o, const double *size, const double *stubs,
                            double own)
{
  double sum = 0, all = o->degree * (double)o->vertices;
  for (uint32_t j = 0; j < o->classes; j++)
    sum += size[j] * (1 - exp(-own * stubs[j] / all));
  return sum;
}

/* The highest degree and the number of edges are as probabilities say for a random pairing whose
 * repeats count once: four choices of exponent, degree and classes.  Exponent -1 has the graph with
 * hubs of the SEA 2018 paper, on fewer vertices. */
START_TEST(hubs_have_their_classes)
{
  static const struct {
    uint64_t vertices, classes;
    double degree, exponent;
  } cases[] = {
      {1 << 15, 100, 20, -1}, {1 << 15, 100, 20, -0.5}, {20000, 12, 6, -0.8}, {3000, 40, 9, 0}};
  for (size_t i = 0; i < COUNT(cases); i++) {
    double size[100], stubs[100], edges = 0;
    const ms_generate_options o = {.family = MS_FAMILY_HUBS,
                                   .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT |
                                            MS_GEN_CLASSES,
                                   .vertices = cases[i].vertices,
                                   .degree = cases[i].degree,
                                   .exponent = cases[i].exponent,
                                   .classes = cases[i].classes,
                                   .run.seed = i + 1};
    ms_graph *graph = make(o);
    expect_classes(&o, size, stubs);
    for (uint32_t j = 0; j < o.classes; j++)
      edges += size[j] * expect_degree(&o, size, stubs, stubs[j]) / 2;
    ck_assert_uint_eq(graph->n, o.vertices);
    ck_assert_uint_eq(graph->info.duplicates, 0);
    near((double)graph->arcs / 2, edges, 0.02 * edges, "edges");
    double most = expect_degree(&o, size, stubs, stubs[0]);
    if (o.exponent < 0)
      near(graph->info.max_degree, most, 5 * sqrt(most) + 0.03 * most, "highest degree");
    ms_graph_free(graph);
  }
}
END_TEST

/* Without a number of classes there are 100; with as many classes as vertices each has one vertex,
 * so that all have equally many stubs. */
START_TEST(hubs_without_hubs)
{
  ms_generate_options o = {.family = MS_FAMILY_HUBS,
                           .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT,
                           .vertices = 2000,
                           .degree = 6,
                           .exponent = -1,
                           .run.seed = 4};
  ms_graph *graph = make(o);
  o.given |= MS_GEN_CLASSES;
  o.classes = 100;
  ms_graph *same = make(o);
  ck_assert(same_rows(graph, same));
  ms_graph_free(same);
  ck_assert_uint_gt(graph->info.max_degree, 50);
  ms_graph_free(graph);
  o.classes = 2000;
  graph = make(o);
  ck_assert_uint_eq(graph->info.max_degree, 6);
  ck_assert_uint_gt(graph->arcs, 11800);
  ms_graph_free(graph);
}
END_TEST

/* ---- rmat ------------------------------------------------------------------------ */

/* Edges fall into the first and last quadrant as often as their probabilities say, even or uneven,
 * and a graph of nearly all edges is completed. */
START_TEST(rmat_has_its_quadrants)
{
  enum { EDGES = 20000 };
  ms_generate_options o = {.family = MS_FAMILY_RMAT,
                           .given = MS_GEN_SCALE | MS_GEN_EDGES,
                           .scale = 18,
                           .edges = EDGES,
                           .run.seed = 9};
  for (int even = 0; even < 2; even++) {
    double low = 0, high = 0;
    if (even) {
      o.given |= MS_GEN_QUADRANTS;
      for (int q = 0; q < 4; q++)
        o.quadrants[q] = 0.25;
    }
    ms_graph *graph = make(o);
    ck_assert_uint_eq(graph->n, 1u << 18);
    ck_assert_uint_eq(graph->arcs, 2 * EDGES);
    for (uint32_t u = 0; u < graph->n; u++)
      for (uint64_t a = graph->offset[u]; a < graph->offset[u + 1]; a++) {
        low += u < 1u << 17 && graph->neighbor[a] < 1u << 17;
        high += u >= 1u << 17 && graph->neighbor[a] >= 1u << 17;
      }
    /* repeats are drawn again, which takes a little from the likely places */
    double a = even ? 0.25 : 0.57, d = even ? 0.25 : 0.05;
    near(low / 2, EDGES * a, 6 * sqrt(EDGES * a) + 0.01 * EDGES, "edges in the first quadrant");
    near(high / 2, EDGES * d, 6 * sqrt(EDGES * d) + 0.01 * EDGES, "edges in the last quadrant");
    ck_assert_msg(even ? graph->info.max_degree < 12 : graph->info.max_degree > 60,
                  "highest degree %u", graph->info.max_degree);
    ms_graph_free(graph);
  }
  /* nearly all edges: many draws are repeats */
  o = (ms_generate_options){.family = MS_FAMILY_RMAT,
                            .given = MS_GEN_SCALE | MS_GEN_DEGREE,
                            .scale = 5,
                            .degree = 20,
                            .run.seed = 2};
  ms_graph *graph = make(o);
  ck_assert_uint_eq(graph->arcs, 32 * 20);
  ms_graph_free(graph);
}
END_TEST

/* ---- grid and clique --------------------------------------------------------------- */

/* A grid has exactly its sides, no sides and one diagonal in each square, or random shares of both
 * that are binomial. */
START_TEST(grids)
{
  const double rows = 200, cols = 300, sides = 2 * rows * cols - rows - cols,
               squares = (rows - 1) * (cols - 1);
  ms_generate_options o = {.family = MS_FAMILY_GRID,
                           .given = MS_GEN_ROWS | MS_GEN_COLS | MS_GEN_REMOVED | MS_GEN_DIAGONALS,
                           .rows = 200,
                           .cols = 300,
                           .removed = 0,
                           .diagonals = 0};
  ms_graph *graph = make(o);
  ck_assert_uint_eq(graph->n, 60000);
  ck_assert_uint_eq(graph->arcs / 2, (uint64_t)sides);
  ck_assert(adjacent(graph, 0, 1) && adjacent(graph, 0, 300) && adjacent(graph, 59999, 59699));
  ck_assert(!adjacent(graph, 299, 300));
  ms_graph_free(graph);
  o.removed = 1;
  o.diagonals = 1;
  graph = make(o);
  ck_assert_uint_eq(graph->arcs / 2, (uint64_t)squares);
  double falling = 0;
  for (uint32_t v = 0; v < 60000 - 301; v++) {
    falling += adjacent(graph, v, v + 301);
    if (v % 300 != 299 && adjacent(graph, v, v + 301) == adjacent(graph, v + 1, v + 300))
      ck_abort_msg("square %u has not one diagonal", v);
  }
  near(falling, squares / 2, 6 * sqrt(squares / 4), "falling diagonals");
  ms_graph_free(graph);
  o.given = MS_GEN_ROWS | MS_GEN_COLS; /* 0.3 and 0.05 */
  graph = make(o);
  near((double)graph->arcs / 2, sides * 0.7 + squares * 0.05,
       6 * sqrt(sides * 0.21 + squares * 0.0475), "edges of a grid");
  ms_graph_free(graph);
  o.rows = 1;
  o.cols = 1;
  graph = make(o);
  ck_assert_uint_eq(graph->n, 1);
  ms_graph_free(graph);
}
END_TEST

/* A clique of n vertices has n (n - 1) arcs: 15 sizes up to 99. */
START_TEST(cliques)
{
  for (uint32_t n = 1; n < 100; n += 7) {
    ms_graph *graph = make(
        (ms_generate_options){.family = MS_FAMILY_CLIQUE, .given = MS_GEN_VERTICES, .vertices = n});
    ck_assert_uint_eq(graph->arcs, (uint64_t)n * (n - 1));
    ms_graph_free(graph);
  }
}
END_TEST

/* ---- seeds and threads --------------------------------------------------------------- */

static const ms_generate_options samples[] = {
    {.family = MS_FAMILY_REGULAR,
     .given = MS_GEN_VERTICES | MS_GEN_DEGREE,
     .vertices = 20000,
     .degree = 16},
    {.family = MS_FAMILY_REGULAR,
     .given = MS_GEN_VERTICES | MS_GEN_DEGREE,
     .vertices = 300,
     .degree = 200},
    {.family = MS_FAMILY_POWER_LAW,
     .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE,
     .vertices = 20000,
     .exponent = -1,
     .max_degree = 500},
    {.family = MS_FAMILY_ER,
     .given = MS_GEN_VERTICES | MS_GEN_EDGES,
     .vertices = 5000,
     .edges = 100000},
    {.family = MS_FAMILY_ER,
     .given = MS_GEN_VERTICES | MS_GEN_PROBABILITY,
     .vertices = 5000,
     .probability = 0.02},
    {.family = MS_FAMILY_RMAT, .given = MS_GEN_SCALE | MS_GEN_EDGES, .scale = 13, .edges = 100000},
    {.family = MS_FAMILY_GRID, .given = MS_GEN_ROWS | MS_GEN_COLS, .rows = 100, .cols = 130},
    {.family = MS_FAMILY_HUBS,
     .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT,
     .vertices = 9000,
     .degree = 12,
     .exponent = -1},
};

/* A graph is the same by 1, 2 and 7 threads, and another one for each of three other seeds: eight
 * graphs. */
START_TEST(threads_make_no_difference)
{
  ms_generate_options o = samples[_i];
  o.run.seed = 11;
  o.run.threads = 1;
  ms_graph *one = make(o);
  static const int threads[] = {2, 7};
  for (size_t t = 0; t < COUNT(threads); t++) {
    o.run.threads = threads[t];
    ms_graph *other = make(o);
    ck_assert_msg(same_rows(one, other), "%d threads", threads[t]);
    ms_graph_free(other);
  }
  for (uint64_t seed = 12; seed < 15; seed++) {
    o.run.seed = seed;
    ms_graph *other = make(o);
    ck_assert_msg(!same_rows(one, other), "seed %u", (unsigned)seed);
    ms_graph_free(other);
  }
  ms_graph_free(one);
}
END_TEST

/* Names are a prefix and a number from the one asked for, and a prefix with a tab is refused. */
START_TEST(vertices_have_names)
{
  ms_generate_options o = samples[3];
  ms_graph *graph = make(o);
  ck_assert_str_eq(ms_graph_name(graph, 0), "0");
  ck_assert_str_eq(ms_graph_name(graph, 4999), "4999");
  ms_graph_free(graph);
  o.prefix = "gene ";
  o.first_number = 1;
  graph = make(o);
  ck_assert_str_eq(ms_graph_name(graph, 0), "gene 1");
  ck_assert_uint_eq(ms_graph_find(graph, "gene 5000"), 4999);
  ms_graph_free(graph);
  o.prefix = "tab\t";
  ck_assert_int_eq(ms_generate_graph(&o, &graph, &err), MS_ERR_USAGE);
  ck_assert_ptr_nonnull(strstr(err.message, "prefix"));
}
END_TEST

/* ---- refusals ---------------------------------------------------------------------------- */

static const struct {
  ms_generate_options o;
  const char *part; /* of the message */
} refused[] = {
    {{.family = (ms_family)MS_FAMILIES}, "family"},
    {{.family = MS_FAMILY_REGULAR, .given = MS_GEN_VERTICES, .vertices = 5}, "`degree`"},
    {{.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 0, .degree = 0}, "0 vertices"},
    {{.family = MS_FAMILY_REGULAR, .given = 3, .vertices = UINT32_MAX, .degree = 0}, "vertices"},
    {{.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 5, .degree = 5}, "5-regular"},
    {{.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 5, .degree = 3}, "3-regular"},
    {{.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 5, .degree = 2.5}, "whole number"},
    {{.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 5, .degree = -2}, "whole number"},
    {{.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 5, .degree = (double)NAN},
     "whole number"},
    {{.family = MS_FAMILY_REGULAR, .given = 3 | MS_GEN_ROWS, .vertices = 5, .degree = 2}, "`rows`"},
    {{.family = MS_FAMILY_ER, .given = MS_GEN_VERTICES, .vertices = 5}, "`probability`"},
    {{.family = MS_FAMILY_ER, .given = 5, .vertices = 5, .edges = 11}, "at most 10"},
    {{.family = MS_FAMILY_ER, .given = 3, .vertices = 5, .degree = 5}, "mean degree"},
    {{.family = MS_FAMILY_ER, .given = 7, .vertices = 5, .degree = 2, .edges = 5}, "mean the same"},
    {{.family = MS_FAMILY_ER, .given = 9, .vertices = 5, .probability = 1.01}, "from 0 to 1"},
    {{.family = MS_FAMILY_ER, .given = 9, .vertices = 5, .probability = (double)NAN},
     "from 0 to 1"},
    {{.family = MS_FAMILY_ER, .given = 13, .vertices = 5, .edges = 2, .probability = 0.5},
     "does not go with"},
    {{.family = MS_FAMILY_RMAT, .given = MS_GEN_SCALE, .scale = 5}, "`edges`"},
    {{.family = MS_FAMILY_RMAT, .given = MS_GEN_SCALE | MS_GEN_EDGES, .scale = 32, .edges = 5},
     "scale"},
    {{.family = MS_FAMILY_RMAT, .given = MS_GEN_SCALE | MS_GEN_EDGES, .scale = 3, .edges = 29},
     "at most 28"},
    {{.family = MS_FAMILY_RMAT,
      .given = MS_GEN_SCALE | MS_GEN_EDGES | MS_GEN_QUADRANTS,
      .scale = 3,
      .edges = 5,
      .quadrants = {1, 0, 0, 0}},
     "distinct edges"},
    {{.family = MS_FAMILY_RMAT,
      .given = MS_GEN_SCALE | MS_GEN_EDGES | MS_GEN_QUADRANTS,
      .scale = 3,
      .edges = 5,
      .quadrants = {0.5, 0.5, 0.5, -0.5}},
     "add up to 1"},
    {{.family = MS_FAMILY_GRID, .given = MS_GEN_ROWS | MS_GEN_COLS, .rows = 0, .cols = 5}, "grid"},
    {{.family = MS_FAMILY_GRID,
      .given = MS_GEN_ROWS | MS_GEN_COLS,
      .rows = 1 << 16,
      .cols = 1 << 16},
     "grid"},
    {{.family = MS_FAMILY_GRID,
      .given = MS_GEN_ROWS | MS_GEN_COLS | MS_GEN_REMOVED,
      .rows = 5,
      .cols = 5,
      .removed = -0.1},
     "from 0 to 1"},
    {{.family = MS_FAMILY_POWER_LAW, .given = MS_GEN_VERTICES | MS_GEN_EXPONENT, .vertices = 9},
     "`max_degree`"},
    {{.family = MS_FAMILY_POWER_LAW,
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_EDGES,
      .vertices = 100,
      .edges = 200,
      .exponent = 2.5},
     "out of range"},
    {{.family = MS_FAMILY_POWER_LAW,
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE,
      .vertices = 100,
      .exponent = -1,
      .max_degree = 100},
     "lie between 1 and 99"},
    {{.family = MS_FAMILY_POWER_LAW,
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE | MS_GEN_EDGES,
      .vertices = 100,
      .exponent = -1,
      .max_degree = 50,
      .edges = 200},
     "no choice of the other bound"},
    {{.family = MS_FAMILY_POWER_LAW,
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE | MS_GEN_EDGES,
      .vertices = 100,
      .exponent = -1,
      .max_degree = 5,
      .edges = 300},
     "above the highest"},
    {{.family = MS_FAMILY_POWER_LAW,
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_EDGES,
      .vertices = 100,
      .exponent = -1,
      .edges = 20},
     "below the least"},
    {{.family = MS_FAMILY_POWER_LAW,
      .given =
          MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_EDGES | MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE,
      .vertices = 100,
      .exponent = -1,
      .edges = 200,
      .min_degree = 1,
      .max_degree = 20},
     "both bounds"},
    {{.family = MS_FAMILY_POWER_LAW,
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MIN_DEGREE | MS_GEN_MAX_DEGREE,
      .vertices = 5,
      .exponent = -1,
      .min_degree = 3,
      .max_degree = 3},
     "cannot add up"},
    {{.family = MS_FAMILY_POWER_LAW, /* the 33 highest degrees sum up to 7222, but 7216 fit */
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE,
      .vertices = 1000,
      .exponent = -1.5,
      .max_degree = 400},
     "Gallai"},
    {{.family = MS_FAMILY_POWER_LAW, /* 1, 2, 3, 4, 5, 5, 6, 7, 8, 9: a single graph */
      .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_MAX_DEGREE,
      .vertices = 10,
      .exponent = 0,
      .max_degree = 9},
     "random pairings"},
    {{.family = MS_FAMILY_HUBS,
      .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT,
      .vertices = 200,
      .degree = 5,
      .exponent = 0.5},
     "out of range"},
    {{.family = MS_FAMILY_HUBS,
      .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT,
      .vertices = 99, /* fewer than the 100 classes */
      .degree = 5,
      .exponent = -1},
     "100 classes"},
    {{.family = MS_FAMILY_HUBS,
      .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT | MS_GEN_CLASSES,
      .vertices = 99,
      .degree = 5,
      .exponent = -1,
      .classes = 1},
     "1 classes"},
    {{.family = MS_FAMILY_HUBS,
      .given = MS_GEN_VERTICES | MS_GEN_DEGREE | MS_GEN_EXPONENT,
      .vertices = 200,
      .degree = 200,
      .exponent = -1},
     "mean degree"},
};

/* Each of 39 sets of impossible parameters is refused for its reason, and two graphs beyond the
 * memory bound are. */
START_TEST(bad_parameters_are_refused)
{
  for (size_t i = 0; i < COUNT(refused); i++) {
    ms_graph *graph;
    ck_assert_msg(ms_generate_graph(&refused[i].o, &graph, &err) == MS_ERR_USAGE, "case %zu", i);
    ck_assert_ptr_null(graph);
    ck_assert_msg(strstr(err.message, refused[i].part), "case %zu: %s", i, err.message);
  }
  ms_generate_options o = samples[3];
  ms_graph *graph;
  o.run.memory = 1000000;
  ck_assert_int_eq(ms_generate_graph(&o, &graph, &err), MS_ERR_MEMORY);
  ck_assert_ptr_nonnull(strstr(err.message, "`memory`"));
  o = (ms_generate_options){
      .family = MS_FAMILY_CLIQUE, .given = MS_GEN_VERTICES, .vertices = 1 << 30};
  ck_assert_int_eq(ms_generate_graph(&o, &graph, &err), MS_ERR_MEMORY);
}
END_TEST

/* The least bound that is accepted, within 2 %, is kept: also by many threads, each of which has
 * counts of its own when rows are built. */
START_TEST(memory_is_bounded)
{
  for (int i = 0; i < 2; i++) {
    ms_generate_options o = {.family = MS_FAMILY_ER,
                             .given = MS_GEN_VERTICES | MS_GEN_EDGES,
                             .vertices = 50000,
                             .edges = 750000,
                             .run.threads = i == 0 ? 2 : 40,
                             .run.memory = 1000000};
    ms_graph *graph;
    meter m = {0};
    meter_start(&m);
    while (ms_generate_graph(&o, &graph, &err) == MS_ERR_MEMORY)
      o.run.memory += o.run.memory / 50;
    ck_assert_uint_eq(ms_graph_describe(graph).edges, o.edges);
    ck_assert_uint_le(m.most_bytes, o.run.memory);
    ms_graph_free(graph);
    meter_stop();
  }
}
END_TEST

/* ---- colours ----------------------------------------------------------------------------- */

/* Seven colours are equally frequent by chi-square, the same for the same seed, and others for
 * another seed: 21,000 vertices. */
START_TEST(uniform_colors)
{
  enum { COLORS = 7, N = 21000 };
  ms_graph *graph;
  ms_coloring *colors, *again, *other;
  double seen[COLORS] = {0}, chi = 0;
  ck_ok(ms_generate_regular(N, 2, 1, &graph, &err));
  ck_ok(ms_generate_colors(graph, COLORS, 5, &colors, &err));
  ck_ok(ms_generate_colors(graph, COLORS, 5, &again, &err));
  ck_ok(ms_generate_colors(graph, COLORS, 6, &other, &err));
  ck_assert_str_eq(ms_coloring_name(colors, 6), "c6");
  for (uint32_t v = 0; v < N; v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(colors, v, &count);
    if (count != 1)
      ck_abort_msg("%u colours", count);
    seen[*color]++;
  }
  for (uint32_t c = 0; c < COLORS; c++)
    chi += pow(seen[c] - N / COLORS, 2) / (N / COLORS);
  near(chi, COLORS - 1, 6 * sqrt(2.0 * COLORS), "frequencies of colours");
  ck_assert_mem_eq(colors->color, again->color, N * sizeof *colors->color);
  ck_assert_mem_ne(colors->color, other->color, N * sizeof *colors->color);
  ms_coloring_free(other);
  ck_assert_int_eq(ms_generate_colors(graph, 0, 1, &other, &err), MS_ERR_USAGE);
  ms_coloring_free(colors);
  ms_coloring_free(again);
  ms_graph_free(graph);
}
END_TEST

/* The set is connected: grow it from its first vertex. */
static bool is_connected(const ms_graph *graph, const uint32_t *set, uint32_t k)
{
  uint32_t reached = 1, before = 0;
  while (reached != before) {
    before = reached;
    for (uint32_t i = 0; i < k; i++)
      for (uint32_t j = 0; j < k; j++)
        if (reached >> i & 1 && adjacent(graph, set[i], set[j]))
          reached |= 1u << j;
  }
  return reached == (1u << k) - 1;
}

/* ms_planting, with the motif as a text. */
typedef struct plant_request {
  const char *motif;
  uint32_t slots, plants, background;
  uint64_t seed;
} plant_request;

static ms_status plant(const ms_graph *graph, const plant_request *r, ms_coloring **coloring,
                       ms_planted *planted, ms_error *e)
{
  ms_planting o = {
      .slots = r->slots, .plants = r->plants, .background = r->background, .seed = r->seed};
  ms_names *colors = NULL;
  uint32_t slot[MS_MAX_K];
  *coloring = NULL;
  *planted = (ms_planted){0};
  ms_status status = r->motif ? ms_motif_slots(r->motif, &colors, slot, &o.slots, e) : MS_OK;
  o.colors = colors;
  o.slot = slot;
  if (status == MS_OK)
    status = ms_plant_colors(graph, &o, coloring, planted, e);
  ms_names_free(colors);
  return status;
}

typedef struct plant_case {
  plant_request o;
  const char *motif;   /* as it should come out */
  uint32_t k, matches; /* 0: at least one */
} plant_case;

static const plant_case plant_cases[] = {
    {{.motif = "red:2,blue,\"a,b\""}, "red:2,blue,\"a,b\"", 4, 1},
    {{.motif = "GO:0006364, kinase : 3"}, "GO:0006364,kinase:3", 4, 1},
    {{.motif = "x"}, "x", 1, 1},
    {{.motif = "x,y,z,*:2", .background = 3}, "x,y,z,*:2", 5, 0},
    {{.motif = "*:3", .background = 2}, "*:3", 3, 0},
    {{.slots = 6, .plants = 5}, "c0,c1,c2,c3,c4,c5", 6, 0},
    {{.slots = 12}, "c0,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11", 12, 1},
    {{.motif = "red:3,blue:2", .background = UINT32_MAX}, "red:3,blue:2", 5, 0}, /* its own */
};

/* Each planted set must be among the matches of the listing, and those of the
 * first ones are the only holders of the motif's colours. */
static void check_plants(const plant_case *p, const ms_graph *graph, uint64_t seed)
{
  plant_request o = p->o;
  ms_coloring *coloring;
  ms_planted planted;
  ms_motif *motif;
  ms_query *query;
  ms_list_result *list;
  ms_list_options how = {.size = sizeof(ms_list_options),
                         .exact = true,
                         .screen = {.size = sizeof(ms_screen_options), .run.threads = 1}};
  o.seed = seed;
  o.background = o.background == UINT32_MAX ? 0 : o.background ? o.background : 1;
  ck_ok(plant(graph, &o, &coloring, &planted, &err));
  ck_assert_uint_eq(planted.k, p->k);
  ck_assert_uint_eq(planted.plants, o.plants ? o.plants : 1);
  ck_ok(ms_motif_parse(p->motif, coloring, &motif, &err));
  ck_ok(ms_query_new(graph, coloring, motif, 0, NULL, &query, &err));
  ck_ok(ms_list(query, &how, &list, &err));
  if (p->matches)
    ck_assert_uint_eq(list->matches, p->matches);
  for (uint32_t i = 0; i < planted.plants; i++) {
    const uint32_t *set = planted.vertices + (size_t)i * p->k;
    bool found = false;
    ck_assert(is_connected(graph, set, p->k));
    for (uint32_t j = 0; j < i * p->k; j++)
      for (uint32_t s = 0; s < p->k; s++)
        ck_assert_uint_ne(planted.vertices[j], set[s]);
    for (uint64_t m = 0; m < list->matches && !found; m++)
      found = memcmp(list->vertices + m * p->k, set, p->k * sizeof *set) == 0;
    ck_assert_msg(found, "%s: plant %u is not listed", p->motif, i);
  }
  ms_screen_result *screen;
  ck_ok(ms_screen(query, &how.screen, &screen, &err));
  if (p->matches == 1)
    ck_assert_uint_eq(screen->flagged, p->k);
  ms_screen_result_free(screen);
  ms_list_result_free(list);
  ms_query_free(query);
  ms_motif_free(motif);
  ms_coloring_free(coloring);
  ms_free(planted.vertices);
}

/* Every planted set is connected and among the matches of a listing: eight motifs on five random
 * graphs. */
START_TEST(plants_are_found)
{
  for (uint64_t seed = 1; seed <= 5; seed++) {
    ms_graph *graph = make((ms_generate_options){.family = MS_FAMILY_ER,
                                                 .given = MS_GEN_VERTICES | MS_GEN_EDGES,
                                                 .vertices = 60,
                                                 .edges = 90,
                                                 .run.seed = seed});
    for (size_t i = 0; i < COUNT(plant_cases); i++)
      check_plants(&plant_cases[i], graph, seed);
    ms_graph_free(graph);
  }
}
END_TEST

/* Impossible plants are refused for their reasons, and those that just fit are made: 15 cases on 25
 * paths. */
START_TEST(bad_plants_are_refused)
{
  static const struct {
    plant_request o;
    const char *part;
  } cases[] = {
      {{.motif = ""}, "empty"},
      {{.motif = "a,,b", .background = 1}, "empty item"},
      {{.motif = "a:", .background = 1}, "not a count"},
      {{.motif = "a:99", .background = 1}, "not a count"},
      {{.motif = "\"a", .background = 1}, "not closed"},
      {{.motif = "a\x01", .background = 1}, "control"},
      {{.motif = "a:20,b:20", .background = 1}, "more than 32"},
      {{.motif = "background-0", .background = 1}, "rename"},
      {{.motif = "*"}, "background"},
      {{.slots = 0}, "0 slots"},
      {{.slots = 33}, "33 slots"},
      {{.slots = 3, .plants = 40}, "need more vertices"},
      {{.slots = 5}, "connected set of 5"},
      {{.slots = 4, .plants = 25, .background = 1}, NULL}, /* all of it */
      {{.motif = "a:4", .plants = 2}, NULL},
  };
  /* 25 paths of 4 vertices */
  uint32_t edges[75][2];
  ms_graph *graph;
  for (uint32_t e = 0; e < 75; e++) {
    edges[e][0] = e / 3 * 4 + e % 3;
    edges[e][1] = edges[e][0] + 1;
  }
  ck_ok(ms_graph_from_edges(100, 75, (const uint32_t(*)[2])edges, NULL, &graph, &err));
  for (size_t i = 0; i < COUNT(cases); i++) {
    ms_coloring *coloring;
    ms_planted planted;
    ms_status status = plant(graph, &cases[i].o, &coloring, &planted, &err);
    ck_assert_msg(status == (cases[i].part ? MS_ERR_USAGE : MS_OK), "case %zu: %d %s", i, status,
                  err.message);
    ck_assert_msg(!cases[i].part || strstr(err.message, cases[i].part), "case %zu: %s", i,
                  err.message);
    ms_coloring_free(coloring);
    ms_free(planted.vertices);
  }
  ms_graph_free(graph);
}
END_TEST

/* ---- allocation failures -------------------------------------------------------------------- */

static ms_status make_and_plant(void *user, ms_error *e)
{
  const ms_generate_options *o = user;
  const plant_request request = {.motif = "red:2,\"blue\"", .background = 2};
  ms_graph *graph;
  ms_coloring *coloring = NULL, *uniform = NULL;
  ms_planted planted = {0};
  ms_status status = ms_generate_graph(o, &graph, e);
  if (status == MS_OK)
    status = ms_generate_colors(graph, 3, 1, &uniform, e);
  if (status == MS_OK)
    status = plant(graph, &request, &coloring, &planted, e);
  ms_free(planted.vertices);
  ms_coloring_free(coloring);
  ms_coloring_free(uniform);
  ms_graph_free(graph);
  return status;
}

/* Whichever allocation fails while a graph and its plants are generated, the call reports it and
 * leaks no block: seven families. */
START_TEST(every_allocation_may_fail)
{
  static const ms_generate_options small[] = {
      {.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 40, .degree = 6},
      {.family = MS_FAMILY_REGULAR, .given = 3, .vertices = 40, .degree = 30},
      {.family = MS_FAMILY_POWER_LAW,
       .given = MS_GEN_VERTICES | MS_GEN_EXPONENT | MS_GEN_EDGES,
       .vertices = 40,
       .edges = 60,
       .exponent = -1},
      {.family = MS_FAMILY_ER, .given = 5, .vertices = 40, .edges = 60},
      {.family = MS_FAMILY_ER, .given = 5, .vertices = 40, .edges = 700},
      {.family = MS_FAMILY_ER, .given = 9, .vertices = 40, .probability = 0.2},
      {.family = MS_FAMILY_GRID, .given = MS_GEN_ROWS | MS_GEN_COLS, .rows = 10, .cols = 10}};
  for (size_t i = 0; i < COUNT(small); i++)
    ck_assert_int_gt(failing_runs(make_and_plant, (void *)(uintptr_t)&small[i]), 40);
}
END_TEST

TEST_MAIN("generate", TEST(keys_are_sorted), TEST(shuffles_are_permutations),
          TEST(small_shuffles_are_uniform), TEST(regular_is_regular),
          TEST(small_graphs_are_uniform), TEST(er_by_edges), TEST(er_by_probability),
          TEST(power_law_between_two_degrees), TEST(power_law_of_a_size),
          TEST(hubs_have_their_classes), TEST(hubs_without_hubs), TEST(rmat_has_its_quadrants),
          TEST(grids), TEST(cliques), TEST_TIMES(threads_make_no_difference, COUNT(samples)),
          TEST(vertices_have_names), TEST(bad_parameters_are_refused), TEST(memory_is_bounded),
          TEST(uniform_colors), TEST(plants_are_found), TEST(bad_plants_are_refused),
          TEST(every_allocation_may_fail))
