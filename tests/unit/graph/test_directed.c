/* Directions of edges (graph/direct.c), given by arrays and by readers, against a matrix of arcs.
 */
#include "base/hooks.h"
#include "base/philox.h"
#include "base/threads/threads.h"
#include "graph/graph.h"
#include "query/pattern.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64u

static ms_error err;

/* ---- random arcs --------------------------------------------------------- */

typedef struct arcs {
  uint32_t n;
  uint64_t m;
  uint32_t (*pair)[2]; /* [m], with repeats and self-loops */
  bool arc[MOST][MOST];
} arcs;

static uint32_t draw(uint32_t seed, uint32_t i, uint32_t below)
{
  uint32_t word[4];
  ms_philox4x32((const uint32_t[4]){i}, (const uint32_t[2]){seed, 7}, word);
  return word[0] % below;
}

static arcs make_arcs(uint32_t seed)
{
  arcs a = {.n = 2 + draw(seed, 0, MOST - 2)};
  a.m = 1 + draw(seed, 1, a.n * a.n);
  a.pair = malloc((a.m + 1) * sizeof *a.pair);
  ck_assert_ptr_nonnull(a.pair);
  for (uint32_t e = 0; e < a.m; e++) {
    uint32_t u = draw(seed, 2 * e + 2, a.n), v = draw(seed, 2 * e + 3, a.n);
    a.pair[e][0] = u;
    a.pair[e][1] = v;
    a.arc[u][v] = true;
  }
  return a;
}

/* Returns the number of a vertex by its name, such as "v7"; `first` is 1 in formats that count
 * from 1. */
static uint32_t number_of(const ms_graph *graph, uint32_t v, uint32_t first)
{
  const char *name = ms_graph_name(graph, v);
  return (uint32_t)strtoul(name + (*name == 'v'), NULL, 10) - first;
}

/* All arcs of the matrix but self-loops, and no other. */
static void check_arcs(const ms_graph *graph, const arcs *a, uint32_t first)
{
  uint64_t found = 0, wanted = 0;
  ck_ok(validate_graph(graph, &err));
  ck_assert(ms_graph_directed(graph) && ms_graph_describe(graph).directed);
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree, i = number_of(graph, v, first);
    const uint32_t *neighbor = ms_graph_neighbors(graph, v, &degree);
    const uint8_t *direction = ms_graph_arcs(graph, v);
    for (uint32_t d = 0; d < degree; d++) {
      uint32_t j = number_of(graph, neighbor[d], first);
      ck_assert_uint_lt(i, a->n);
      ck_assert_uint_lt(j, a->n);
      ck_assert_msg(direction[d] == a->arc[i][j] + 2 * a->arc[j][i], "%u and %u: %u", i, j,
                    direction[d]);
      found += direction[d] & 1;
    }
  }
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      wanted += i != j && a->arc[i][j];
  ck_assert_uint_eq(found, wanted);
}

/* The rest of it is the graph that it would be without directions. */
static void check_rest(const ms_graph *directed, const ms_graph *plain)
{
  ms_graph_info d = ms_graph_describe(directed), p = ms_graph_describe(plain);
  ck_assert(!ms_graph_directed(plain) && !p.directed && !ms_graph_arcs(plain, 0));
  ck_assert_uint_eq(d.vertices, p.vertices);
  ck_assert_uint_eq(d.edges, p.edges);
  ck_assert_uint_eq(d.self_loops, p.self_loops);
  ck_assert_uint_eq(d.duplicates, p.duplicates);
  ck_assert_uint_eq(d.max_degree, p.max_degree);
  ck_assert_mem_eq(directed->offset, plain->offset, (p.vertices + 1) * sizeof *plain->offset);
  ck_assert_mem_eq(directed->neighbor, plain->neighbor, plain->arcs * sizeof *plain->neighbor);
}

/* Each pair of neighbours has the directions of the matrix, and all else is the graph without
 * directions: 200 random graphs of 2 to 63 vertices, on one thread and on all. */
START_TEST(from_arcs)
{
  for (uint32_t seed = 0; seed < 200; seed++) {
    arcs a = make_arcs(seed);
    ms_graph *graph = NULL, *plain = NULL;
    ms_hooks.work_for_threads = seed % 2 ? 0 : ms_hooks_default.work_for_threads;
    ck_ok(ms_graph_from_arcs(a.n, a.m, (const uint32_t(*)[2])a.pair, NULL, &graph, &err));
    ck_ok(ms_graph_from_edges(a.n, a.m, (const uint32_t(*)[2])a.pair, NULL, &plain, &err));
    check_arcs(graph, &a, 0);
    check_rest(graph, plain);
    ms_graph_free(graph);
    ms_graph_free(plain);
    free(a.pair);
  }
  ms_hooks = ms_hooks_default;
}
END_TEST

/* An arc to a vertex that is not there, and two vertices of one name, are refused. */
START_TEST(from_arcs_refuses)
{
  static const uint32_t far[][2] = {{0, 3}};
  static const char *const same[] = {"a", "a"};
  ms_graph *graph = (ms_graph *)1;
  ck_assert_int_eq(ms_graph_from_arcs(3, 1, far, NULL, &graph, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(graph);
  ck_assert_int_eq(ms_graph_from_arcs(2, 0, NULL, same, &graph, &err), MS_ERR_USAGE);
  ck_assert_ptr_null(graph);
}
END_TEST

/* A directed graph without edges is directed and valid. */
START_TEST(without_edges)
{
  ms_graph *graph = NULL;
  ck_ok(ms_graph_from_arcs(2, 0, NULL, NULL, &graph, &err));
  ck_assert(ms_graph_directed(graph));
  ck_ok(validate_graph(graph, &err));
  ms_graph_free(graph);
}
END_TEST

/* Validation notices each of the 255 wrong values of each direction byte of a graph, and a
 * description that disagrees with the graph. */
START_TEST(validation)
{
  arcs a = make_arcs(3);
  ms_graph *graph = NULL;
  ck_ok(ms_graph_from_arcs(a.n, a.m, (const uint32_t(*)[2])a.pair, NULL, &graph, &err));
  ck_assert_uint_gt(graph->arcs, 0);
  for (uint64_t i = 0; i < graph->arcs; i++)
    for (unsigned wrong = 0; wrong < 256; wrong++) {
      uint8_t right = graph->direction[i];
      graph->direction[i] = (uint8_t)wrong;
      ck_assert_int_eq(validate_graph(graph, &err), wrong == right ? MS_OK : MS_ERR_INTERNAL);
      graph->direction[i] = right;
    }
  graph->info.directed = false;
  ck_assert_int_eq(validate_graph(graph, &err), MS_ERR_INTERNAL);
  ms_graph_free(graph);
  free(a.pair);
}
END_TEST

/* ---- files --------------------------------------------------------------- */

static char text[1 << 20];
static size_t used;

MS_PRINTF(1, 2) static void put(const char *format, ...)
{
  va_list values;
  va_start(values, format);
  int wrote = vsnprintf(text + used, sizeof text - used, format, values);
  va_end(values);
  used += (size_t)wrote;
  ck_assert_uint_lt(used, sizeof text);
}

static void put_edge_list(arcs *a)
{
  for (uint64_t e = 0; e < a->m; e++)
    put("v%u\tv%u\t0.5\n", a->pair[e][0], a->pair[e][1]);
}

/* Quotes keep the lines from going by blocks. */
static void put_csv(arcs *a)
{
  for (uint64_t e = 0; e < a->m; e++)
    put("\"v%u\",v%u\n", a->pair[e][0], a->pair[e][1]);
}

static void put_sif(arcs *a)
{
  for (uint64_t e = 0; e < a->m; e++)
    if (e > 0 && a->pair[e][0] == a->pair[e - 1][0])
      put("\tv%u", a->pair[e][1]);
    else
      put("%sv%u\tpp\tv%u", e ? "\n" : "", a->pair[e][0], a->pair[e][1]);
  put("\n");
}

static void put_tve(arcs *a)
{
  put("t 0 %u\n", a->n);
  for (uint32_t v = 0; v < a->n; v++)
    put("v %u x\n", v);
  for (uint64_t e = 0; e < a->m; e++)
    put("e %u %u\n", a->pair[e][0], a->pair[e][1]);
}

static void put_lad(arcs *a)
{
  put("%u\n", a->n);
  for (uint32_t v = 0; v < a->n; v++) {
    uint32_t degree = 0;
    for (uint32_t u = 0; u < a->n; u++)
      degree += a->arc[v][u];
    put("%u", degree);
    for (uint32_t u = 0; u < a->n; u++)
      if (a->arc[v][u])
        put(" %u", u);
    put("\n");
  }
}

static void put_general(arcs *a)
{
  put("%%%%MatrixMarket matrix coordinate pattern general\n%u %u %llu\n", a->n, a->n,
      (unsigned long long)a->m);
  for (uint64_t e = 0; e < a->m; e++)
    put("%u %u\n", a->pair[e][0] + 1, a->pair[e][1] + 1);
}

/* Either triangle, and the matrix has both. */
static void put_symmetric(arcs *a)
{
  static const char *const kinds[] = {"symmetric", "skew-symmetric", "hermitian"};
  put("%%%%MatrixMarket matrix coordinate integer %s\n%u %u %llu\n", kinds[a->m % 3], a->n, a->n,
      (unsigned long long)a->m);
  for (uint64_t e = 0; e < a->m; e++) {
    put("%u %u 1\n", a->pair[e][0] + 1, a->pair[e][1] + 1);
    a->arc[a->pair[e][1]][a->pair[e][0]] = true;
  }
}

/* Every kind of edge, under both defaults and none. */
static void put_graphml(arcs *a)
{
  static const char *const defaults[] = {"", " edgedefault='directed'",
                                         " edgedefault='undirected'"};
  static const char *const kinds[] = {"", " directed='true'", " directed='1'", " directed='false'",
                                      " directed='0'"};
  uint64_t by_default = a->m % 3;
  put("<graphml><graph%s>\n", defaults[by_default]);
  for (uint32_t v = 0; v < a->n; v++)
    put("<node id='v%u'/>", v);
  for (uint64_t e = 0; e < a->m; e++) {
    uint64_t kind = e % 5;
    put("<edge source='v%u' target='v%u'%s/>\n", a->pair[e][0], a->pair[e][1], kinds[kind]);
    if (kind >= 3 || (kind == 0 && by_default == 2))
      a->arc[a->pair[e][1]][a->pair[e][0]] = true;
  }
  put("</graph></graphml>\n");
}

static const struct writer {
  void (*put)(arcs *a);
  ms_graph_format format;
  uint32_t first;
} writers[] = {
    {put_edge_list, MS_FORMAT_EDGE_LIST, 0},
    {put_csv, MS_FORMAT_EDGE_LIST, 0},
    {put_sif, MS_FORMAT_SIF, 0},
    {put_tve, MS_FORMAT_TVE, 0},
    {put_lad, MS_FORMAT_LAD, 0},
    {put_general, MS_FORMAT_MATRIX_MARKET, 1},
    {put_symmetric, MS_FORMAT_MATRIX_MARKET, 1},
    {put_graphml, MS_FORMAT_GRAPHML, 0},
};

/* Eight writers of seven formats give files that are read with the directions of the matrix, and
 * without the option as the plain graph: 60 random graphs each. */
START_TEST(formats)
{
  const struct writer *w = &writers[_i];
  for (uint32_t seed = 0; seed < 60; seed++) {
    arcs a = make_arcs(seed);
    ms_graph_options options = {
        .size = sizeof(ms_graph_options), .format = w->format, .run.threads = 3};
    ms_graph *graph = NULL, *plain = NULL;
    used = 0;
    w->put(&a);
    const char *path = files_write("net", text, used);
    ck_ok(ms_graph_read(path, &options, &plain, &err));
    options.directed = true;
    ck_ok(ms_graph_read(path, &options, &graph, &err));
    ck_assert_int_eq(ms_graph_describe(graph).format, w->format);
    check_arcs(graph, &a, w->first);
    check_rest(graph, plain);
    ms_graph_free(graph);
    ms_graph_free(plain);
    free(a.pair);
  }
}
END_TEST

/* 60,000 lines, which threads read in blocks, give exactly the arcs that were drawn. */
START_TEST(long_list)
{
  enum { LINES = 60000, N = 5000 };
  uint32_t(*pair)[2] = malloc(LINES * sizeof *pair);
  ck_assert_ptr_nonnull(pair);
  used = 0;
  for (uint32_t e = 0; e < LINES; e++) {
    pair[e][0] = draw(1, 2 * e, N);
    pair[e][1] = draw(1, 2 * e + 1, N);
    put("%u %u\n", pair[e][0], pair[e][1]);
  }
  ms_graph_options options = {.size = sizeof(ms_graph_options), .directed = true, .run.threads = 4};
  ms_graph *graph = NULL;
  ck_ok(ms_graph_read(files_write("net.txt", text, used), &options, &graph, &err));
  ck_ok(validate_graph(graph, &err));
  uint64_t bits = 0, wanted = 0;
  for (uint64_t i = 0; i < graph->arcs; i++)
    bits += (uint64_t)__builtin_popcount(graph->direction[i]);
  bool *seen = calloc((size_t)N * N, sizeof *seen);
  ck_assert_ptr_nonnull(seen);
  for (uint32_t e = 0; e < LINES; e++) {
    uint32_t u = pair[e][0], v = pair[e][1], degree, i = 0;
    char name[2][16];
    snprintf(name[0], sizeof name[0], "%u", u);
    snprintf(name[1], sizeof name[1], "%u", v);
    uint32_t tail = ms_graph_find(graph, name[0]), head = ms_graph_find(graph, name[1]);
    const uint32_t *neighbor = ms_graph_neighbors(graph, tail, &degree);
    while (u != v && i < degree && neighbor[i] != head)
      i++;
    ck_assert(u == v || (i < degree && (ms_graph_arcs(graph, tail)[i] & 1)));
    wanted += u != v && !seen[(size_t)u * N + v];
    seen[(size_t)u * N + v] = true;
  }
  ck_assert_uint_eq(bits, 2 * wanted);
  ms_graph_free(graph);
  free(seen);
  free(pair);
}
END_TEST

/* Ten formats accept the option for directed edges, and every other format refuses it with the
 * reason. */
START_TEST(refusals)
{
  static const ms_graph_format known[] = {MS_FORMAT_EDGE_LIST,     MS_FORMAT_SIF, MS_FORMAT_TVE,
                                          MS_FORMAT_MATRIX_MARKET, MS_FORMAT_LAD, MS_FORMAT_GRAPHML,
                                          MS_FORMAT_TABLE,         MS_FORMAT_RI,  MS_FORMAT_CX2,
                                          MS_FORMAT_TYPED_BINARY};
  ms_graph *graph = NULL;
  ck_ok(ms_graph_from_edges(2, 1, (const uint32_t[][2]){{0, 1}}, NULL, &graph, &err));
  ck_ok(ms_graph_write(graph, NULL, MS_FORMAT_BINARY, files_path("net.msb"), &err));
  ms_graph_free(graph);
  ms_typed *typed;
  ck_ok(ms_typed_read(
      files_write_text("net.table", ms_graph_format_describe(MS_FORMAT_TABLE).example),
      &(ms_typed_options){.size = sizeof(ms_typed_options), .format = MS_TYPED_TABLE}, &typed,
      &err));
  ck_ok(ms_typed_write_binary(typed, files_path("net.mst"), &err));
  ms_typed_free(typed);
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++) {
    ms_graph_options options = {
        .size = sizeof(ms_graph_options), .format = (ms_graph_format)f, .directed = true};
    const char *example = ms_graph_format_describe(options.format).example;
    const char *path = f == MS_FORMAT_BINARY         ? files_path("net.msb")
                       : f == MS_FORMAT_TYPED_BINARY ? files_path("net.mst")
                                                     : files_write_text("net", example);
    bool says = false;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
      says |= known[i] == options.format;
    ms_status status = ms_graph_read(path, &options, &graph, &err);
    ck_assert_msg(status == (says ? MS_OK : MS_ERR_USAGE), "%d: status %d: %s", f, (int)status,
                  err.message);
    ck_assert_int_eq(graph != NULL, says);
    if (!says)
      ck_assert_msg(strstr(err.message, "`directed` is given"), "%s", err.message);
    ms_graph_free(graph);
  }
}
END_TEST

#define NODES "<node id='a'/><node id='b'/>"

/* A GraphML file with a bad attribute of direction is refused where directions are asked for, and
 * read where they are not: two files. */
START_TEST(bad_attributes)
{
  static const malform_case cases[] = {
      MALFORM("<graphml>\n<graph edgedefault='no'>" NODES "</graph></graphml>", 2,
              "'edgedefault' is neither 'directed' nor 'undirected'; "),
      MALFORM("<graphml><graph>" NODES "\n<edge source='a' target='b' directed='yes'/>"
              "</graph></graphml>",
              2, "'directed' is neither 'true' nor 'false'; "),
  };
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_GRAPHML, .directed = true};
  malform_refuses("net.graphml", cases, 2, malform_read_graph, &options);
  options.directed = false; /* then they are not looked at */
  for (int i = 0; i < 2; i++)
    ck_ok(malform_read_graph(files_write("net.graphml", cases[i].text, cases[i].size), &options,
                             &err));
}
END_TEST

/* Any mechanical damage (malform.h), and any allocation that fails, of a directed file of four
 * edges is reported and leaves nothing behind: eight writers. */
START_TEST(survives_damage)
{
  const struct writer *w = &writers[_i];
  static uint32_t pair[][2] = {{0, 1}, {1, 2}, {2, 1}, {3, 0}};
  arcs a = {.n = 4, .m = 4, .pair = pair};
  for (size_t e = 0; e < a.m; e++)
    a.arc[pair[e][0]][pair[e][1]] = true;
  ms_graph_options options = {.size = sizeof(ms_graph_options),
                              .format = w->format,
                              .run.memory = 64 << 20,
                              .directed = true};
  used = 0;
  w->put(&a);
  malform_damage("net", text, used, malform_read_graph, &options);
  failing_graph_reads(files_write("net", text, used), &options);
}
END_TEST

/* An edge list and GraphML keep the directions of 200 random graphs; every other format refuses
 * to write a directed graph. */
START_TEST(keeps_directions)
{
  enum { N = 9 };
  static const ms_graph_format kept[] = {MS_FORMAT_EDGE_LIST, MS_FORMAT_GRAPHML};
  srand((unsigned)_i);
  uint32_t pair[20][2], m = 1 + (uint32_t)rand() % 20;
  for (uint32_t e = 0; e < m; e++)
    for (int i = 0; i < 2; i++)
      pair[e][i] = (uint32_t)rand() % N;
  ms_graph *graph, *again;
  ck_ok(ms_graph_from_arcs(N, m, (const uint32_t(*)[2])pair, NULL, &graph, &err));
  for (size_t f = 0; f < 2; f++) {
    const char *path = files_path("kept");
    ms_graph_options options = {
        .size = sizeof(ms_graph_options), .format = kept[f], .directed = true};
    ck_ok(ms_graph_write(graph, NULL, kept[f], path, &err));
    ck_ok(ms_graph_read(path, &options, &again, &err));
    ck_assert_uint_eq(ms_graph_edge_count(again), ms_graph_edge_count(graph));
    for (uint32_t v = 0; v < N; v++) {
      uint32_t degree, other_degree, w = ms_graph_find(again, ms_graph_name(graph, v));
      const uint32_t *neighbor = ms_graph_neighbors(graph, v, &degree);
      const uint32_t *other = ms_graph_neighbors(again, w, &other_degree);
      ck_assert_uint_eq(degree, other_degree);
      for (uint32_t i = 0, j; i < degree; i++) {
        uint32_t wanted = ms_graph_find(again, ms_graph_name(graph, neighbor[i]));
        for (j = 0; j < degree && other[j] != wanted; j++)
          continue;
        ck_assert_uint_lt(j, degree);
        ck_assert_uint_eq(ms_graph_arcs(again, w)[j], ms_graph_arcs(graph, v)[i]);
      }
    }
    ms_graph_free(again);
  }
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (f != MS_FORMAT_EDGE_LIST && f != MS_FORMAT_GRAPHML)
      ck_assert_int_eq(ms_graph_write(graph, NULL, (ms_graph_format)f, files_path("no"), &err),
                       MS_ERR_USAGE);
  ms_graph_free(graph);
}
END_TEST

static ms_status make_graph(void *user, ms_error *e)
{
  const arcs *a = user;
  ms_graph *graph = NULL;
  ms_status status = ms_graph_from_arcs(a->n, a->m, (const uint32_t(*)[2])a->pair, NULL, &graph, e);
  ck_assert_int_eq(status == MS_OK, graph != NULL);
  ms_graph_free(graph);
  return status;
}

/* Whichever allocation fails while a directed graph is built, the call reports it and leaks no
 * block. */
START_TEST(survives_lack_of_memory)
{
  arcs a = make_arcs(5);
  ck_assert_int_gt(failing_runs(make_graph, &a), 5);
  free(a.pair);
}
END_TEST

/* ---- patterns ------------------------------------------------------------ */

/* A pattern read from a LAD file has the arcs of the matrix, or their union without directions: 40
 * random graphs, both ways. */
START_TEST(patterns)
{
  for (uint32_t seed = 0; seed < 40; seed++) {
    arcs a = make_arcs(seed);
    for (uint32_t v = 0; v < a.n; v++)
      a.arc[v][v] = false;
    used = 0;
    put_lad(&a);
    const char *path = files_write("p.lad", text, used);
    for (int directed = 0; directed < 2; directed++) {
      ms_graph_options options = {
          .size = sizeof(ms_graph_options), .format = MS_FORMAT_LAD, .directed = directed};
      ms_pattern *p = NULL;
      ck_ok(ms_pattern_read(path, &options, NULL, &p, &err));
      ck_assert_int_eq(p->directed, directed);
      for (uint32_t u = 0; u < a.n; u++)
        for (uint32_t v = 0; v < a.n; v++) {
          bool out = a.arc[u][v], in = a.arc[v][u];
          ck_assert_int_eq((int)(ms_bitset_has(&p->out[u], v)), directed ? out : out || in);
          ck_assert_int_eq((int)(ms_bitset_has(&p->in[u], v)), directed ? in : out || in);
        }
      ms_pattern_free(p);
    }
    free(a.pair);
  }
}
END_TEST

TEST_MAIN("directed graphs", TEST(from_arcs), TEST(from_arcs_refuses), TEST(without_edges),
          TEST(validation), TEST_TIMES(formats, sizeof writers / sizeof *writers), TEST(long_list),
          TEST(refusals), TEST(bad_attributes),
          TEST_TIMES(survives_damage, sizeof writers / sizeof *writers),
          TEST_TIMES(keeps_directions, 200), TEST(survives_lack_of_memory), TEST(patterns))
