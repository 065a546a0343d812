/* Matrix Market files (graph/formats/matrix_market.c): what is read, refused and written. */
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/adjacency.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/graphs/numbered_format.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define MM "%%MatrixMarket matrix coordinate "
#define SMALL ((uint64_t)64 << 20)

static ms_error err;

/* ---- reading --------------------------------------------------------------- */

/* One path of three vertices is read from matrices of all kinds of values and symmetries: eight
 * files. */
START_TEST(kinds)
{
  static const char *const texts[] = {
      MM "pattern symmetric\n3 3 2\n2 1\n3 2\n",
      MM "real general\n3 3 2\n1 2 0.5\n2 3 -1e-3\n",
      MM "integer skew-symmetric\n3 3 2\n2 1 4\n3 2 -7\n",
      MM "complex hermitian\n3 3 2\n2 1 0.5 1\n3 2 0 0\n",
      MM "unsigned-integer general\n3 3 2\n2 1 4\n3 2 0\n",
      "%%matrixmarket MATRIX Coordinate Pattern Symmetric\n%\n% x\n\n3 3 2\n%\n\n2\t1\n  3  2  "
      "\n\n",
      "%%MatrixMarket\tmatrix coordinate pattern general\r\n3 3 2\r\n1 2\r\n2 3",
      "\xEF\xBB\xBF" MM "pattern general\n3 3 2\n1 2\n3 2\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ms_graph *graph = graph_text_read("any.txt", texts[i], MS_FORMAT_AUTO);
    ms_graph_info info = ms_graph_describe(graph);
    ck_assert_int_eq(info.format, MS_FORMAT_MATRIX_MARKET);
    ck_assert_uint_eq(info.vertices, 3);
    ck_assert_uint_eq(info.edges, 2);
    ck_assert_uint_eq(info.duplicates + info.self_loops, 0);
    ck_assert_uint_eq(info.max_degree, 2);
    ck_assert_str_eq(ms_graph_name(graph, 0), "1");
    ms_graph_free(graph);
  }
}
END_TEST

/* Entries of both directions, the diagonal, explicit zeros and empty rows give the right edges,
 * duplicates and self-loops. */
START_TEST(counts)
{
  ms_graph *graph = graph_text_read(
      "net.mtx", MM "real general\n5 5 6\n1 2 0\n2 1 0\n1 1 3\n4 4 1\n4 2 1\n2 4 2\n",
      MS_FORMAT_AUTO);
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert_uint_eq(info.vertices, 5);
  ck_assert_uint_eq(info.edges, 2);
  ck_assert_uint_eq(info.self_loops, 2);
  ck_assert_uint_eq(info.duplicates, 2);
  ck_assert_uint_eq(info.lines, 8);
  ck_assert_uint_eq(ms_graph_find(graph, "5"), 4);
  ms_graph_free(graph);
}
END_TEST

/* A random matrix, general or symmetric, with values of three kinds and comments, is read as that
 * matrix: 60 matrices of up to 40 rows. */
START_TEST(random_matrices)
{
  static const char *const kind_names[] = {"pattern", "real", "complex"};
  static const char *const values[] = {"", " 1.5", "  2 -3e4"};
  uint64_t state = (uint64_t)_i * 977 + 1;
  adjacency a;
  adjacency_random(&a, &state);
  uint32_t kind = (uint32_t)(random_next(&state) % 3), loops = 0;
  bool both = random_next(&state) % 2;
  char *text = malloc(200000), *body = malloc(200000), *to = body;
  uint64_t entries = 0;
  for (uint32_t u = 0; u < a.n; u++)
    for (uint32_t v = 0; v < a.n; v++) {
      bool loop = u == v && random_next(&state) % 4 == 0;
      if (!loop && !(a.edge[u][v] && (both || u > v)))
        continue;
      if (random_next(&state) % 8 == 0)
        to = stpcpy(to, "% 1 1 1\n");
      to += sprintf(to, "%u %u%s\n", u + 1, v + 1, values[kind]);
      loops += loop;
      entries++;
    }
  *to = '\0';
  sprintf(text, "%s%s %s\n%u %u %llu\n%s", MM, kind_names[kind], both ? "general" : "symmetric",
          a.n, a.n, (unsigned long long)entries, body);
  ms_graph *graph = graph_text_read("net.mtx", text, MS_FORMAT_AUTO);
  adjacency_same(&a, graph, 1);
  ck_assert_uint_eq(ms_graph_describe(graph).self_loops, loops);
  ck_assert_uint_eq(ms_graph_describe(graph).duplicates, both ? a.edges : 0);
  ms_graph_free(graph);
  free(text);
  free(body);
}
END_TEST

/* Four files with a similar first line are read as edge lists. */
START_TEST(detection)
{
  static const char *const others[] = {"%%MatrixMarke matrix\na b\n",
                                       "a b\n%%MatrixMarket matrix coordinate pattern general\n",
                                       "%%MatrixMarketing a\na b\n"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    ms_graph *graph = graph_text_read("net.mtx", others[i], MS_FORMAT_AUTO);
    ck_assert_str_eq(graph_text_format_of(graph), "edge-list");
    ms_graph_free(graph);
  }
}
END_TEST

/* ---- damage ---------------------------------------------------------------- */

/* Any mechanical damage (malform.h) of three files of different kinds is refused or gives a valid
 * graph. */
START_TEST(survives_damage)
{
  static const char real[] = MM "real general\n% a comment\n4 4 4\n1 2 0.5\n2 3 1\n\n4 4 1e-3\n"
                                "2 1 -7\n";
  static const char pattern[] = MM "pattern symmetric\n3 3 2\n2 1\n3 2\n";
  static const char complex[] = MM "complex hermitian\n3 3 2\n2 1 1 2\n3 2 0 0\n";
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_MATRIX_MARKET, .run.memory = SMALL};
  malform_damage("net.mtx", real, sizeof real - 1, malform_read_graph, &options);
  malform_damage("net.mtx", pattern, sizeof pattern - 1, malform_read_graph, &options);
  malform_damage("net.mtx", complex, sizeof complex - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 34 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "is empty; give"),
      MALFORM("\n", 0, "is empty; give"),
      MALFORM("2 1\n3 2\n", 1, "or read the file as an edge list"),
      MALFORM("%%MatrixMarket\n", 1, "expected '%%MatrixMarket"),
      MALFORM("%%MatrixMarket vector coordinate real general\n", 1, "expected '%%MatrixMarket"),
      MALFORM(MM "real general extra\n", 1, "expected '%%MatrixMarket"),
      MALFORM("%%MatrixMarket matrix array real general\n2 2\n1\n0\n", 1, "as 'coordinate'"),
      MALFORM("%%MatrixMarket matrix sparse real general\n", 1, "unknown kind of matrix"),
      MALFORM(MM "boolean general\n", 1, "unknown kind of values"),
      MALFORM(MM "real triangular\n", 1, "unknown symmetry"),
      MALFORM(MM "real general\n", 1, "expected the numbers of rows"),
      MALFORM(MM "real general\n% no size\n", 2, "expected the numbers of rows"),
      MALFORM(MM "real general\n3 3\n", 2, "expected the numbers of rows"),
      MALFORM(MM "real general\n3 3 1 1\n", 2, "expected the numbers of rows"),
      MALFORM(MM "real general\n% x\n3 4 1\n1 2 1\n", 3, "3 rows and 4 columns"),
      MALFORM(MM "real general\n0 0 0\n", 2, "0 rows and 0 columns"),
      MALFORM(MM "real general\n-3 3 1\n", 2, "number of rows '-3' is not a whole number"),
      MALFORM(MM "real general\n3 3.0 1\n", 2, "number of columns '3.0' is not"),
      MALFORM(MM "real general\n3 3 x\n", 2, "number of entries 'x' is not"),
      MALFORM(MM "pattern general\n4294967296 4294967296 1\n1 2\n", 2, "number of rows"),
      MALFORM(MM "pattern general\n4000000000 4000000000 1\n1 2\n", 2, "64 MiB that are allowed"),
      MALFORM(MM "pattern general\n3 3 18446744073709551616\n", 2, "number of entries"),
      MALFORM(MM "pattern general\n3 3 18446744073709551615\n1 2\n", 3, "after 1 of"),
      MALFORM(MM "real general\n3 3 1\n1 2\n", 3, "1 values, as the first line says, found 2 "),
      MALFORM(MM "pattern general\n3 3 1\n1 2 1\n", 3, "0 values, as the first line says, found 3"),
      MALFORM(MM "complex general\n3 3 1\n1 2 1 2 3 4\n", 3, "found 5 or more fields"),
      MALFORM(MM "pattern general\n3 3 1\n0 2\n", 3, "'0' is not a number from 1 to 3"),
      MALFORM(MM "pattern general\n3 3 1\n1 4\n", 3, "'4' is not a number from 1 to 3"),
      MALFORM(MM "pattern general\n3 3 1\n1 \xFF\n", 3, "the vertex is not a number"),
      MALFORM(MM "real general\n3 3 1\n1 2 nan\n", 3, "the value 'nan' is not a finite number"),
      MALFORM(MM "complex general\n3 3 1\n1 2 1 i\n", 3, "the value 'i' is not"),
      MALFORM(MM "pattern general\n3 3 2\n1 2\n", 3, "after 1 of 2 entries"),
      MALFORM(MM "pattern general\n3 3 1\n1 2\n% x\n2 3\n", 5, "more than the 1 entries"),
      MALFORM(MM "pattern general\n3 3 1\n1\0 2\n", 3, "holds a NUL byte"),
  };
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_MATRIX_MARKET, .run.memory = SMALL};
  malform_refuses("net.mtx", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* Whichever allocation fails while a matrix is read, the reader reports it and leaks no block. */
START_TEST(memory_runs_out)
{
  static const char text[] = MM "pattern symmetric\n3 3 2\n2 1\n3 2\n";
  failing_graph_reads(files_write("net.mtx", text, sizeof text - 1), NULL);
}
END_TEST

/* ---- writing --------------------------------------------------------------- */

/* A written triangle with a fourth vertex alone has exactly the expected bytes. */
START_TEST(writes)
{
  numbered_format_writes("out.mtx", MS_FORMAT_MATRIX_MARKET,
                         MM "pattern symmetric\n4 4 3\n2 1\n3 1\n3 2\n");
}
END_TEST

/* A graph is written and read back as it was: one vertex, and 19 random graphs of up to 40. */
START_TEST(round_trips)
{
  numbered_format_round_trips("net.mtx", MS_FORMAT_MATRIX_MARKET, _i, 1);
}
END_TEST

/* ---- real data ------------------------------------------------------------- */

/* The road network of Luxembourg, a list of entries without banner and size, has the vertices and
 * edges that a plain loop counts, read as the edge list that it is, and as a matrix with the
 * missing lines in front. */
START_TEST(real_roads)
{
  enum { ROOM = 200000 };
  static bool seen[ROOM];
  uint32_t n = 0;
  uint64_t entries = 0;
  char line[100];
  const char *path = files_data("web_social/luxembourg_osm.mtx.gz");
  if (!path) {
    printf("SKIPPED: format: matrix market: no luxembourg_osm.mtx.gz\n");
    return;
  }
  ms_graph *graph;
  ck_assert_msg(ms_graph_read(path, NULL, &graph, &err) == MS_OK, "%s", err.message);
  gzFile in = gzopen(path, "rb");
  char *body = malloc((size_t)4 << 20), *to = body;
  while (gzgets(in, line, sizeof line)) {
    unsigned row, column;
    ck_assert_int_eq(sscanf(line, "%u %u", &row, &column), 2);
    ck_assert(row > column && row < ROOM); /* lower triangle: no loops, no reverse */
    n += !seen[row] + !seen[column];
    seen[row] = seen[column] = true;
    entries++;
    to = stpcpy(to, line);
  }
  gzclose(in);
  ck_assert_str_eq(graph_text_format_of(graph), "edge-list");
  ck_assert_uint_eq(ms_graph_vertex_count(graph), n);
  ck_assert_uint_eq(ms_graph_edge_count(graph), entries);
  ms_graph_free(graph);

  char *text = malloc((size_t)4 << 20);
  sprintf(text, "%spattern symmetric\n%u %u %llu\n%s", MM, n, n, (unsigned long long)entries, body);
  graph = graph_text_read("roads.mtx", text, MS_FORMAT_AUTO);
  ck_assert_uint_eq(ms_graph_describe(graph).format, MS_FORMAT_MATRIX_MARKET);
  ck_assert_uint_eq(ms_graph_vertex_count(graph), n);
  ck_assert_uint_eq(ms_graph_edge_count(graph), entries);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t degree;
    ms_graph_neighbors(graph, v, &degree);
    ck_assert((degree > 0) == seen[v + 1]);
  }
  malform_round_trip("roads.mtx", graph, NULL, MS_FORMAT_MATRIX_MARKET);
  ms_graph_free(graph);
  free(body);
  free(text);
}
END_TEST

/* Ten real files whose content or ending resembles a format of numbers are read as edge lists. */
START_TEST(edge_lists_stay_edge_lists)
{
  static const char *const names[] = {"web_social/email-Enron.txt.gz",
                                      "web_social/facebook_combined.txt.gz",
                                      "web_social/wiki-Vote.el.gz",
                                      "web_social/loc-brightkite_social_location.el.gz",
                                      "web_social/luxembourg_osm.mtx.gz",
                                      "human/BioGRID_HSapiens-3.4.164.el.gz",
                                      "human/HI-II-14.tsv.gz",
                                      "yeast/Collins2007.txt.gz",
                                      "yeast/Krogan2006core.txt.gz",
                                      "homology/1-hs9606.tab.gz"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ms_graph *graph = NULL;
    const char *path = files_data(names[i]);
    if (!path) {
      printf("SKIPPED: format: matrix market: no %s\n", names[i]);
      continue;
    }
    ck_assert_msg(ms_graph_read(path, NULL, &graph, &err) == MS_OK, "%s", err.message);
    ck_assert_msg(strcmp(graph_text_format_of(graph), "edge-list") == 0, "%s", names[i]);
    ms_graph_free(graph);
  }
}
END_TEST

TEST_MAIN("format: matrix market", TEST(kinds), TEST(counts), TEST_TIMES(random_matrices, 60),
          TEST(detection), TEST(survives_damage), TEST(refuses), TEST(memory_runs_out),
          TEST(writes), TEST_TIMES(round_trips, 20), TEST(real_roads),
          TEST(edge_lists_stay_edge_lists))
