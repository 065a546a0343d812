/* DIMACS graphs (graph/formats/dimacs.c): what is read, refused and written. */
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

/* Four spellings of one graph, with comments, blanks and other descriptors, give that graph. */
START_TEST(forms)
{
  static const char *const texts[] = {
      "p edge 4 2\ne 1 2\ne 3 2\n",
      "c a comment\nc\np col 4 2\ncxx\ne 1 2\n\ne 3 2",
      "  p\tedge  4\t2  \r\ne\t1 2\r\ne 3 2\r\n",
      "p edge 4 2\nn 1 7\nn 4 -2.5\nd 2 1\nv 0 0\nx a b\ne 1 2 9\ne 3 2 0.5\n",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ms_graph *graph = graph_text_read("any.txt", texts[i], MS_FORMAT_AUTO);
    ck_assert_str_eq(graph_text_format_of(graph), "dimacs");
    ck_assert_uint_eq(ms_graph_vertex_count(graph), 4);
    ck_assert_uint_eq(ms_graph_edge_count(graph), 2);
    ck_assert_str_eq(ms_graph_name(graph, 3), "4");
    ck_assert(!ms_graph_describe(graph).colored);
    ms_graph_free(graph);
  }
}
END_TEST

/* Each way of counting edges that files of the challenge use is accepted, with its duplicates and
 * self-loops: six files. */
START_TEST(counts)
{
  static const struct {
    const char *text;
    uint64_t edges, duplicates, loops;
  } cases[] = {
      {"p edge 3 2\ne 1 2\ne 2 3\n", 2, 0, 0},               /* lines */
      {"p edge 3 4\ne 1 2\ne 2 3\n", 2, 0, 0},               /* both directions, listed once */
      {"p edge 3 4\ne 1 2\ne 2 3\ne 2 1\ne 3 2\n", 2, 2, 0}, /* lines, both directions */
      {"p edge 3 2\ne 1 2\ne 2 3\ne 2 1\ne 3 2\n", 2, 2, 0}, /* once, listed in both */
      {"p edge 3 3\ne 1 2\ne 2 2\ne 1 2\n", 1, 1, 1},
      {"p edge 3 0\n", 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = graph_text_read("net.col", cases[i].text, MS_FORMAT_AUTO);
    ck_assert_uint_eq(ms_graph_vertex_count(graph), 3);
    ck_assert_uint_eq(ms_graph_edge_count(graph), cases[i].edges);
    ck_assert_uint_eq(ms_graph_describe(graph).duplicates, cases[i].duplicates);
    ck_assert_uint_eq(ms_graph_describe(graph).self_loops, cases[i].loops);
    ms_graph_free(graph);
  }
}
END_TEST

/* A random graph of up to 40 vertices is read as its matrix, with edges from one end or both and
 * counted once or twice: 60 graphs. */
START_TEST(random_graphs)
{
  uint64_t state = (uint64_t)_i * 31 + 5;
  adjacency a;
  adjacency_random(&a, &state);
  bool both = random_next(&state) % 2, doubled = random_next(&state) % 2;
  char *text = malloc(100000), *to = text;
  uint64_t lines = both ? 2 * a.edges : a.edges;
  uint64_t m = !both && doubled ? 2 * lines : both && doubled ? a.edges : lines;
  to += sprintf(to, "c x\np edge %u %llu\n", a.n, (unsigned long long)m);
  for (uint32_t u = 0; u < a.n; u++)
    for (uint32_t v = 0; v < a.n; v++)
      if (a.edge[u][v] && (both || ((u + v) % 2 ? u > v : u < v)))
        to += sprintf(to, "e %u %u\n", u + 1, v + 1);
  ms_graph *graph = graph_text_read("net.txt", text, MS_FORMAT_AUTO);
  ck_assert_str_eq(graph_text_format_of(graph), "dimacs");
  adjacency_same(&a, graph, 1);
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* Five files that resemble the format are not taken for it, and another DIMACS problem is refused
 * by name with five endings. */
START_TEST(detection)
{
  static const char *const others[] = {"p col\nq r\n", "p\tedges\nq\tr\n", "c d\ne f\n",
                                       "a b\np edge 3 1\n", "P edge\nx y\n"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const char *name = i == 0 ? "net.tsv" : "net.txt";
    ms_graph *graph = NULL;
    ms_status status = ms_graph_read(files_write_text(name, others[i]), NULL, &graph, &err);
    /* "p col" without numbers is taken for a line p that is cut off */
    ck_assert_int_eq(status, i == 0 ? MS_ERR_INPUT : MS_OK);
    ck_assert(i == 0 || strcmp(graph_text_format_of(graph), "edge-list") == 0);
    ms_graph_free(graph);
  }
  /* other DIMACS problems are refused by name, whatever the ending */
  static const char *const endings[] = {"a.dimacs", "b.col", "c.clq", "d.col.gz", "e.txt"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    ms_graph *graph = NULL;
    const char *path = i == 3 ? files_write_gzip(endings[i], "p sp 3 1\na 1 2\n", 15, 1)
                              : files_write(endings[i], "p sp 3 1\na 1 2\n", 15);
    ms_status status = ms_graph_read(path, NULL, &graph, &err);
    ck_assert_int_eq(status, MS_ERR_INPUT);
    ck_assert_msg(strstr(err.message, "a DIMACS format other than"), "%s", err.message);
    ms_graph_free(graph);
  }
}
END_TEST

/* Comments of one MiB, which is more than detection looks at, do not hide the format where the
 * ending tells it. */
START_TEST(long_preamble)
{
  size_t size = (size_t)1 << 20;
  char *text = malloc(size + 100), *to = text;
  while (to < text + size)
    to = stpcpy(to, "c\n");
  strcpy(to, "p edge 2 1\ne 1 2\n");
  ms_graph *graph = graph_text_read("net.clq", text, MS_FORMAT_AUTO);
  ck_assert_str_eq(graph_text_format_of(graph), "dimacs");
  ck_assert_uint_eq(ms_graph_edge_count(graph), 1);
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* ---- damage ---------------------------------------------------------------- */

/* Any mechanical damage (malform.h) of a file with all kinds of lines is refused or gives a valid
 * graph. */
START_TEST(survives_damage)
{
  static const char good[] = "c a comment\np edge 5 4\nn 1 3\ne 1 2\ne 2 3 7\n\ne 4 4\ne 3 1\n";
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_DIMACS, .run.memory = SMALL};
  malform_damage("net.dimacs", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 34 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no line 'p edge VERTICES EDGES'"),
      MALFORM("c x\n\n", 0, "holds no line 'p edge VERTICES EDGES'"),
      MALFORM("e 1 2\n", 1, "must come first"),
      MALFORM("c\nn 1 2\np edge 3 1\n", 2, "must come first"),
      MALFORM("1 2\n", 1, "must come first"),
      MALFORM("p\n", 1, "expected 'p edge VERTICES EDGES'"),
      MALFORM("p edge 3\n", 1, "expected 'p edge VERTICES EDGES'"),
      MALFORM("p edge 3 1 1\n", 1, "expected 'p edge VERTICES EDGES'"),
      MALFORM("p sp 3 1\na 1 2 5\n", 1, "another DIMACS format"),
      MALFORM("p cnf 3 1\n1 2 0\n", 1, "another DIMACS format"),
      MALFORM("p edge x 1\n", 1, "number of vertices 'x' is not a whole number"),
      MALFORM("p edge -3 1\n", 1, "number of vertices '-3' is not"),
      MALFORM("p edge 4294967295 1\n", 1, "number of vertices '4294967295' is not"),
      MALFORM("p edge 4000000000 1\ne 1 2\n", 1, "64 MiB that are allowed"),
      MALFORM("p edge 3 1.0\n", 1, "number of edges '1.0' is not"),
      MALFORM("p edge 0 0\n", 1, "the graph has no vertices"),
      MALFORM("p edge 3 0\np edge 3 0\n", 2, "a second line 'p'"),
      MALFORM("p edge 3 1\ne 1\n", 2, "expected 'e VERTEX VERTEX'"),
      MALFORM("p edge 3 1\ne 1 2 3 4\n", 2, "expected 'e VERTEX VERTEX'"),
      MALFORM("p edge 3 1\ne 0 2\n", 2, "'0' is not a number from 1 to 3"),
      MALFORM("p edge 3 1\ne 1 4\n", 2, "'4' is not a number from 1 to 3"),
      MALFORM("p edge 3 1\ne 1 2 x\n", 2, "the value 'x' is not a finite number"),
      MALFORM("p edge 3 1\nn 4 1\ne 1 2\n", 2, "'4' is not a number from 1 to 3"),
      MALFORM("p edge 3 1\nn 1\ne 1 2\n", 2, "expected 'n VERTEX VALUE'"),
      MALFORM("p edge 3 1\nE 1 2\n", 2, "begins with c, p, e or n"),
      MALFORM("p edge 3 1\n; x\ne 1 2\n", 2, "begins with c, p, e or n"),
      MALFORM("p edge 3 1\n", 1, "announces 1 edges, but there are 0 lines"),
      MALFORM("p edge 3 1\ne 1 2\ne 2 3\n", 3, "announces 1 edges, but there are 2 lines"),
      MALFORM("p edge 3 3\ne 1 2\n", 2, "announces 3 edges, but there are 1 lines"),
      MALFORM("p edge 3 5\ne 1 2\ne 2 3\n", 3, "announces 5 edges, but there are 2 lines"),
      MALFORM("p edge 3 1\ne 1 2\ne 1 2\n", 3, "announces 1 edges, but there are 2 lines"),
      MALFORM("p edge 3 1\ne 1 2\ne 2 1\ne 3 3\n", 4, "announces 1 edges, but there are 3"),
      MALFORM("p edge 3 18446744073709551615\ne 1 2\n", 2, "announces 18446744073709551615"),
      MALFORM("p edge 3 1\ne 1\0 2\n", 2, "holds a NUL byte"),
  };
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_DIMACS, .run.memory = SMALL};
  malform_refuses("net.dimacs", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* Whichever allocation fails while a graph is read, the reader reports it and leaks no block. */
START_TEST(memory_runs_out)
{
  static const char text[] = "p edge 3 2\ne 1 2\ne 2 3\n";
  failing_graph_reads(files_write("net.dimacs", text, sizeof text - 1), NULL);
}
END_TEST

/* ---- writing --------------------------------------------------------------- */

/* A written triangle with a fourth vertex alone has exactly the expected bytes. */
START_TEST(writes)
{
  numbered_format_writes("out.dimacs", MS_FORMAT_DIMACS, "p edge 4 3\ne 1 2\ne 1 3\ne 2 3\n");
}
END_TEST

/* A graph is written and read back as it was: one vertex, and 19 random graphs of up to 40. */
START_TEST(round_trips)
{
  numbered_format_round_trips("net.dimacs", MS_FORMAT_DIMACS, _i, 100);
}
END_TEST

TEST_MAIN("format: dimacs", TEST(forms), TEST(counts), TEST_TIMES(random_graphs, 60),
          TEST(detection), TEST(long_preamble), TEST(survives_damage), TEST(refuses),
          TEST(memory_runs_out), TEST(writes), TEST_TIMES(round_trips, 20))
