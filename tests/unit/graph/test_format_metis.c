/* METIS graphs (graph/formats/metis.c): what is read, refused and written. */
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

#define SMALL ((uint64_t)64 << 20)

static ms_error err;

/* ---- reading --------------------------------------------------------------- */

/* A path of three vertices beside a fourth is read with every kind of weights, comments and blanks:
 * nine spellings. */
START_TEST(forms)
{
  static const char *const texts[] = {
      "4 2\n2\n1 3\n2\n\n",
      "% a comment\n4 2 0\n% another\n2\n%\n3 1\n2\n\n% the end\n\n",
      "4\t2 000\r\n 2\r\n1\t3 \r\n2\r\n\r\n",
      "4 2 1\n2 9\n1 9 3 4.5\n2 4.5\n\n",
      "4 2 10\n7 2\n7 1 3\n7 2\n7\n",
      "4 2 010 0\n7 2\n7 1 3\n7 2\n7",
      "4 2 011 2\n7 8 2 1\n7 8 1 1 3 1\n7 8 2 1\n7 8\n",
      "4 2 100\n5 2\n5 1 3\n5 2\n5\n",
      "4 2 111 3\n5 1 1 1 2 6\n5 1 1 1 1 6 3 6\n5 1 1 1 2 6\n5 1 1 1\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ms_graph *graph = graph_text_read(i % 2 ? "net.graph" : "net.metis", texts[i], MS_FORMAT_AUTO);
    ms_graph_info info = ms_graph_describe(graph);
    ck_assert_str_eq(graph_text_format_of(graph), "metis");
    ck_assert_uint_eq(info.vertices, 4);
    ck_assert_uint_eq(info.edges, 2);
    ck_assert_uint_eq(info.duplicates + info.self_loops, 0);
    ck_assert_uint_eq(info.max_degree, 2);
    ck_assert_str_eq(ms_graph_name(graph, 3), "4");
    ms_graph_free(graph);
  }
}
END_TEST

/* A double edge is one edge and one duplicate. */
START_TEST(double_edges)
{
  ms_graph *graph = graph_text_read("net.metis", "3 3\n2 2\n1 3 1\n2\n", MS_FORMAT_AUTO);
  ck_assert_uint_eq(ms_graph_describe(graph).edges, 2);
  ck_assert_uint_eq(ms_graph_describe(graph).duplicates, 1);
  ck_assert_uint_eq(ms_graph_describe(graph).lines, 4);
  ms_graph_free(graph);
}
END_TEST

/* A random graph of up to 40 vertices, with random weights, order of neighbours and comments, is
 * read as its matrix: 60 graphs. */
START_TEST(random_graphs)
{
  uint64_t state = (uint64_t)_i * 131 + 3;
  adjacency a;
  adjacency_random(&a, &state);
  uint32_t sizes = random_next(&state) % 2, weights = (uint32_t)(random_next(&state) % 4);
  uint32_t edge_weights = random_next(&state) % 2;
  char *text = malloc(200000), *to = text;
  to += sprintf(to, "%u %llu %u%u%u %u\n", a.n, (unsigned long long)a.edges, sizes, weights > 0,
                edge_weights, weights);
  for (uint32_t u = 0; u < a.n; u++) {
    uint32_t start = (uint32_t)(random_next(&state) % a.n);
    if (random_next(&state) % 5 == 0)
      to = stpcpy(to, "% 1 2 3\n");
    for (uint32_t i = 0; i < sizes + weights; i++)
      to += sprintf(to, "%llu ", (unsigned long long)(random_next(&state) % 100));
    for (uint32_t i = 0; i < a.n; i++) {
      uint32_t v = (start + i) % a.n;
      if (a.edge[u][v])
        to += sprintf(to, edge_weights ? "%u 77 " : "%u ", v + 1);
    }
    to = stpcpy(to, "\n");
  }
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_METIS};
  ms_graph *graph;
  ck_assert_msg(ms_graph_read(files_write("net.graph", text, (size_t)(to - text)), &options, &graph,
                              &err) == MS_OK,
                "%s", err.message);
  adjacency_same(&a, graph, 1);
  ck_assert_uint_eq(ms_graph_describe(graph).duplicates, 0);
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* One arc taken out of a random graph is noticed, and the message names the line that has the other
 * arc: 60 graphs. */
START_TEST(one_sided_edges)
{
  uint64_t state = (uint64_t)_i * 17 + 11;
  adjacency a;
  do
    adjacency_random(&a, &state);
  while (a.edges == 0);
  uint32_t from, to_vertex;
  do {
    from = (uint32_t)(random_next(&state) % a.n);
    to_vertex = (uint32_t)(random_next(&state) % a.n);
  } while (!a.edge[from][to_vertex]);
  char *text = malloc(100000), *to = text, expected[100];
  to += sprintf(to, "%u %llu\n", a.n, (unsigned long long)a.edges);
  for (uint32_t u = 0; u < a.n; u++) {
    for (uint32_t v = 0; v < a.n; v++)
      if (a.edge[u][v] && !(u == from && v == to_vertex))
        to += sprintf(to, " %u", v + 1);
    to = stpcpy(to, "\n");
  }
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_METIS};
  ms_graph *graph;
  const char *path = files_write("net.graph", text, (size_t)(to - text));
  ck_assert_int_eq(ms_graph_read(path, &options, &graph, &err), MS_ERR_INPUT);
  snprintf(expected, sizeof expected,
           "net.graph:%u: vertex %u lists %u, but line %u, of vertex %u,", to_vertex + 2,
           to_vertex + 1, from + 1, from + 2, from + 1);
  ck_assert_msg(strstr(err.message, expected), "wanted '%s': %s", expected, err.message);
  free(text);
}
END_TEST

/* The format is detected by ending and header together, and other files with that ending are read
 * as edge lists: nine files, and one with gzip. */
START_TEST(detection)
{
  static const struct {
    const char *name, *text;
    const char *format;
  } cases[] = {
      {"net.graph", "3 1\n2\n1\n\n", "metis"},
      {"net.metis", "% x\n3 1\n2\n1\n\n", "metis"},
      {"net.txt", "3 1\n2 1\n", "edge-list"},   /* not so named */
      {"net.graph", "1 2\n2 3\n", "edge-list"}, /* 2 edges on 1 vertex */
      {"net.graph", "3 4\n4 5\n", "edge-list"}, /* 4 edges on 3 vertices */
      {"net.graph", "0 1\n1 2\n", "edge-list"},
      {"net.graph", "a b\n", "edge-list"},
      {"net.graph", "10 3 0.5\n3 4 0.25\n", "edge-list"},
      {"net.graph", "10 3 012\n3 4 2\n", "edge-list"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = graph_text_read(cases[i].name, cases[i].text, MS_FORMAT_AUTO);
    ck_assert_msg(strcmp(graph_text_format_of(graph), cases[i].format) == 0, "case %zu: %s", i,
                  graph_text_format_of(graph));
    ms_graph_free(graph);
  }
  ms_graph *graph;
  const char *path = files_write_gzip("net.graph.gz", "2 1\n2\n1\n", 8, 1);
  ck_assert_int_eq(ms_graph_read(path, NULL, &graph, &err), MS_OK);
  ck_assert_str_eq(graph_text_format_of(graph), "metis");
  ms_graph_free(graph);
}
END_TEST

/* A vertex with 59,999 neighbours has a line longer than the read buffer, and is read. */
START_TEST(long_lines)
{
  enum { N = 60000 };
  char *text = malloc((size_t)N * 16), *to = text;
  to += sprintf(to, "%d %d\n", N, N - 1);
  for (int v = 2; v <= N; v++)
    to += sprintf(to, "%d ", v);
  for (int v = 2; v <= N; v++)
    to = stpcpy(to, "\n1");
  ms_graph *graph = graph_text_read("star.graph", text, MS_FORMAT_AUTO);
  ck_assert_uint_eq(ms_graph_edge_count(graph), N - 1);
  ck_assert_uint_eq(ms_graph_describe(graph).max_degree, N - 1);
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* ---- damage ---------------------------------------------------------------- */

/* Any mechanical damage (malform.h) of a plain and of a weighted file is refused or gives a valid
 * graph. */
START_TEST(survives_damage)
{
  static const char plain[] = "% a comment\n5 4\n2 3\n1 3\n2 1 4\n3\n\n";
  static const char weighted[] = "4 2 111 2\n5 1 1 2 6\n5 1 1 1 6 3 6\n% x\n5 1 1 2 6\n5 1 1\n";
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_METIS, .run.memory = SMALL};
  malform_damage("net.graph", plain, sizeof plain - 1, malform_read_graph, &options);
  malform_damage("net.graph", weighted, sizeof weighted - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 32 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "is empty; give a METIS graph"),
      MALFORM("% x\n", 0, "is empty; give a METIS graph"),
      MALFORM("\nx 1\n2\n1\n", 2, "expected the header"),
      MALFORM("2\n", 1, "expected the header"),
      MALFORM("t 2 1\n", 1, "expected the header"),
      MALFORM("2 1 0 0 0\n2\n1\n", 1, "expected the header"),
      MALFORM("-2 1\n2\n1\n", 1, "expected the header"),
      MALFORM("2 1.0\n2\n1\n", 1, "expected the header"),
      MALFORM("% x\n2 1 2\n2\n1\n", 2, "expected the header"),
      MALFORM("2 1 0011\n2\n1\n", 1, "expected the header"),
      MALFORM("2 1 001 2\n2\n1\n", 1, "expected the header"), /* weights, but no flag */
      MALFORM("4294967295 1\n2\n1\n", 1, "expected the header"),
      MALFORM("0 0\n", 1, "the graph has no vertices"),
      MALFORM("4000000000 1\n2\n1\n", 3, "after the lines of 2 of 4000000000 vertices"),
      MALFORM("3 1\n2\n1\n", 3, "after the lines of 2 of 3 vertices"),
      MALFORM("2 1\n2\n1\n% x\n\n1\n", 6, "more lines than the 2 vertices"),
      MALFORM("2 1\n2\n1 x\n", 3, "the vertex 'x' is not a number from 1 to 2"),
      MALFORM("2 1\n2\n0\n", 3, "'0' is not a number from 1 to 2"),
      MALFORM("2 1\n3\n1\n", 2, "'3' is not a number from 1 to 2"),
      MALFORM("2 1\n1\n1\n", 2, "vertex 1 lists itself"),
      MALFORM("2 1 10\n7 2\n\n", 3, "expected 1 numbers (size, weights)"),
      MALFORM("2 1 110 3\n7 2 1 1 2\n7 2 1\n", 3,
              "expected 4 numbers (size, weights) in front of "
              "the neighbours, as the header says, found 3"),
      MALFORM("2 1 10\nx 2\n7 1\n", 2, "the value 'x' is not a finite number"),
      MALFORM("2 1 1\n2 5\n1\n", 3, "the last neighbour has no edge weight"),
      MALFORM("2 1 1\n2 x\n1 5\n", 2, "the value 'x' is not a finite number"),
      MALFORM("3 2\n2\n1 3\n\n", 3, "vertex 2 lists 3, but line 4, of vertex 3"),
      MALFORM("3 2\n% x\n2\n1\n2\n", 5, "vertex 3 lists 2, but line 4, of vertex 2"),
      MALFORM("3 2\n2 2\n1 3\n2\n", 2, "vertex 1 lists 2, but line 3, of vertex 2"),
      MALFORM("3 3\n2\n1 3\n2\n", 4, "announces 3 edges, but the lines list 2"),
      MALFORM("3 1\n2\n1 3\n2\n% x\n", 5, "announces 1 edges, but the lines list 2"),
      MALFORM("3 4\n2\n1 3\n2\n", 4, "an edge counts once"),
      MALFORM("2 1\n2\n1\0\n", 3, "holds a NUL byte"),
  };
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_METIS, .run.memory = SMALL};
  malform_refuses("net.graph", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* Whichever allocation fails while a graph is read, the reader reports it and leaks no block. */
START_TEST(memory_runs_out)
{
  static const char text[] = "3 2\n2\n1 3\n2\n";
  failing_graph_reads(files_write("net.graph", text, sizeof text - 1), NULL);
}
END_TEST

/* ---- writing --------------------------------------------------------------- */

/* A written triangle with a fourth vertex alone has exactly the expected bytes. */
START_TEST(writes)
{
  numbered_format_writes("out.graph", MS_FORMAT_METIS, "4 3\n2 3\n1 3\n1 2\n\n");
}
END_TEST

/* A graph is written and read back as it was: one vertex, and 19 random graphs of up to 40. */
START_TEST(round_trips)
{
  numbered_format_round_trips("net.graph", MS_FORMAT_METIS, _i, 200);
}
END_TEST

TEST_MAIN("format: metis", TEST(forms), TEST(double_edges), TEST_TIMES(random_graphs, 60),
          TEST_TIMES(one_sided_edges, 60), TEST(detection), TEST(long_lines), TEST(survives_damage),
          TEST(refuses), TEST(memory_runs_out), TEST(writes), TEST_TIMES(round_trips, 20))
