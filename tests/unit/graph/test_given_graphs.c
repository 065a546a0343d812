/* Given graphs: shuffled copies are the same graph, colours move whole, planted vertices leave the
 * others their colours, and patterns are cut where the graph has them. */
#include "base/alloc.h"
#include "graph/colors.h"
#include "graph/generate/generate.h"
#include "graph/graph.h"
#include "graph/typed.h"
#include "tests/support/allocations.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
static ms_error err;

/* ---- graphs ------------------------------------------------------------------ */

/* Makes a random graph of n vertices called x0, x1, .., with about m edges, perhaps with
 * directions, and perhaps with scores. */
static ms_graph *random_graph(uint32_t n, uint32_t m, bool directed, bool scored, uint64_t seed)
{
  ms_graph *graph;
  uint32_t(*edges)[2] = ms_alloc(m, sizeof *edges);
  char(*text)[16] = ms_alloc(n, sizeof *text);
  const char **names = ms_alloc(n, sizeof *names);
  float *score = ms_alloc(m, sizeof *score);
  for (uint32_t e = 0; e < m; e++) {
    edges[e][0] = (uint32_t)(random_next(&seed) % n);
    edges[e][1] = (uint32_t)(random_next(&seed) % n);
    score[e] = (float)(random_next(&seed) % 1000);
  }
  for (uint32_t v = 0; v < n; v++) {
    snprintf(text[v], sizeof text[v], "x%u", v);
    names[v] = text[v];
  }
  const uint32_t(*given)[2] = (const uint32_t(*)[2])edges;
  ck_ok((directed ? ms_graph_from_arcs : ms_graph_from_edges)(n, m, given, names, &graph, &err));
  if (scored)
    ck_ok(ms_graph_set_scores(graph, m, given, score, &err));
  ms_free(score);
  ms_free(names);
  ms_free(text);
  ms_free(edges);
  return graph;
}

/* Gives each vertex up to two of four colours. */
static ms_coloring *random_colors(const ms_graph *graph, uint64_t seed)
{
  static const char *const names[] = {"red", "green", "blue", "grey"};
  ms_coloring *coloring;
  uint32_t count = 0, (*pairs)[2] = ms_alloc(2 * (size_t)graph->n, sizeof *pairs);
  for (uint32_t v = 0; v < graph->n; v++)
    for (uint64_t i = random_next(&seed) % 3; i > 0; i--) {
      pairs[count][0] = v;
      pairs[count++][1] = (uint32_t)(random_next(&seed) % 4);
    }
  ck_ok(
      ms_coloring_from_pairs(graph, count, (const uint32_t(*)[2])pairs, 4, names, &coloring, &err));
  ms_free(pairs);
  return coloring;
}

/* Checks that vertex v of `b` has the colours that vertex from[v] has in `a`. */
static void check_colors(const ms_coloring *a, const ms_coloring *b, const uint32_t *from)
{
  for (uint32_t v = 0; v < b->n; v++) {
    uint32_t counts[2];
    const uint32_t *old = ms_coloring_of(a, from[v], &counts[0]);
    const uint32_t *new = ms_coloring_of(b, v, &counts[1]);
    ck_assert_uint_eq(counts[0], counts[1]);
    for (uint32_t i = 0; i < counts[0]; i++)
      ck_assert_str_eq(ms_coloring_name(a, old[i]), ms_coloring_name(b, new[i]));
  }
}

static void check_permutation(const uint32_t *from, uint32_t n)
{
  uint8_t *seen = ms_calloc(n, 1);
  for (uint32_t v = 0; v < n; v++)
    if (from[v] >= n || seen[from[v]]++)
      ck_abort_msg("%u vertices: no permutation", n);
  ms_free(seen);
}

/* ---- shuffled copies -------------------------------------------------------------- */

/* Checks each edge of the copy, with its direction and its score, against the graph. */
static void check_edges(const ms_graph *graph, const ms_graph *copy, const uint32_t *from)
{
  ck_assert_uint_eq(graph->arcs, copy->arcs);
  ck_assert_int_eq(ms_graph_directed(graph), ms_graph_directed(copy));
  ck_assert_int_eq(ms_graph_scored(graph), ms_graph_scored(copy));
  for (uint32_t v = 0; v < copy->n; v++)
    for (uint64_t a = copy->offset[v]; a < copy->offset[v + 1]; a++) {
      uint64_t old = ms_graph_find_arc(graph, from[v], from[copy->neighbor[a]]);
      ck_assert_uint_lt(old, graph->arcs);
      ck_assert(!copy->direction || copy->direction[a] == graph->direction[old]);
      ck_assert(!copy->score || copy->score[a] == graph->score[old]);
    }
}

static void check_names(const ms_graph *graph, const ms_graph *copy, const uint32_t *from,
                        const ms_shuffle_options *o)
{
  for (uint32_t v = 0; v < copy->n; v++) {
    const char *name = ms_graph_name(copy, v);
    char number[32];
    snprintf(number, sizeof number, "%s%u", o->prefix ? o->prefix : "", o->first_number + v);
    if (o->names == MS_NAMES_KEPT)
      ck_assert_str_eq(name, ms_graph_name(graph, from[v]));
    else if (o->names == MS_NAMES_NUMBERS)
      ck_assert_str_eq(name, number);
    else /* names of a graph differ, so these are a permutation */
      ck_assert_uint_lt(ms_graph_find(graph, name), graph->n);
  }
}

/* A shuffled copy has the graph's edges, directions, scores and names, and 1 and 4 threads make the
 * same one: 240 graphs of 1 to 60 vertices, undirected and directed, with scores and without. */
START_TEST(copies_are_the_same_graph)
{
  for (uint64_t i = 0; i < 240; i++) {
    ms_graph *graph, *copy, *again;
    uint32_t from[60], second[60], n = 1 + (uint32_t)(i % 60);
    graph = random_graph(n, 2 * n, i & 1, i & 2, i + 1);
    ms_shuffle_options o = {.size = sizeof o,
                            .names = (ms_new_names)(i % 3),
                            .prefix = i % 5 ? "n-" : NULL,
                            .first_number = (uint32_t)(i % 2),
                            .same_order = i % 7 == 0,
                            .run.seed = i,
                            .run.threads = 1};
    ck_ok(ms_graph_shuffle(graph, &o, &copy, from, &err));
    ck_ok(validate_graph(copy, &err));
    check_permutation(from, n);
    check_edges(graph, copy, from);
    check_names(graph, copy, from, &o);
    for (uint32_t v = 0; o.same_order && v < n; v++)
      ck_assert_uint_eq(from[v], v);
    o.run.threads = 4;
    ck_ok(ms_graph_shuffle(graph, &o, &again, second, &err));
    ck_assert_mem_eq(from, second, n * sizeof *from);
    ck_assert_mem_eq(copy->offset, again->offset, (n + 1) * sizeof *copy->offset);
    ck_assert_mem_eq(copy->neighbor, again->neighbor, copy->arcs * sizeof *copy->neighbor);
    for (uint32_t v = 0; v < n; v++)
      ck_assert_str_eq(ms_graph_name(copy, v), ms_graph_name(again, v));
    ms_graph_free(again);
    ms_graph_free(copy);
    ms_graph_free(graph);
  }
}
END_TEST

/* All 24 orders of four vertices, and all 24 permutations of their names, are equally likely by
 * chi-square, and whether the first vertex keeps its place does not tell whether it keeps its name:
 * 7,200 seeds. */
START_TEST(orders_and_names_are_uniform)
{
  enum { SEEDS = 7200, ORDERS = 24 };
  static uint32_t seen[2][256];
  uint32_t both = 0;
  double chi[2] = {0, 0};
  ms_graph *graph = random_graph(4, 4, false, false, 1), *copy;
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    const ms_shuffle_options o = {.size = sizeof o, .run.seed = seed, .run.threads = 1};
    uint32_t from[4], code[2] = {0, 0};
    ck_ok(ms_graph_shuffle(graph, &o, &copy, from, &err));
    for (uint32_t v = 0; v < 4; v++) {
      code[0] = code[0] * 4 + from[v];
      code[1] = code[1] * 4 + ms_graph_find(graph, ms_graph_name(copy, v));
    }
    both += from[0] == 0 && strcmp(ms_graph_name(copy, 0), ms_graph_name(graph, 0)) == 0;
    seen[0][code[0]]++;
    seen[1][code[1]]++;
    ms_graph_free(copy);
  }
  for (int i = 0; i < 2; i++) {
    for (uint32_t code = 0; code < 256; code++)
      if (seen[i][code])
        chi[i] += pow(seen[i][code] - (double)SEEDS / ORDERS, 2) / ((double)SEEDS / ORDERS);
    ck_assert_double_lt(fabs(chi[i] - (ORDERS - 1)), 6 * sqrt(2 * (ORDERS - 1)));
  }
  /* 1/16 of the seeds; 6 standard deviations */
  ck_assert_double_lt(fabs(both - SEEDS / 16.0), 6 * sqrt(SEEDS * 15.0) / 16);
  ms_graph_free(graph);
}
END_TEST

/* The lines of an edge list hold each edge or arc once and each vertex without one, in an order
 * that the seed decides; either end of an undirected edge comes first about as often: a graph of
 * 2,000 vertices, and its arcs. */
START_TEST(lines_hold_each_edge)
{
  for (int directed = 0; directed < 2; directed++) {
    ms_graph *graph = random_graph(2000, 2500, directed, false, 7);
    uint32_t(*lines[3])[2], turned = 0, in_place = 0;
    uint64_t count[3], alone = 0, edges = 0;
    ck_ok(ms_list_lines(graph, &lines[0], &count[0], &err));
    ck_ok(ms_shuffle_lines(graph, 3, 1, &lines[1], &count[1], &err));
    ck_ok(ms_shuffle_lines(graph, 3, 4, &lines[2], &count[2], &err));
    ck_assert_uint_eq(count[0], count[1]);
    ck_assert_mem_eq(lines[1], lines[2], count[1] * sizeof **lines);
    uint8_t *seen = ms_calloc(graph->arcs, 1);
    for (uint64_t i = 0; i < count[1]; i++) {
      uint32_t a = lines[1][i][0], b = lines[1][i][1];
      uint64_t arc = ms_graph_find_arc(graph, a, b);
      in_place += memcmp(lines[0][i], lines[1][i], sizeof **lines) == 0;
      turned += a > b;
      alone += a == b;
      edges += a != b;
      ck_assert(a == b ? graph->offset[a] == graph->offset[a + 1] : arc < graph->arcs);
      ck_assert(a == b || !directed || graph->direction[arc] & MS_ARC_TO);
      ck_assert(a == b || !seen[arc]++);
      ck_assert(a == b || directed || !seen[ms_graph_find_arc(graph, b, a)]);
    }
    ck_assert_uint_eq(edges + alone, count[0]);
    ck_assert_uint_ge(edges, graph->arcs / 2);
    ck_assert_uint_lt(in_place, 30);
    ck_assert_double_lt(fabs(turned - edges / 2.0), 3 * sqrt((double)edges));
    ms_free(seen);
    for (int i = 0; i < 3; i++)
      ms_free(lines[i]);
    ms_graph_free(graph);
  }
}
END_TEST

/* ---- types ----------------------------------------------------------------------------- */

/* Makes a random typed graph of n vertices called x0, x1, .. of three types: m edges of a symmetric
 * relation and two with a direction, with parallel edges and self-loops. */
static ms_typed *random_typed(uint32_t n, uint32_t m, uint64_t seed)
{
  static const char *const relation[] = {"joins", "likes", "eats"};
  static const char *const inverse[] = {NULL, "liked by", "^eats"};
  static const char *const kinds[] = {"untyped", "gene", "drug"};
  ms_typed *typed;
  ms_graph *names = random_graph(n, 0, false, false, seed);
  const char **name = ms_alloc(n, sizeof *name), **kind = ms_alloc(n, sizeof *kind);
  uint32_t(*edges)[2] = ms_alloc(m, sizeof *edges), *type = ms_alloc(m, sizeof *type);
  for (uint32_t v = 0; v < n; v++) {
    name[v] = ms_graph_name(names, v);
    kind[v] = kinds[random_next(&seed) % 3];
  }
  for (uint32_t e = 0; e < m; e++) {
    edges[e][0] = (uint32_t)(random_next(&seed) % n);
    edges[e][1] = (uint32_t)(random_next(&seed) % n);
    type[e] = (uint32_t)(random_next(&seed) % 3);
  }
  const ms_typed_source source = {.n = n,
                                  .names = name,
                                  .vertex_type = kind,
                                  .m = m,
                                  .edges = (const uint32_t(*)[2])edges,
                                  .edge_type = type,
                                  .n_relations = 3,
                                  .relation = relation,
                                  .inverse = inverse};
  ck_ok(ms_typed_from_edges(&source, 1, &typed, &err));
  ms_graph_free(names);
  ms_free(name);
  ms_free(kind);
  ms_free(edges);
  ms_free(type);
  return typed;
}

/* Returns the number of arcs from v to w of the type of this name. */
static uint32_t count_arcs(const ms_typed *typed, uint32_t v, uint32_t w, const char *type)
{
  uint32_t count = 0;
  for (uint64_t a = typed->rows.offset[v]; a < typed->rows.offset[v + 1]; a++)
    count += typed->rows.neighbor[a] == w &&
             strcmp(ms_typed_arc_type_name(typed, typed->rows.type[a]), type) == 0;
  return count;
}

/* Checks the types of vertices, and for each pair of neighbours the number of arcs of each type. */
static void check_typed(const ms_typed *typed, const ms_typed *copy, const uint32_t *from)
{
  uint32_t n = copy->rows.n;
  ck_ok(validate_typed(copy, &err));
  ck_assert_uint_eq(copy->info.edges, typed->info.edges);
  ck_assert_uint_eq(copy->rows.arcs, typed->rows.arcs);
  for (uint32_t v = 0; v < n; v++) {
    ck_assert_str_eq(ms_typed_vertex_type_name(copy, ms_typed_vertex_type(copy, v)),
                     ms_typed_vertex_type_name(typed, ms_typed_vertex_type(typed, from[v])));
    for (uint64_t a = copy->rows.offset[v]; a < copy->rows.offset[v + 1]; a++) {
      uint32_t w = copy->rows.neighbor[a];
      const char *type = ms_typed_arc_type_name(copy, copy->rows.type[a]);
      ck_assert_uint_eq(count_arcs(copy, v, w, type), count_arcs(typed, from[v], from[w], type));
    }
  }
}

/* A typed graph that moves to a shuffled copy of its plain graph keeps vertices with their types,
 * and all edges with types, directions and repeats; with other colours only the types of its
 * vertices change, and an order that is none is refused: 80 multigraphs of 2 to 41 vertices. */
START_TEST(types_move_with_vertices)
{
  for (uint64_t i = 0; i < 80; i++) {
    uint32_t n = 2 + (uint32_t)(i % 40), from[64];
    ms_typed *typed = random_typed(n, 3 * n, i + 1), *copy, *none;
    ms_graph *plain, *shuffled;
    ms_coloring *coloring, *moved;
    const ms_shuffle_options o = {.size = sizeof o, .run.seed = i, .names = MS_NAMES_KEPT};
    ck_ok(ms_typed_plain(typed, 1, &plain, &coloring, &err));
    ck_ok(ms_graph_shuffle(plain, &o, &shuffled, from, &err));
    ck_ok(ms_coloring_move(coloring, shuffled, from, &moved, &err));
    ck_ok(ms_typed_move(typed, shuffled, from, moved, 1 + (int)(i % 3), &copy, &err));
    check_typed(typed, copy, from);
    for (uint32_t v = 0; v < n; v++)
      ck_assert_str_eq(ms_typed_name(copy, v), ms_typed_name(typed, from[v]));
    ms_typed_free(copy);
    ck_ok(ms_typed_move(typed, shuffled, from, NULL, 1, &copy, &err));
    ck_assert_uint_eq(copy->info.untyped, n);
    ck_assert_uint_eq(copy->info.edges, typed->info.edges);
    from[0] = from[n - 1];
    ck_assert_int_eq(ms_typed_move(typed, shuffled, from, NULL, 1, &none, &err), MS_ERR_USAGE);
    ck_assert_ptr_null(none);
    ms_typed_free(copy);
    ms_coloring_free(moved);
    ms_coloring_free(coloring);
    ms_graph_free(shuffled);
    ms_graph_free(plain);
    ms_typed_free(typed);
  }
}
END_TEST

/* A typed pattern has all edges that the graph has among its vertices, and its vertices accept
 * their own types, or any if they are untyped; each has a match: 60 patterns. */
START_TEST(typed_patterns_are_in_the_graph)
{
  for (uint64_t i = 0; i < 20; i++) {
    ms_typed *typed = random_typed(30, 60, i + 1), *pattern;
    ms_graph *plain;
    ms_cuts cuts;
    const ms_cut_options o = {.size = sizeof o, .patterns = 3, .vertices = 5, .seed = i};
    ck_ok(ms_typed_plain(typed, 1, &plain, NULL, &err));
    ck_ok(ms_cut_patterns(plain, &o, &cuts, &err));
    for (uint32_t p = 0; p < 3; p++) {
      const uint32_t *vertex = cuts.vertices + 5 * p;
      ck_ok(ms_typed_from_cut(typed, &cuts, p, &pattern, &err));
      ck_ok(validate_typed(pattern, &err));
      for (uint32_t a = 0; a < 5; a++) {
        const char *kind = ms_typed_vertex_type_name(typed, ms_typed_vertex_type(typed, vertex[a]));
        ck_assert_str_eq(ms_typed_vertex_type_name(pattern, ms_typed_vertex_type(pattern, a)),
                         strcmp(kind, "untyped") == 0 ? "*" : kind);
        ck_assert_str_eq(ms_typed_name(pattern, a), ms_typed_name(typed, vertex[a]));
        static const char *const types[] = {"joins", "likes", "liked by", "eats", "^eats"};
        for (uint32_t b = 0; b < 5; b++)
          for (uint32_t t = 0; t < COUNT(types) && a != b; t++)
            ck_assert_uint_eq(count_arcs(pattern, a, b, types[t]),
                              count_arcs(typed, vertex[a], vertex[b], types[t]));
      }
      ms_typed_free(pattern);
    }
    ck_assert_int_eq(ms_typed_from_cut(typed, &cuts, 3, &pattern, &err), MS_ERR_USAGE);
    ms_cuts_clear(&cuts);
    ms_graph_free(plain);
    ms_typed_free(typed);
  }
}
END_TEST

/* ---- colours ------------------------------------------------------------------------- */

/* Colours move whole to a shuffled copy; a permutation gives each vertex the list of another one,
 * and places that are no vertex are refused: 60 graphs. */
START_TEST(colors_move_whole)
{
  for (uint64_t i = 0; i < 60; i++) {
    uint32_t n = 2 + (uint32_t)i, from[64], total = 0;
    ms_graph *graph = random_graph(n, n, false, false, i + 1), *copy;
    ms_coloring *colors = random_colors(graph, i + 1), *moved, *permuted, *again, *none;
    const ms_shuffle_options o = {.size = sizeof o, .run.seed = i, .run.threads = 1};
    ck_ok(ms_graph_shuffle(graph, &o, &copy, from, &err));
    ck_ok(ms_coloring_move(colors, copy, from, &moved, &err));
    ck_ok(ms_coloring_check(moved, copy, &err));
    check_colors(colors, moved, from);
    from[n / 2] = n;
    ck_assert_int_eq(ms_coloring_move(colors, copy, from, &none, &err), MS_ERR_USAGE);
    ck_assert_ptr_null(none);
    ck_ok(ms_coloring_permute(graph, colors, i, 1, &permuted, &err));
    ck_ok(ms_coloring_permute(graph, colors, i, 4, &again, &err));
    /* lists are matched greedily: equal lists may exchange their vertices */
    uint8_t used[64] = {0};
    for (uint32_t v = 0; v < n; v++)
      for (uint32_t u = 0; u < n; u++) {
        uint32_t counts[2];
        const uint32_t *old = ms_coloring_of(colors, u, &counts[0]);
        const uint32_t *new = ms_coloring_of(permuted, v, &counts[1]);
        if (used[u] || counts[0] != counts[1] || memcmp(old, new, counts[0] * sizeof *old) != 0)
          continue;
        used[u] = 1;
        total++;
        break;
      }
    ck_assert_uint_eq(total, n);
    for (uint32_t v = 0; v < n; v++)
      from[v] = v;
    check_colors(permuted, again, from);
    ms_coloring_free(again);
    ms_coloring_free(permuted);
    ms_coloring_free(moved);
    ms_coloring_free(colors);
    ms_graph_free(copy);
    ms_graph_free(graph);
  }
}
END_TEST

/* With `keep`, planted vertices have the colours of the motif, one each, and a wildcard slot and
 * all other vertices keep their lists: 40 graphs with two plants. */
START_TEST(plants_leave_other_colors)
{
  for (uint64_t i = 0; i < 40; i++) {
    ms_graph *graph = random_graph(40, 120, false, false, i + 1);
    ms_coloring *keep = random_colors(graph, i + 1), *coloring;
    const ms_plant_options o = {
        .size = sizeof o, .motif = "red:2,new,*", .plants = 2, .seed = i, .keep = keep};
    uint32_t planted[40] = {0}, news = 0, changed = 0;
    ms_planted plants;
    ck_ok(ms_generate_planted(graph, &o, &coloring, &plants, &err));
    for (uint32_t j = 0; j < plants.plants * plants.k; j++)
      planted[plants.vertices[j]] = 1;
    for (uint32_t v = 0; v < graph->n; v++) {
      uint32_t counts[2];
      const uint32_t *old = ms_coloring_of(keep, v, &counts[0]);
      const uint32_t *new = ms_coloring_of(coloring, v, &counts[1]);
      for (uint32_t c = 0; c < counts[1]; c++)
        news += strcmp(ms_coloring_name(coloring, new[c]), "new") == 0;
      bool same = counts[0] == counts[1];
      for (uint32_t c = 0; same && c < counts[0]; c++) /* ids differ, and their order may */
        same = ms_coloring_find(coloring, ms_coloring_name(keep, old[c])) != UINT32_MAX;
      changed += !same;
      ck_assert(same || planted[v]);
      ck_assert(!planted[v] || same || counts[1] == 1);
    }
    ck_assert_uint_eq(news, 2);
    ck_assert_uint_le(changed, 6); /* the two wildcards never change */
    ms_planted_clear(&plants);
    ms_coloring_free(coloring);
    ms_coloring_free(keep);
    ms_graph_free(graph);
  }
}
END_TEST

/* ---- patterns --------------------------------------------------------------------------- */

/* Checks pattern i: different vertices, edges that the graph has, their number, and that the
 * pattern is connected. */
static void check_cut(const ms_graph *graph, const ms_cuts *cuts, uint32_t i,
                      const ms_cut_options *o)
{
  const uint32_t *vertex = cuts->vertices + (uint64_t)i * cuts->k;
  const uint32_t *color = cuts->color + (uint64_t)i * cuts->k;
  uint32_t tree[MS_MAX_PATTERN], joined = 1, inside = 0, edges = 0;
  for (uint32_t a = 0; a < cuts->k; a++) {
    uint32_t count;
    const uint32_t *own = o->coloring ? ms_coloring_of(o->coloring, vertex[a], &count) : NULL;
    bool has = !own ? color[a] == UINT32_MAX : count == 0 && color[a] == UINT32_MAX;
    for (uint32_t c = 0; own && c < count; c++)
      has |= own[c] == color[a];
    ck_assert_msg(has, "pattern %u, vertex %u: a colour of another vertex", i, a);
    tree[a] = a;
    for (uint32_t b = 0; b < a; b++) {
      ck_assert_uint_ne(vertex[a], vertex[b]);
      inside += ms_graph_find_arc(graph, vertex[a], vertex[b]) < graph->arcs;
    }
  }
  for (uint64_t e = cuts->offset[i]; e < cuts->offset[i + 1]; e++) {
    uint32_t a = cuts->edges[e][0], b = cuts->edges[e][1];
    uint64_t arc = ms_graph_find_arc(graph, vertex[a], vertex[b]);
    ck_assert_uint_lt(arc, graph->arcs);
    ck_assert(!graph->direction || graph->direction[arc] & MS_ARC_TO);
    /* the other arc of an edge is no other edge */
    edges += !graph->direction || graph->direction[arc] == MS_ARC_TO || a < b;
    uint32_t from = tree[a], to = tree[b];
    joined += from != to;
    for (uint32_t v = 0; v < cuts->k; v++)
      tree[v] = tree[v] == from ? to : tree[v];
  }
  ck_assert_uint_eq(joined, cuts->k);
  ck_assert_uint_eq(edges, o->edges ? o->edges : inside);
  ck_assert(o->density != MS_DENSITY_DENSE || 2 * inside >= 3 * cuts->k);
  ck_assert(o->density != MS_DENSITY_SPARSE || 2 * inside < 3 * cuts->k);
}

/* Cut patterns are connected sets of the graph with their edges or that many of them, and labels of
 * their vertices; the first ones do not depend on their number: 48 graphs, undirected and
 * directed, with seven patterns of 2 to 13 vertices each. */
START_TEST(patterns_are_in_the_graph)
{
  uint32_t all = 0;
  for (uint64_t i = 0; i < 48; i++) {
    ms_graph *graph = random_graph(40, 160, i & 1, false, i + 1);
    ms_coloring *coloring = i & 2 ? random_colors(graph, i + 1) : NULL;
    ms_cut_options o = {.size = sizeof o,
                        .patterns = 7,
                        .vertices = 2 + (uint32_t)i / 4,
                        .coloring = coloring,
                        .seed = i};
    ms_cuts cuts, first;
    if (i % 4 == 3)
      o.edges = o.vertices - 1 + (o.vertices > 4);
    if (i % 4 < 2 && o.vertices > 6)
      o.density = i % 8 < 4 ? MS_DENSITY_SPARSE : MS_DENSITY_DENSE;
    ck_ok(ms_cut_patterns(graph, &o, &cuts, &err));
    for (uint32_t p = 0; p < cuts.patterns; p++)
      check_cut(graph, &cuts, p, &o);
    all += cuts.patterns;
    o.patterns = 3;
    ck_ok(ms_cut_patterns(graph, &o, &first, &err));
    ck_assert_mem_eq(first.vertices, cuts.vertices, 3 * cuts.k * sizeof *cuts.vertices);
    ck_assert_mem_eq(first.color, cuts.color, 3 * cuts.k * sizeof *cuts.color);
    ck_assert_mem_eq(first.edges, cuts.edges, cuts.offset[3] * sizeof *cuts.edges);
    ms_cuts_clear(&first);
    ms_cuts_clear(&cuts);
    ms_coloring_free(coloring);
    ms_graph_free(graph);
  }
  ck_assert_uint_eq(all, 48 * 7);
}
END_TEST

/* Every connected set of three vertices of a path of 12 is cut, every spanning tree of a square of
 * four is kept, and ms_pattern_list finds what was cut: 400 and 200 patterns. */
START_TEST(every_set_and_tree_is_drawn)
{
  uint32_t path[11][2], sets = 0, trees = 0;
  static const uint32_t square[4][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
  bool set_seen[12] = {false}, tree_seen[16] = {false};
  ms_graph *graph;
  ms_cuts cuts;
  ms_cut_options o = {.size = sizeof o, .patterns = 400, .vertices = 3, .seed = 1};
  for (uint32_t i = 0; i < 11; i++) {
    path[i][0] = i;
    path[i][1] = i + 1;
  }
  ck_ok(ms_graph_from_edges(12, 11, (const uint32_t(*)[2])path, NULL, &graph, &err));
  ck_ok(ms_cut_patterns(graph, &o, &cuts, &err));
  for (uint32_t i = 0; i < 400; i++) {
    uint32_t sum = 0;
    for (uint32_t a = 0; a < 3; a++)
      sum += cuts.vertices[3 * i + a];
    ck_assert_uint_eq(sum % 3, 0); /* three neighbours in a row */
    sets += !set_seen[sum / 3];
    set_seen[sum / 3] = true;
  }
  ck_assert_uint_eq(sets, 10);
  ms_cuts_clear(&cuts);
  ms_graph_free(graph);
  ck_ok(ms_graph_from_edges(4, 4, square, NULL, &graph, &err));
  o = (ms_cut_options){.size = sizeof o, .patterns = 200, .vertices = 4, .edges = 3, .seed = 2};
  ck_ok(ms_cut_patterns(graph, &o, &cuts, &err));
  for (uint32_t i = 0; i < 200; i++) {
    uint32_t lines = 0;
    for (uint64_t e = cuts.offset[i]; e < cuts.offset[i + 1]; e++) {
      uint32_t a = cuts.vertices[4 * i + cuts.edges[e][0]];
      uint32_t b = cuts.vertices[4 * i + cuts.edges[e][1]];
      lines |= 1u << (a + b == 3 && a * b == 0 ? 3 : a < b ? a : b);
    }
    trees += !tree_seen[lines];
    tree_seen[lines] = true;
  }
  ck_assert_uint_eq(trees, 4);
  ms_cuts_clear(&cuts);
  ms_graph_free(graph);
}
END_TEST

/* Each pattern that is cut has a match, induced where it has all edges: 30 patterns of a graph of
 * 60 vertices with colours. */
START_TEST(patterns_have_matches)
{
  ms_graph *graph = random_graph(60, 150, false, false, 5);
  ms_coloring *coloring = random_colors(graph, 5);
  ms_pattern_index *index;
  ck_ok(ms_pattern_index_new(graph, coloring, 1, &index, &err));
  for (uint64_t edges = 0; edges <= 5; edges += 5) {
    const ms_cut_options o = {.size = sizeof o,
                              .patterns = 15,
                              .vertices = 5,
                              .edges = edges,
                              .coloring = coloring,
                              .seed = 3};
    ms_cuts cuts;
    ck_ok(ms_cut_patterns(graph, &o, &cuts, &err));
    for (uint32_t i = 0; i < cuts.patterns; i++) {
      const char *color[5];
      ms_pattern *pattern;
      ms_pattern_result *result;
      ms_pattern_options search = MS_PATTERN_OPTIONS_DEFAULT;
      for (uint32_t a = 0; a < 5; a++)
        color[a] = ms_coloring_name(coloring, cuts.color[5 * i + a]);
      ck_ok(ms_pattern_from_edges(5, cuts.offset[i + 1] - cuts.offset[i],
                                  (const uint32_t(*)[2])(cuts.edges + cuts.offset[i]), false, color,
                                  &pattern, &err));
      search.induced = edges == 0;
      search.count_only = true;
      search.screen.run.threads = 1;
      ck_ok(ms_pattern_list(index, pattern, &search, &result, &err));
      ck_assert_uint_ge(result->matches, 1);
      ms_pattern_result_free(result);
      ms_pattern_free(pattern);
    }
    ms_cuts_clear(&cuts);
  }
  ms_pattern_index_free(index);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

typedef struct refused_cut {
  ms_cut_options o;
  const char *message;
} refused_cut;

/* Nine kinds of patterns that a graph of two triangles does not have are refused, and say why. */
START_TEST(impossible_patterns_are_refused)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {2, 0}, {3, 4}, {4, 5}, {5, 3}};
  static const refused_cut cases[] = {
      {{.vertices = 4}, "no connected set of 4 vertices was found for pattern 1 of 1"},
      {{.vertices = 1}, "from 2 to 256"},
      {{.vertices = 257}, "from 2 to 256"},
      {{.vertices = 7}, "has no connected set of 7 vertices"},
      {{.vertices = 3, .edges = 1}, "from 2 to 3 edges"},
      {{.vertices = 3, .edges = 4}, "from 2 to 3 edges"},
      {{.vertices = 3, .patterns = MS_MAX_CUTS + 1}, "too many"},
      {{.vertices = 3, .density = MS_DENSITY_DENSE}, "mean degree of at least 3"},
      {{.vertices = 4, .density = MS_DENSITY_SPARSE}, "mean degree below 3"},
  };
  ms_graph *graph;
  ck_ok(ms_graph_from_edges(6, 6, edges, NULL, &graph, &err));
  for (size_t i = 0; i < COUNT(cases); i++) {
    ms_cut_options o = cases[i].o;
    ms_cuts cuts;
    o.size = sizeof o;
    ck_assert_int_eq(ms_cut_patterns(graph, &o, &cuts, &err), MS_ERR_USAGE);
    ck_assert_ptr_null(cuts.vertices);
    ck_assert_msg(strstr(err.message, cases[i].message), "%s", err.message);
  }
  ms_graph_free(graph);
}
END_TEST

/* ---- allocation failures -------------------------------------------------------------------- */

typedef struct given {
  const ms_graph *graph;
  const ms_coloring *coloring;
} given;

static ms_status change_all(void *user, ms_error *e)
{
  const given *g = user;
  const ms_shuffle_options shuffle = {.size = sizeof shuffle, .run.threads = 1};
  const ms_cut_options cut = {
      .size = sizeof cut, .patterns = 3, .vertices = 4, .coloring = g->coloring};
  const ms_plant_options plant = {.size = sizeof plant, .slots = 3, .keep = g->coloring};
  ms_graph *copy = NULL;
  ms_coloring *permuted = NULL, *planted = NULL;
  uint32_t(*lines)[2] = NULL;
  uint64_t count;
  ms_cuts cuts = {0};
  ms_status status = ms_graph_shuffle(g->graph, &shuffle, &copy, NULL, e);
  if (status == MS_OK)
    status = ms_shuffle_lines(copy, 1, 1, &lines, &count, e);
  if (status == MS_OK)
    status = ms_coloring_permute(g->graph, g->coloring, 1, 1, &permuted, e);
  if (status == MS_OK)
    status = ms_generate_planted(g->graph, &plant, &planted, NULL, e);
  if (status == MS_OK)
    status = ms_cut_patterns(g->graph, &cut, &cuts, e);
  ms_cuts_clear(&cuts);
  ms_coloring_free(planted);
  ms_coloring_free(permuted);
  ms_free(lines);
  ms_graph_free(copy);
  return status;
}

static ms_status change_typed(void *user, ms_error *e)
{
  const ms_typed *typed = user;
  ms_typed *copy = NULL, *pattern = NULL;
  ms_graph *plain = NULL, *shuffled = NULL;
  uint32_t from[30];
  ms_cuts cuts = {0};
  const ms_shuffle_options shuffle = {.size = sizeof shuffle, .run.threads = 1};
  const ms_cut_options cut = {.size = sizeof cut, .vertices = 4};
  ms_status status = ms_typed_plain(typed, 1, &plain, NULL, e);
  if (status == MS_OK)
    status = ms_graph_shuffle(plain, &shuffle, &shuffled, from, e);
  if (status == MS_OK)
    status = ms_typed_move(typed, shuffled, from, NULL, 1, &copy, e);
  if (status == MS_OK)
    status = ms_cut_patterns(plain, &cut, &cuts, e);
  if (status == MS_OK)
    status = ms_typed_from_cut(typed, &cuts, 0, &pattern, e);
  ms_cuts_clear(&cuts);
  ms_typed_free(pattern);
  ms_typed_free(copy);
  ms_graph_free(shuffled);
  ms_graph_free(plain);
  return status;
}

/* Whichever allocation fails while a graph with directions and scores is shuffled, coloured and
 * cut, or a typed graph is shuffled and cut, the call reports it and leaves no block behind. */
START_TEST(every_allocation_may_fail)
{
  ms_graph *graph = random_graph(30, 60, true, true, 1);
  ms_coloring *coloring = random_colors(graph, 1);
  given g = {graph, coloring};
  ck_assert_int_gt(failing_runs(change_all, &g), 30);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  ms_typed *typed = random_typed(30, 60, 1);
  ck_assert_int_gt(failing_runs(change_typed, typed), 40);
  ms_typed_free(typed);
}
END_TEST

TEST_MAIN("given graphs", TEST(copies_are_the_same_graph), TEST(orders_and_names_are_uniform),
          TEST(lines_hold_each_edge), TEST(types_move_with_vertices),
          TEST(typed_patterns_are_in_the_graph), TEST(colors_move_whole),
          TEST(plants_leave_other_colors), TEST(patterns_are_in_the_graph),
          TEST(every_set_and_tree_is_drawn), TEST(patterns_have_matches),
          TEST(impossible_patterns_are_refused), TEST(every_allocation_may_fail))
