/* Typed graphs: rows against a naive model, arrays and plain graphs in and out. */
#include "base/alloc.h"
#include "graph/colors.h"
#include "graph/generate/generate.h"
#include "graph/graph.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/typed_random.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/random.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES 150u

static ms_error err;

static ms_typed *from_edges(const ms_typed_source *source, int threads)
{
  ms_typed *graph = NULL;
  ck_ok(ms_typed_from_edges(source, threads, &graph, &err));
  return graph;
}

/* ---- rows -------------------------------------------------------------------- */

/* Each edge of each type stands in the rows of both ends as often as in the source, and an inverse
 * type follows its relation: 150 random multigraphs of up to 24 vertices, by 1 to 3 threads. */
START_TEST(rows_are_those_of_the_model)
{
  for (uint64_t seed = 0; seed < scaled(CASES); seed++) {
    typed_random random;
    typed_random_make(seed, &random);
    ms_typed *graph = from_edges(&random.source, 1 + (int)(seed % 3));
    typed_random_check(&random, graph);
    /* types keep their order: an inverse stands behind its relation */
    for (uint32_t t = 0; t < ms_typed_describe(graph).arc_types; t++) {
      uint32_t inverse = ms_typed_inverse(graph, t);
      ck_assert_uint_eq(graph->is_inverse[t], t > inverse);
      ck_assert(inverse == t || inverse == t + 1 || inverse + 1 == t);
      ck_assert_uint_eq(ms_typed_find_arc_type(graph, ms_typed_arc_type_name(graph, t)), t);
    }
    ms_typed_free(graph);
  }
}
END_TEST

/* The arcs between two vertices are those that a loop over the row finds: all pairs of vertices of
 * 20 random multigraphs. */
START_TEST(finds_arcs_between)
{
  for (uint64_t seed = 0; seed < 20; seed++) {
    typed_random random;
    typed_random_make(seed, &random);
    ms_typed *graph = from_edges(&random.source, 1);
    for (uint32_t v = 0; v < graph->rows.n; v++)
      for (uint32_t w = 0; w < graph->rows.n; w++) {
        uint64_t first, count = ms_typed_arcs_between(&graph->rows, v, w, &first), found = 0;
        for (uint64_t a = graph->rows.offset[v]; a < graph->rows.offset[v + 1]; a++)
          found += graph->rows.neighbor[a] == w;
        ck_assert_uint_eq(count, found);
        for (uint64_t a = first; a < first + count; a++)
          ck_assert_uint_eq(graph->rows.neighbor[a], w);
      }
    ms_typed_free(graph);
  }
}
END_TEST

/* A multigraph of 90,000 edges and long rows is the same by 1, 2 and 4 threads. */
START_TEST(threads_change_nothing)
{
  enum { N = 300, M = 90000, R = 40 };
  static char name[R][16];
  const char *relation[R], *inverse[R];
  uint32_t(*edges)[2] = malloc(M * sizeof *edges), *type = malloc(M * sizeof *type);
  uint64_t state = 5;
  ck_assert(edges && type);
  for (uint32_t r = 0; r < R; r++) {
    snprintf(name[r], sizeof name[r], "^r%u", r);
    relation[r] = name[r] + 1;
    inverse[r] = r % 2 ? name[r] : NULL;
  }
  for (uint32_t e = 0; e < M; e++) {
    edges[e][0] = random_below(&state, N);
    edges[e][1] = e % 4 ? random_below(&state, N) : 7;
    type[e] = random_below(&state, R);
  }
  ms_typed_source source = {N,    NULL, NULL,     M,      (const uint32_t(*)[2])edges,
                            type, R,    relation, inverse};
  ms_typed *one = from_edges(&source, 1);
  ck_ok(validate_typed(one, &err));
  for (int threads = 2; threads <= 4; threads *= 2) {
    ms_typed *more = from_edges(&source, threads);
    ck_assert_uint_eq(more->rows.arcs, one->rows.arcs);
    ck_assert_mem_eq(more->rows.offset, one->rows.offset, (N + 1) * sizeof(uint64_t));
    ck_assert_mem_eq(more->rows.neighbor, one->rows.neighbor, one->rows.arcs * sizeof(uint32_t));
    ck_assert_mem_eq(more->rows.type, one->rows.type, one->rows.arcs * sizeof(ms_type));
    ck_assert_uint_eq(more->info.repeats, one->info.repeats);
    ck_assert_uint_eq(more->info.self_loops, one->info.self_loops);
    ck_assert_uint_eq(more->info.max_degree, one->info.max_degree);
    ms_typed_free(more);
  }
  ms_typed_free(one);
  free(edges);
  free(type);
}
END_TEST

static void breaks(const ms_typed *graph, const char *part)
{
  ms_error broken = {0};
  ck_assert_int_eq(validate_typed(graph, &broken), MS_ERR_INTERNAL);
  ck_assert_msg(strstr(broken.message, part), "no '%s': %s", part, broken.message);
}

/* Validation notices each of eight broken invariants by its name. */
START_TEST(validate_notices)
{
  static const uint32_t edges[][2] = {{0, 1}, {0, 1}, {1, 2}, {2, 2}};
  static const uint32_t type[] = {0, 1, 1, 1};
  static const char *const relation[] = {"s", "r"}, *const inverse[] = {NULL, "^r"};
  const ms_typed_source source = {3, NULL, NULL, 4, edges, type, 2, relation, inverse};
  ms_typed *g = from_edges(&source, 1);
  ck_ok(validate_typed(g, &err));
  ms_type kept = g->rows.type[0];
  g->rows.type[0] = 9;
  breaks(g, "an id out of range");
  g->rows.type[0] = g->rows.type[1]; /* s, r: two of r, and no inverse of one of them */
  breaks(g, "an arc without its inverse");
  g->rows.type[1] = kept; /* r, s */
  breaks(g, "not ascending");
  g->rows.type[0] = kept;
  g->rows.type[1] = 1;
  uint64_t loop = g->rows.offset[3] - 1;
  g->rows.type[loop] = 2; /* the larger name of the loop */
  breaks(g, "an arc without its inverse");
  g->rows.type[loop] = 1;
  g->rows.vertex_type[2] = 4;
  breaks(g, "a vertex type out of range");
  g->rows.vertex_type[2] = 0;
  g->rows.neighbor[0] = 3;
  breaks(g, "an id out of range");
  g->rows.neighbor[0] = 1;
  g->rows.offset[1] = 7;
  breaks(g, "offsets fall");
  g->rows.offset[1] = 2;
  g->rows.offset[3]--;
  breaks(g, "offsets do not cover");
  g->rows.offset[3]++;
  ck_ok(validate_typed(g, &err));
  ms_typed_free(g);
}
END_TEST

/* ---- arrays ------------------------------------------------------------------ */

static const uint32_t small_edges[][2] = {{0, 1}, {1, 2}};
static const uint32_t small_types[] = {0, 1};

/* Types of vertices and edges are found by name and by "^" in front of their inverse, and edges
 * point as the relation says. */
START_TEST(names_of_types)
{
  static const char *const relation[] = {"binds", "up"}, *const inverse[] = {"binds", "down"};
  static const char *const kinds[] = {"A", "B", "A"}, *const names[] = {"x", "y", "z"};
  const ms_typed_source source = {3,           names, kinds,    2,      small_edges,
                                  small_types, 2,     relation, inverse};
  ms_typed *g = from_edges(&source, 1);
  ms_typed_info info = ms_typed_describe(g);
  ck_assert_uint_eq(info.vertex_types, 2);
  ck_assert_uint_eq(info.arc_types, 3);
  ck_assert_uint_eq(info.untyped, 0);
  ck_assert_int_eq(info.format, MS_TYPED_AUTO);
  ck_assert_str_eq(info.path, "(in memory)");
  uint32_t up = ms_typed_find_arc_type(g, "up"), down = ms_typed_find_arc_type(g, "down");
  uint32_t binds = ms_typed_find_arc_type(g, "binds");
  ck_assert_uint_eq(ms_typed_inverse(g, up), down);
  ck_assert_uint_eq(ms_typed_inverse(g, down), up);
  ck_assert_uint_eq(ms_typed_inverse(g, binds), binds);
  ck_assert_uint_eq(ms_typed_find_arc_type(g, "^up"), down);
  ck_assert_uint_eq(ms_typed_find_arc_type(g, "^down"), up);
  ck_assert_uint_eq(ms_typed_find_arc_type(g, "^binds"), binds);
  ck_assert_uint_eq(ms_typed_find_arc_type(g, "sideways"), UINT32_MAX);
  ck_assert_uint_eq(ms_typed_find_arc_type(g, "^"), UINT32_MAX);
  ck_assert(!ms_typed_is_second(g, (ms_type)up) && ms_typed_is_second(g, (ms_type)down));
  ck_assert_uint_eq(ms_typed_find(g, "y"), 1);
  ck_assert_uint_eq(ms_typed_find(g, "w"), UINT32_MAX);
  /* "up" from y to z, and the other way in the row of z */
  ck_assert_uint_eq(g->rows.type[g->rows.offset[2]], down);
  ms_typed_free(g);
}
END_TEST

/* A relation that is named again as the inverse of its inverse is one relation. */
START_TEST(repeats_of_relations_are_one)
{
  static const char *const relation[] = {"up", "down"}, *const inverse[] = {"down", "up"};
  const ms_typed_source source = {3, NULL, NULL, 2, small_edges, small_types, 2, relation, inverse};
  ms_typed *g = from_edges(&source, 1);
  ck_assert_uint_eq(ms_typed_describe(g).arc_types, 2);
  ck_assert_uint_eq(ms_typed_describe(g).untyped, 3);
  ck_assert_str_eq(ms_typed_arc_type_name(g, g->rows.type[g->rows.offset[2]]), "up");
  ms_typed_free(g);
}
END_TEST

static void refuses(const ms_typed_source *source, const char *part)
{
  ms_typed *graph = NULL;
  ms_error refusal = {0};
  ck_assert_int_eq(ms_typed_from_edges(source, 1, &graph, &refusal), MS_ERR_USAGE);
  ck_assert_ptr_null(graph);
  ck_assert_msg(strstr(refusal.message, part), "no '%s': %s", part, refusal.message);
  ck_assert_msg(strchr(refusal.message, ';'), "no advice: %s", refusal.message);
}

/* Seven kinds of wrong arrays are refused with the place and the reason. */
START_TEST(refuses_wrong_arrays)
{
  static const char *const relation[] = {"r", "s", "r"}, *const empty[] = {"r", ""};
  static const char *const inverse[] = {"^r", NULL, "q"}, *const swap[] = {"s", "t"};
  static const char *const kinds[] = {"A", "", "A"}, *const names[] = {"a", "b", "a"};
  static const uint32_t far[][2] = {{0, 1}, {1, 3}}, high[] = {0, 5};
  ms_typed_source s = {3, NULL, NULL, 2, small_edges, small_types, 2, relation, NULL};
  ms_typed_free(from_edges(&s, 1));
  s.edges = far;
  refuses(&s, "edge 1 joins vertices 1 and 3");
  s.edges = small_edges;
  s.edge_type = high;
  refuses(&s, "edge 1 is of relation 5, but there are 2");
  s.edge_type = small_types;
  s.vertex_type = kinds;
  refuses(&s, "the type of vertex 1 is empty");
  s.vertex_type = NULL;
  s.names = names;
  refuses(&s, "the same name 'a'");
  s.names = NULL;
  s.relation = empty;
  refuses(&s, "the name of a relation is empty");
  s.relation = relation;
  s.n_relations = 3;
  s.inverse = inverse;
  refuses(&s, "relation 'r' has two inverses, 'q' and '^r'");
  s.n_relations = 2;
  s.inverse = swap; /* r - s, and s - t */
  refuses(&s, "relation 's' has two inverses, 't' and 'r'");
}
END_TEST

/* 66,000 types of edges or of vertices are refused, and 65,535 are not. */
START_TEST(refuses_too_many_types)
{
  enum { MANY = 66000 };
  static char text[MANY][16];
  static const char *names[MANY];
  ms_typed_source s = {3, NULL, NULL, 2, small_edges, small_types, MANY, names, NULL};
  for (uint32_t i = 0; i < MANY; i++) {
    snprintf(text[i], sizeof text[i], "%u", i);
    names[i] = text[i];
  }
  refuses(&s, "more than 65535 types of edges");
  s.n_relations = 65535;
  ms_typed_free(from_edges(&s, 1));
  s = (ms_typed_source){MANY, NULL, names, 2, small_edges, small_types, 2, names, NULL};
  refuses(&s, "more than 65535 types of vertices");
  s.n = 65535;
  ms_typed_free(from_edges(&s, 1));
}
END_TEST

/* ---- plain graphs ------------------------------------------------------------- */

static bool points(const typed_random *r, uint32_t u, uint32_t v)
{
  bool found = false;
  for (uint64_t e = 0; e < r->source.m; e++) {
    const char *name = r->relation[r->edge_type[e]], *inverse = r->inverse[r->edge_type[e]];
    bool symmetric = !inverse || strcmp(name, inverse) == 0;
    uint32_t from = r->edges[e][0], to = r->edges[e][1];
    found |= (from == u && to == v) || (symmetric && from == v && to == u);
  }
  return found;
}

/* Is any edge of a relation with a direction? */
static bool has_direction(const typed_random *r)
{
  for (uint64_t e = 0; e < r->source.m; e++) {
    const char *inverse = r->inverse[r->edge_type[e]];
    if (inverse && strcmp(inverse, r->relation[r->edge_type[e]]) != 0)
      return true;
  }
  return false;
}

static void check_plain(const typed_random *r, const ms_graph *plain, const ms_coloring *coloring)
{
  ck_ok(validate_graph(plain, &err));
  ck_assert_uint_eq(plain->n, r->source.n);
  ck_assert_int_eq(ms_graph_directed(plain), has_direction(r));
  for (uint32_t v = 0; v < plain->n; v++) {
    uint32_t colors;
    const uint32_t *color = ms_coloring_of(coloring, v, &colors);
    bool untyped = strcmp(r->vertex_type[v], "untyped") == 0;
    ck_assert_str_eq(ms_graph_name(plain, v), r->names[v]);
    ck_assert_uint_eq(colors, !untyped);
    if (!untyped)
      ck_assert_str_eq(ms_coloring_name(coloring, color[0]), r->vertex_type[v]);
    for (uint32_t w = 0; w < plain->n; w++) {
      uint64_t a = plain->offset[v], end = plain->offset[v + 1];
      while (a < end && plain->neighbor[a] != w)
        a++;
      bool there = v != w && points(r, v, w), back = v != w && points(r, w, v);
      ck_assert_int_eq(a < end, there || back);
      if (a < end && plain->direction)
        ck_assert_uint_eq(plain->direction[a], there + 2 * back);
    }
  }
}

/* The plain graph of a multigraph has its edges, directions and types as colours: 150 random
 * multigraphs, by 1 and 2 threads. */
START_TEST(becomes_plain)
{
  for (uint64_t seed = 0; seed < scaled(CASES); seed++) {
    typed_random random;
    ms_graph *plain = NULL;
    ms_coloring *coloring = NULL;
    typed_random_make(seed, &random);
    ms_typed *graph = from_edges(&random.source, 1);
    ck_ok(ms_typed_plain(graph, 1, &plain, &coloring, &err));
    check_plain(&random, plain, coloring);
    ms_graph_free(plain);
    ck_ok(ms_typed_plain(graph, 2, &plain, NULL, &err));
    check_plain(&random, plain, coloring);
    ms_graph_free(plain);
    ms_coloring_free(coloring);
    ms_typed_free(graph);
  }
}
END_TEST

static void check_same(const ms_graph *graph, const ms_graph *plain, const ms_coloring *coloring,
                       bool directed)
{
  ms_coloring *read = NULL;
  ck_assert_int_eq(ms_graph_describe(graph).format, MS_FORMAT_TABLE);
  ck_assert_uint_eq(graph->n, plain->n);
  ck_assert_mem_eq(graph->offset, plain->offset, (graph->n + 1) * sizeof *graph->offset);
  ck_assert_mem_eq(graph->neighbor, plain->neighbor, graph->arcs * sizeof *graph->neighbor);
  ck_assert_int_eq(graph->direction != NULL, directed);
  for (uint64_t a = 0; a < graph->arcs && directed; a++)
    ck_assert_uint_eq(graph->direction[a], plain->direction ? plain->direction[a] : 3);
  ck_assert_int_eq(ms_graph_describe(graph).colored, coloring->offset[graph->n] > 0);
  if (ms_graph_describe(graph).colored)
    ck_ok(ms_coloring_from_graph(graph, &read, &err));
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t colors, wanted;
    const uint32_t *color = read ? ms_coloring_of(read, v, &colors) : NULL;
    const uint32_t *right = ms_coloring_of(coloring, v, &wanted);
    ck_assert_str_eq(ms_graph_name(graph, v), ms_graph_name(plain, v));
    ck_assert_uint_eq(read ? colors : 0, wanted);
    if (wanted)
      ck_assert_str_eq(ms_coloring_name(read, *color), ms_coloring_name(coloring, *right));
  }
  ms_coloring_free(read);
}

/* A table of typed edges, read as a plain graph, is the plain graph of the multigraph: 150 random
 * ones, directed and not. */
START_TEST(tables_are_plain_graphs)
{
  uint64_t read = 0;
  for (uint64_t seed = 0; seed < scaled(CASES); seed++) {
    typed_random random;
    ms_graph *plain = NULL, *graph = NULL;
    ms_coloring *coloring = NULL;
    ms_graph_options options = {.size = sizeof(ms_graph_options), .directed = seed & 1};
    typed_random_make(seed, &random);
    ms_typed *typed = from_edges(&random.source, 1);
    ck_ok(ms_typed_plain(typed, 1, &plain, &coloring, &err));
    if (plain->n > 0) {
      ck_ok(ms_typed_write(typed, files_path("plain.tsv"), &err));
      ck_ok(ms_graph_read(files_path("plain.tsv"), &options, &graph, &err));
      check_same(graph, plain, coloring, options.directed);
      read++;
    }
    ms_graph_free(graph);
    ms_coloring_free(coloring);
    ms_graph_free(plain);
    ms_typed_free(typed);
  }
  ck_assert_uint_gt(read, scaled(CASES) / 2);
}
END_TEST

/* A plain graph comes back from its typed one; several colours become one type: 150 random
 * graphs. */
START_TEST(comes_from_plain)
{
  for (uint64_t seed = 0; seed < scaled(CASES); seed++) {
    typed_random random;
    ms_graph *plain = NULL, *again = NULL;
    ms_coloring *coloring = NULL, *recolored = NULL;
    ms_typed *graph = NULL;
    typed_random_make(seed, &random);
    ms_typed *first = from_edges(&random.source, 1);
    ck_ok(ms_typed_plain(first, 1, &plain, &coloring, &err));
    ck_ok(ms_typed_from_graph(plain, coloring, 1, &graph, &err));
    ck_ok(validate_typed(graph, &err));
    ck_assert_uint_eq(ms_typed_describe(graph).arc_types, plain->direction ? 2 : 1);
    ck_ok(ms_typed_plain(graph, 1, &again, &recolored, &err));
    ck_assert_uint_eq(again->arcs, plain->arcs);
    if (plain->arcs > 0)
      ck_assert_int_eq(again->direction != NULL, plain->direction != NULL);
    ck_assert_mem_eq(again->neighbor, plain->neighbor, plain->arcs * sizeof(uint32_t));
    if (again->direction)
      ck_assert_mem_eq(again->direction, plain->direction, plain->arcs);
    check_plain(&random, plain, recolored);
    ms_graph_free(plain);
    ms_graph_free(again);
    ms_coloring_free(coloring);
    ms_coloring_free(recolored);
    ms_typed_free(first);
    ms_typed_free(graph);
  }
}
END_TEST

static ms_coloring *make_colors(uint32_t n, const uint32_t (*pairs)[2], uint64_t count)
{
  ms_names *names;
  ms_coloring *coloring = NULL;
  uint32_t id;
  ck_ok(ms_names_new(&names, &err));
  ck_ok(ms_names_add(names, "red", 3, &id, &err));
  ck_ok(ms_names_add(names, "blue", 4, &id, &err));
  ck_ok(ms_coloring_build(n, count, pairs, names, NULL, NULL, &coloring, &err));
  return coloring;
}

/* Colours of a vertex become one type with "|" between them, none becomes "untyped", and colours of
 * another graph are refused. */
START_TEST(colors_become_types)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}}, pairs[][2] = {{0, 1}, {0, 0}, {1, 0}};
  static const char *const wanted[] = {"red|blue", "red", "untyped"};
  ms_graph *plain = NULL;
  ms_typed *graph = NULL;
  ck_ok(ms_graph_from_edges(3, 2, edges, NULL, &plain, &err));
  ms_coloring *coloring = make_colors(3, pairs, 3), *other = make_colors(2, pairs, 3);
  ck_ok(ms_typed_from_graph(plain, coloring, 1, &graph, &err));
  for (uint32_t v = 0; v < 3; v++)
    ck_assert_str_eq(ms_typed_vertex_type_name(graph, ms_typed_vertex_type(graph, v)), wanted[v]);
  ck_assert_uint_eq(ms_typed_describe(graph).untyped, 1);
  ck_assert_str_eq(ms_typed_arc_type_name(graph, 0), "edge");
  ms_typed_free(graph);
  ck_assert_int_eq(ms_typed_from_graph(plain, other, 1, &graph, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(graph);
  ms_coloring_free(coloring);
  ms_coloring_free(other);
  ms_graph_free(plain);
}
END_TEST

/* ---- random types -------------------------------------------------------------- */

/* Random types are the same by 1, 2 and 4 threads, spread as evenly as six standard deviations
 * allow, and leave the plain graph as it was: 60,000 edges. */
START_TEST(generates_types)
{
  enum { RELATIONS = 5, DIRECTED = 2 };
  const ms_generate_options plan = {.family = MS_FAMILY_ER,
                                    .given = MS_GEN_VERTICES | MS_GEN_EDGES,
                                    .vertices = 2000,
                                    .edges = 60000,
                                    .run.seed = 3};
  ms_type_options types = {RELATIONS, DIRECTED, 3, 1};
  ms_graph *plain = NULL, *back = NULL;
  ms_typed *graph[3] = {NULL};
  uint64_t count[RELATIONS + DIRECTED] = {0};
  ck_ok(ms_generate_graph(&plan, &plain, &err));
  for (int t = 0; t < 3; t++) {
    types.threads = 1 << t;
    ck_ok(ms_add_edge_types(plain, NULL, &types, &graph[t], &err));
    ck_assert_mem_eq(graph[t]->rows.type, graph[0]->rows.type, 120000 * sizeof(ms_type));
  }
  ck_ok(validate_typed(graph[0], &err));
  ck_ok(ms_typed_plain(graph[0], 1, &back, NULL, &err));
  ck_assert_uint_eq(back->arcs, plain->arcs);
  ck_assert_mem_eq(back->neighbor, plain->neighbor, plain->arcs * sizeof(uint32_t));
  for (uint32_t v = 0; v < plain->n; v++)
    for (uint64_t a = plain->offset[v]; a < plain->offset[v + 1]; a++)
      count[graph[0]->rows.type[a]] += plain->neighbor[a] > v;
  /* 12000 a relation, 6000 a direction: 6 standard deviations */
  for (uint32_t t = 0; t < RELATIONS + DIRECTED; t++) {
    bool symmetric = graph[0]->inverse[t] == t;
    ck_assert_int_eq(symmetric, t >= 2 * DIRECTED);
    ck_assert_int_le(labs((long)count[t] - (symmetric ? 12000 : 6000)), symmetric ? 590 : 445);
  }
  ck_assert_str_eq(ms_typed_arc_type_name(graph[0], 3), "^t1");
  types.directed = RELATIONS + 1;
  ms_typed *none = NULL;
  ck_assert_int_eq(ms_add_edge_types(plain, NULL, &types, &none, &err), MS_ERR_USAGE);
  for (int t = 0; t < 3; t++)
    ms_typed_free(graph[t]);
  ms_graph_free(plain);
  ms_graph_free(back);
}
END_TEST

/* ---- memory ------------------------------------------------------------------- */

static ms_status build_all(void *user, ms_error *failure)
{
  typed_random *random = user;
  ms_typed *graph = NULL, *second = NULL, *drawn = NULL;
  ms_graph *plain = NULL;
  ms_coloring *coloring = NULL;
  const ms_type_options types = {4, 2, 1, 1};
  ms_status status = ms_typed_from_edges(&random->source, 2, &graph, failure);
  if (status == MS_OK)
    status = ms_typed_plain(graph, 1, &plain, &coloring, failure);
  if (status == MS_OK)
    status = ms_typed_from_graph(plain, coloring, 1, &second, failure);
  if (status == MS_OK)
    status = ms_add_edge_types(plain, coloring, &types, &drawn, failure);
  ms_typed_free(graph);
  ms_typed_free(second);
  ms_typed_free(drawn);
  ms_graph_free(plain);
  ms_coloring_free(coloring);
  return status;
}

/* Whichever allocation fails between a source, a multigraph and plain graphs, the call reports it
 * and leaks no block. */
START_TEST(survives_without_memory)
{
  typed_random random;
  typed_random_make(4, &random);
  ck_assert_int_gt(failing_runs(build_all, &random), 30);
}
END_TEST

TEST_MAIN("typed graphs", TEST(rows_are_those_of_the_model), TEST(finds_arcs_between),
          TEST(threads_change_nothing), TEST(validate_notices), TEST(names_of_types),
          TEST(repeats_of_relations_are_one), TEST(refuses_wrong_arrays),
          TEST(refuses_too_many_types), TEST(becomes_plain), TEST(tables_are_plain_graphs),
          TEST(comes_from_plain), TEST(colors_become_types), TEST(generates_types),
          TEST(survives_without_memory))
