/* LAD graphs (graph/formats/lad.c): what is read, damaged files, round trips, and the instances of
 * Solnon's collection. */
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)

static const char good[] = "5\n2 1 2 \n2 0 2 \n3 0 1 3 \n1 2 \n0 \n";

/* Each of six files has the expected vertices, edges, self-loops and duplicates, whether an edge
 * stands at one end or at both. */
START_TEST(reads)
{
  static const struct {
    const char *text;
    uint32_t vertices;
    uint64_t edges, loops, duplicates;
  } cases[] = {
      {good, 5, 4, 0, 4},
      {"# from a solver\n\n 2 \n1\t1\n\n1 0", 2, 1, 0, 1},
      {"1\r\n0\r\n", 1, 0, 0, 0},
      {"2\n2 0 1\n2 1 0\n", 2, 1, 2, 1},
      /* one end only */
      {"3\n2 1 2\n0\n1 1\n", 3, 3, 0, 0},
      {"2\n3 1 1 1\n0\n", 2, 1, 0, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = graph_text_read("net.lad", cases[i].text, MS_FORMAT_LAD);
    ms_graph_info info = ms_graph_describe(graph);
    ck_assert_uint_eq(info.vertices, cases[i].vertices);
    ck_assert_uint_eq(info.edges, cases[i].edges);
    ck_assert_uint_eq(info.self_loops, cases[i].loops);
    ck_assert_uint_eq(info.duplicates, cases[i].duplicates);
    ck_assert(!info.colored);
    for (uint32_t v = 0; v < info.vertices; v++)
      ck_assert_uint_eq(strtoul(ms_graph_name(graph, v), NULL, 10), v);
    ms_graph_free(graph);
  }
}
END_TEST

/* LAD files are detected, and files of numbers in other formats are not taken for them: ten
 * files. */
START_TEST(is_detected)
{
  static const struct {
    const char *name, *text;
    bool lad;
  } cases[] = {
      {"a", good, true},
      {"a.txt",
       "\xEF\xBB\xBF"
       "2\r\n1 1\r\n1 0\r\n",
       true},
      {"a", "# c\n3\n0\n\n0\n0\n", true},
      {"a.tsv", "1 1\n2 0 2\n1 1\n", false},
      {"a.tsv", "3 2\n1 1\n2 0\n", false},
      {"a.tsv", "3\n1 1\n2 0\n1 1\n", false},
      {"a.sif", "3\n1 pp 2\n", false},
      {"a.tsv", "12\n", false},
      /* RI's labelled graphs: n, n labels, m, m edges */
      {"a.gfd", "#name\n3\n39\n8\n31\n4\n0 1\n2 1\n1 2\n0 2\n", false},
      {"a.gfd", "#name\n3\n0\n0\n0\n2\n0 1\n2 1\n", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *path = files_write(cases[i].name, cases[i].text, strlen(cases[i].text));
    ms_graph *graph = NULL;
    ms_error err = {0};
    ms_graph_read(path, NULL, &graph, &err);
    bool lad = graph && ms_graph_describe(graph).format == MS_FORMAT_LAD;
    ck_assert_msg(lad == cases[i].lad, "case %zu: %s", i, err.message);
    ms_graph_free(graph);
  }
}
END_TEST

/* A damaged file is still taken for LAD by its ending or by its other lines, so that its message
 * fits: two files. */
START_TEST(damage_is_told_in_its_terms)
{
  static const malform_case by_lines[] = {
      MALFORM("3\n1 1\n1 0\n", 1, "states 3 vertices, but 2 lines follow")};
  static const malform_case by_ending[] = {MALFORM("2\n1 1\n1 x\n", 3, "a neighbour of vertex 1")};
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_AUTO};
  malform_refuses("net", by_lines, 1, malform_read_graph, &options);
  malform_refuses("net.lad", by_ending, 1, malform_read_graph, &options);
}
END_TEST

/* A file of 200,000 short lines is detected and read; detection reads each line of the head
 * once. */
START_TEST(is_detected_fast)
{
  enum { LINES = 200000 };
  char *text = malloc(2 * LINES + 16);
  ck_assert_ptr_nonnull(text);
  int used = sprintf(text, "%d\n", LINES);
  for (int i = 0; i < LINES; i++)
    memcpy(text + used + 2 * (size_t)i, "0\n", 3);
  ms_graph *graph = graph_text_read("empty", text, MS_FORMAT_AUTO);
  ck_assert_int_eq(ms_graph_describe(graph).format, MS_FORMAT_LAD);
  ck_assert_uint_eq(ms_graph_vertex_count(graph), LINES);
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* Any mechanical damage (malform.h) of a file of five vertices is refused or gives a valid
 * graph. */
START_TEST(survives_damage)
{
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_LAD, .run.memory = 64 * MIB};
  malform_damage("net.lad", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 29 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("\n# nothing\n", 0, "holds no edges"),
      MALFORM("x\n0\n", 1, "expected the number of vertices, alone on its line"),
      MALFORM("2 1\n1 1\n1 0\n", 1, "expected the number of vertices, alone on its line"),
      MALFORM("-1\n0\n", 1, "expected the number of vertices"),
      MALFORM("1.0\n0\n", 1, "expected the number of vertices"),
      MALFORM("4294967296\n0\n", 1, "expected the number of vertices"),
      MALFORM("99999999999999999999\n0\n", 1, "expected the number of vertices"),
      MALFORM("0\n", 1, "the graph has no vertices"),
      MALFORM("0\n0\n", 1, "the graph has no vertices"),
      MALFORM("4000000000\n0\n", 1, "states 4000000000 vertices, but 1 lines follow"),
      MALFORM("4000000000\n1 3999999999\n", 1, "states 4000000000 vertices, but 1 lines follow"),
      MALFORM("3\n1 1\n1 0\n", 1, "states 3 vertices, but 2 lines follow"),
      MALFORM("# c\n\n3\n", 3, "states 3 vertices, but 0 lines follow"),
      MALFORM("2\n1 1\n1 0\n0\n", 4, "more lines than the 2 vertices of line 1"),
      MALFORM("2\n1 1\n\n1 0\n\n7\n", 6, "more lines than the 2 vertices of line 1"),
      MALFORM("2\n2 1\n1 0\n", 2, "vertex 0 states degree 2, but 1 neighbours follow"),
      MALFORM("2\n1 1\n0 0\n", 3, "vertex 1 states degree 0, but 1 neighbours follow"),
      MALFORM("2\n7 1 1\n8 1 0\n", 2, "labelled LAD is not read"),
      MALFORM("2\n1 2\n1 0\n", 2, "a neighbour of vertex 0 is not a number from 0 to 1"),
      MALFORM("2\n1 1\n1 -1\n", 3, "a neighbour of vertex 1 is not a number from 0 to 1"),
      MALFORM("2\n1 1\n1 4294967296\n", 3, "a neighbour of vertex 1 is not a number"),
      MALFORM("2\n1 1\n1 b\n", 3, "a neighbour of vertex 1 is not a number"),
      MALFORM("2\n1 1\nx 0\n", 3, "the degree of vertex 1 is not a whole number"),
      MALFORM("2\n1 1\n4294967296 0\n", 3, "the degree of vertex 1 is not a whole number"),
      MALFORM("2\n1,1\n1,0\n", 2, "the degree of vertex 0 is not a whole number"),
      MALFORM("2\n1 \xE9\n1 0\n", 2, "a neighbour of vertex 0 is not a number"),
      MALFORM("2\n1 1\n1 \0 0\n", 3, "holds a NUL byte"),
      MALFORM("1\n0\r\r\n", 2, "the degree of vertex 0 is not a whole number"),
  };
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_LAD, .run.memory = 64 * MIB};
  malform_refuses("net.lad", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* A graph of six vertices, and one of a single vertex, are written and read back as they were. */
START_TEST(round_trips)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {4, 2}, {5, 0}};
  static const char *const names[] = {"a b", "c,d", "7", "alone", "0", "6"};
  ms_error err;
  ms_graph *graph = NULL, *one = NULL;
  ck_assert_int_eq(ms_graph_from_edges(6, 4, edges, names, &graph, &err), MS_OK);
  malform_round_trip("net.lad", graph, NULL, MS_FORMAT_LAD);
  ck_assert_int_eq(ms_graph_from_edges(1, 0, NULL, NULL, &one, &err), MS_OK);
  malform_round_trip("one.lad", one, NULL, MS_FORMAT_LAD);
  ms_graph_free(graph);
  ms_graph_free(one);
}
END_TEST

/* ---- real graphs --------------------------------------------------------- */

static size_t graphs;

/* All of them list an edge at both ends, and none twice at one. */
static void check_real(const char *path)
{
  static const char *const folders[] = {"+LV+", "+scalefree+", "+images-CVIU11+", "+images-PR15+"};
  ms_graph *graph = NULL;
  ms_error err;
  unsigned n, degree, neighbor;
  uint64_t arcs = 0, loops = 0;
  bool is_instance = false;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    is_instance |= strstr(path, folders[i]) != NULL;
  if (!is_instance)
    return;
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fscanf(file, "%u", &n), 1);
  for (unsigned v = 0; v < n; v++) {
    ck_assert_int_eq(fscanf(file, "%u", &degree), 1);
    for (unsigned i = 0; i < degree; i++) {
      ck_assert_int_eq(fscanf(file, "%u", &neighbor), 1);
      loops += neighbor == v;
      arcs += neighbor != v;
    }
  }
  fclose(file);
  ck_assert_msg(ms_graph_read(path, NULL, &graph, &err) == MS_OK, "%s", err.message);
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert_int_eq(info.format, MS_FORMAT_LAD);
  ck_assert_uint_eq(info.vertices, n);
  ck_assert_uint_eq(info.self_loops, loops);
  ck_assert_uint_eq(info.edges, arcs / 2);
  ck_assert_uint_eq(info.duplicates, arcs / 2);
  ms_graph_free(graph);
  graphs++;
}

/* Each of 463 instances of Solnon's collection has the vertices, edges, self-loops and duplicates
 * that a plain loop counts. */
START_TEST(reads_real_instances)
{
  static const char archive[] = "labelled/solnon_LV_scalefree_images.tar.gz";
  graphs = 0;
  if (files_unpack(archive, check_real) == 0)
    printf("SKIPPED: test_format_lad: no %s in the data, or no tar\n", archive);
  else
    ck_assert_uint_eq(graphs, 463);
}
END_TEST

TEST_MAIN("format: LAD", TEST(reads), TEST(is_detected), TEST(damage_is_told_in_its_terms),
          TEST(is_detected_fast), TEST(survives_damage), TEST(refuses), TEST(round_trips),
          TEST(reads_real_instances))
