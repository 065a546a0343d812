/* Statistics of graphs, colours and motifs against naive counts: adjacency matrices, sorting,
 * flooding. */
#include "graph/generate/generate.h"
#include "run/stats.h"
#include "tests/support/allocations.h"
#include "tests/support/random.h"
#include "tests/support/search/oracle.h"
#include "tests/support/test_main.h"

#include <stdlib.h>
#include <string.h>

static ms_error err;

typedef struct naive {
  uint32_t degree[64]; /* [n] sorted */
  uint32_t label[64];  /* smallest vertex of the component */
  bool joined[64][64];
} naive;

static int compare(const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static void look(const ms_graph *graph, naive *out)
{
  uint32_t n = graph->n;
  bool changed = true;
  memset(out, 0, sizeof *out);
  for (uint32_t u = 0; u < n; u++) {
    out->label[u] = u;
    for (uint64_t a = graph->offset[u]; a < graph->offset[u + 1]; a++) {
      out->joined[u][graph->neighbor[a]] = true;
      out->degree[u]++;
    }
  }
  while (changed) {
    changed = false;
    for (uint32_t u = 0; u < n; u++)
      for (uint32_t v = 0; v < n; v++)
        if (out->joined[u][v] && out->label[v] < out->label[u]) {
          out->label[u] = out->label[v];
          changed = true;
        }
  }
  qsort(out->degree, n, sizeof *out->degree, compare);
}

static void check_degrees(const ms_graph *graph, const naive *seen, const ms_graph_stats *stats)
{
  uint32_t n = graph->n, sum = 0, isolated = 0, classes[MS_DEGREE_CLASSES] = {0};
  for (uint32_t v = 0; v < n; v++) {
    uint32_t d = seen->degree[v], c = 0;
    while (c < 32 && d >= (c ? 1u << c : 1u))
      c++;
    classes[c]++;
    sum += d;
    isolated += d == 0;
  }
  ck_assert_uint_eq(stats->vertices, n);
  ck_assert_uint_eq(stats->edges, sum / 2);
  ck_assert_uint_eq(stats->isolated, isolated);
  ck_assert_uint_eq(stats->min_degree, seen->degree[0]);
  ck_assert_uint_eq(stats->max_degree, seen->degree[n - 1]);
  ck_assert_double_eq_tol(stats->mean_degree, (double)sum / n, 1e-12);
  ck_assert_double_eq(stats->median_degree,
                      n % 2 ? seen->degree[n / 2]
                            : (seen->degree[n / 2 - 1] + seen->degree[n / 2]) / 2.0);
  ck_assert_mem_eq(stats->degrees, classes, sizeof classes);
}

static void check_components(const ms_graph *graph, const naive *seen, const ms_graph_stats *stats)
{
  uint32_t components = 0, largest = 0, edges = 0;
  for (uint32_t root = 0; root < graph->n; root++) {
    uint32_t size = 0, inner = 0;
    for (uint32_t u = 0; u < graph->n; u++) {
      size += seen->label[u] == root;
      for (uint32_t v = 0; v < u; v++)
        inner += seen->label[u] == root && seen->joined[u][v];
    }
    components += size > 0;
    if (size > largest) {
      largest = size;
      edges = inner;
    }
  }
  ck_assert_uint_eq(stats->components, components);
  ck_assert_uint_eq(stats->largest, largest);
  ck_assert_uint_eq(stats->largest_edges, edges);
}

/* Degrees and components are those of a matrix and a flood: 300 random graphs of up to 60
 * vertices. */
START_TEST(graphs_are_counted)
{
  for (uint64_t seed = 0; seed < 300; seed++) {
    ms_graph *graph;
    ms_graph_stats stats;
    naive seen;
    uint64_t n = 1 + seed % 60;
    const ms_generate_options o = {.family = MS_FAMILY_ER,
                                   .given = MS_GEN_VERTICES | MS_GEN_PROBABILITY,
                                   .vertices = n,
                                   .probability = (double)(seed % 7) / (double)(n + 6),
                                   .run.seed = seed,
                                   .run.threads = 1};
    ck_ok(ms_generate_graph(&o, &graph, &err));
    ck_ok(ms_graph_measure(graph, &stats, &err));
    look(graph, &seen);
    check_degrees(graph, &seen, &stats);
    check_components(graph, &seen, &stats);
    ms_graph_free(graph);
  }
}
END_TEST

/* A graph without vertices has only zeros. */
START_TEST(an_empty_graph_is_all_zeros)
{
  ms_graph *graph;
  ms_graph_stats stats;
  ck_ok(ms_graph_from_edges(0, 0, NULL, NULL, &graph, &err));
  ck_ok(ms_graph_measure(graph, &stats, &err));
  ck_assert(stats.vertices == 0 && stats.components == 0 && stats.mean_degree == 0 &&
            stats.min_degree == 0);
  ms_graph_free(graph);
}
END_TEST

static bool has_color(const ms_coloring *coloring, uint32_t v, uint32_t color)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(coloring, v, &count);
  for (uint32_t i = 0; i < count; i++)
    if (colors[i] == color)
      return true;
  return false;
}

static uint32_t holders(const oracle_case *c, uint32_t color)
{
  uint32_t count = 0;
  for (uint32_t v = 0; v < c->n; v++)
    count += color == MS_WILDCARD || has_color(c->coloring, v, color);
  return count;
}

static void check_colors(const oracle_case *c)
{
  ms_color_stats stats;
  uint32_t uncolored = 0, most = 0;
  ck_ok(ms_coloring_measure(c->coloring, &stats, &err));
  ck_assert_uint_eq(stats.colors, ms_coloring_describe(c->coloring).colors);
  for (uint32_t color = 0; color < stats.colors; color++)
    ck_assert_uint_eq(stats.vertices[color], holders(c, color));
  for (uint32_t v = 0; v < c->n; v++) {
    uint32_t own = 0;
    for (uint32_t color = 0; color < stats.colors; color++)
      own += has_color(c->coloring, v, color);
    uncolored += own == 0;
    most = own > most ? own : most;
  }
  ck_assert_uint_eq(stats.uncolored, uncolored);
  ck_assert_uint_eq(stats.most, most);
  uint64_t listed = 0;
  for (uint32_t i = 0; i < stats.colors; i++) {
    listed |= UINT64_C(1) << stats.order[i];
    if (i == 0)
      continue;
    uint32_t before = stats.order[i - 1], here = stats.order[i];
    ck_assert_uint_ge(stats.vertices[before], stats.vertices[here]);
    ck_assert(stats.vertices[before] > stats.vertices[here] ||
              strcmp(ms_coloring_name(c->coloring, before), ms_coloring_name(c->coloring, here)) <
                  0);
  }
  ck_assert_uint_eq(listed, (UINT64_C(1) << stats.colors) - 1);
  ms_color_stats_clear(&stats);
}

/* Bounds from both sides: every vertex of a match is left, and no vertex
 * without a slot is. */
static uint32_t check_motif(const oracle_case *c)
{
  static uint16_t masks[1 << ORACLE_MAX_N];
  ms_motif_stats stats;
  uint32_t no_slot = 0, in_match = 0;
  bool short_of = false;
  ck_ok(ms_query_measure(c->query, &stats, &err));
  ck_assert_uint_eq(stats.classes, c->motif->n_classes);
  for (uint32_t i = 0; i < stats.classes; i++) {
    ck_assert_uint_eq(stats.have[i], holders(c, c->motif->class_[i].color));
    short_of |= stats.have[i] < c->motif->class_[i].count;
  }
  ck_assert_int_eq(stats.impossible, short_of);
  for (uint32_t v = 0; v < c->n; v++) {
    bool fits = false;
    for (uint32_t i = 0; i < stats.classes; i++)
      fits |= c->motif->class_[i].color == MS_WILDCARD ||
              has_color(c->coloring, v, c->motif->class_[i].color);
    no_slot += !fits;
  }
  uint32_t matches = oracle_matches(c, masks), all = 0;
  for (uint32_t m = 0; m < matches; m++)
    all |= masks[m];
  in_match = (uint32_t)__builtin_popcount(all);
  ck_assert_uint_eq(stats.pruned.no_slot, no_slot);
  ck_assert_uint_ge(stats.vertices, in_match);
  ck_assert_uint_eq(stats.vertices,
                    c->n - no_slot - stats.pruned.poor_component - stats.pruned.too_far);
  ck_assert(stats.components > 0 || matches == 0);
  ck_assert(!stats.impossible || stats.vertices == 0);
  ck_assert((stats.vertices == 0) == (stats.components == 0));
  ck_assert(stats.edges <= c->graph->arcs / 2);
  return matches;
}

/* Counts of colours are those of a loop, and what pruning leaves for a motif lies between the
 * vertices of matches and those with a slot: 500 random cases. */
START_TEST(colors_and_motifs_are_counted)
{
  const oracle_shape shape = {.min_n = 1,
                              .max_n = ORACLE_MAX_N,
                              .min_k = 1,
                              .max_k = 5,
                              .color_lists = true,
                              .wildcards = true};
  uint32_t with_match = 0;
  for (uint64_t seed = 0; seed < 500; seed++) {
    oracle_case c;
    oracle_make(&shape, seed, &c);
    check_colors(&c);
    with_match += check_motif(&c) > 0;
    oracle_free(&c);
  }
  ck_assert_uint_gt(with_match, 100);
  ck_assert_uint_lt(with_match, 450);
}
END_TEST

enum { TYPED_N = 12, TYPED_M = 60, VERTEX_TYPES = 3, RELATIONS = 4 };

/* Types of vertices and edges are as frequent as in the arrays that 200 random typed graphs are
 * made of: relations 0 and 1 are symmetric, 2 and 3 have inverses; there are loops and parallel
 * edges. */
START_TEST(types_are_counted)
{
  static const char *const names[] = {"gene", "disease", "drug"},
                           *const relation[] = {"binds", "near", "treats", "causes"},
                           *const inverse[] = {NULL, NULL, "treated", "caused"};
  uint64_t seed = 11;
  for (int round = 0; round < 200; round++) {
    const char *type[TYPED_N];
    uint32_t edge[TYPED_M][2], edge_type[TYPED_M], of_type[VERTEX_TYPES] = {0};
    uint64_t of_relation[RELATIONS] = {0};
    for (uint32_t v = 0; v < TYPED_N; v++) {
      uint32_t t = random_below(&seed, VERTEX_TYPES);
      type[v] = names[t];
      of_type[t]++;
    }
    for (uint32_t e = 0; e < TYPED_M; e++) {
      edge[e][0] = random_below(&seed, TYPED_N);
      edge[e][1] = random_below(&seed, TYPED_N);
      edge_type[e] = random_below(&seed, RELATIONS);
      of_relation[edge_type[e]]++;
    }
    const ms_typed_source source = {.n = TYPED_N,
                                    .vertex_type = type,
                                    .m = TYPED_M,
                                    .edges = (const uint32_t(*)[2])edge,
                                    .edge_type = edge_type,
                                    .n_relations = RELATIONS,
                                    .relation = relation,
                                    .inverse = inverse};
    ms_typed *graph;
    ms_type_stats stats;
    ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
    ck_ok(ms_typed_measure(graph, &stats, &err));
    ck_assert_uint_eq(stats.edge_types, RELATIONS);
    for (uint32_t i = 0; i < stats.vertex_types; i++) {
      uint32_t t = stats.vertex_order[i], which = 0;
      while (strcmp(names[which], ms_typed_vertex_type_name(graph, t)) != 0)
        which++;
      ck_assert_uint_eq(stats.vertices[t], of_type[which]);
      ck_assert(i == 0 || stats.vertices[stats.vertex_order[i - 1]] >= stats.vertices[t]);
    }
    for (uint32_t i = 0; i < RELATIONS; i++) {
      uint32_t t = stats.edge_order[i], which = 0;
      while (strcmp(relation[which], ms_typed_arc_type_name(graph, t)) != 0)
        which++;
      ck_assert_uint_eq(stats.edges[t], of_relation[which]);
      ck_assert(i == 0 || stats.edges[stats.edge_order[i - 1]] >= stats.edges[t]);
    }
    ms_type_stats_clear(&stats);
    ms_typed_free(graph);
  }
}
END_TEST

static ms_status count_all(void *user, ms_error *e)
{
  const oracle_case *c = user;
  ms_graph_stats graph;
  ms_color_stats colors;
  ms_motif_stats motif;
  ms_status status = ms_graph_measure(c->graph, &graph, e);
  if (status != MS_OK)
    return status;
  status = ms_coloring_measure(c->coloring, &colors, e);
  if (status == MS_OK)
    status = ms_query_measure(c->query, &motif, e);
  ms_color_stats_clear(&colors);
  return status;
}

/* Whichever allocation fails in the statistics, the call reports it and leaks no block. */
START_TEST(every_allocation_may_fail)
{
  const oracle_shape shape = {.min_n = 8, .max_n = 8, .min_k = 3, .max_k = 3};
  oracle_case c;
  oracle_make(&shape, 4, &c);
  ck_assert_int_gt(failing_runs(count_all, &c), 12);
  oracle_free(&c);
}
END_TEST

TEST_MAIN("stats", TEST(graphs_are_counted), TEST(an_empty_graph_is_all_zeros),
          TEST(colors_and_motifs_are_counted), TEST(types_are_counted),
          TEST(every_allocation_may_fail))
