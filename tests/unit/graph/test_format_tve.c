/* Graphs of t, v and e lines (graph/formats/tve.c): all forms, damaged files, round trips, real
 * graphs. */
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

#define MIB ((uint64_t)1 << 20)

static const char degrees[] =
    "t 4 4\nv 0 7 2\nv 1 8 2\nv 2 7 3\nv 3 x 1\ne 0 1\ne 1 2 5\ne 2 0\ne 2 3\n";
static const char plain[] = "# a comment\nt 0 3\nv 0 7\nv 1 8\nv 2 7\ne 0 1 0\ne 1 2 1\n";
static const char gspan[] = "t # 0\nv 10 2\nv 3 3\nv 7 2\ne 10 3 2\ne 7 3 2\ne 7 7 2\nt # -1\n";

/* The vertices' names and colours, "0:7 1:8". */
static void describe(const ms_graph *graph, char *text, size_t room)
{
  ms_coloring *coloring = NULL;
  ms_error err;
  ck_assert_msg(ms_coloring_from_graph(graph, &coloring, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_coloring_describe(coloring).format, MS_COLORS_GRAPH);
  *text = '\0';
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    ck_assert_uint_eq(count, 1);
    size_t used = strlen(text);
    snprintf(text + used, room - used, "%s%s:%s", v ? " " : "", ms_graph_name(graph, v),
             ms_coloring_name(coloring, *color));
  }
  ms_coloring_free(coloring);
}

/* Each of ten texts of the known dialects gives its vertices, colours, edges, self-loops and
 * duplicates. */
START_TEST(reads_every_form)
{
  static const struct {
    const char *text, *vertices;
    uint64_t edges, loops, duplicates;
  } cases[] = {
      {degrees, "0:7 1:8 2:7 3:x", 4, 0, 0},
      {plain, "0:7 1:8 2:7", 2, 0, 0},
      {gspan, "10:2 3:3 7:2", 2, 1, 0},
      {"t #\nv 0 a\n", "0:a", 0, 0, 0},
      {"t # 3\r\nv 0 a\r\nv 1 \xC3\xA9\r\n", "0:a 1:\xC3\xA9", 0, 0, 0},
      {"t\t9\t2\n\nv 0 a  \nv\t1 a\n  e 0 1\ne 1 0\n", "0:a 1:a", 1, 0, 1},
      {"t 1 1\nv 0 a 2\ne 0 0", "0:a", 0, 1, 0},
      {"t 0 2\nv 1 a\nv 2 b\ne 1 2\nt # -1\n\n# end\n", "1:a 2:b", 1, 0, 0},
      {"t # 0\nv 0 a\nv 1 b\ne 0 1\nv 4294967295 c\ne 4294967295 0\n", "0:a 1:b 4294967295:c", 2, 0,
       0},
      {"t # 0\nv 1 a\nv 0 b\ne 0 0\n", "1:a 0:b", 0, 1, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    ms_graph *graph = graph_text_read("net.graph", cases[i].text, MS_FORMAT_TVE);
    ms_graph_info info = ms_graph_describe(graph);
    describe(graph, text, sizeof text);
    ck_assert_str_eq(text, cases[i].vertices);
    ck_assert_uint_eq(info.edges, cases[i].edges);
    ck_assert_uint_eq(info.self_loops, cases[i].loops);
    ck_assert_uint_eq(info.duplicates, cases[i].duplicates);
    ck_assert(info.colored);
    ms_graph_free(graph);
  }
}
END_TEST

/* Edges refer to vertices by their numbers, not by their order. */
START_TEST(edges_join_the_vertices_they_name)
{
  ms_graph *graph = graph_text_read("net.tve", gspan, MS_FORMAT_AUTO);
  uint32_t degree;
  const uint32_t *neighbor = ms_graph_neighbors(graph, ms_graph_find(graph, "3"), &degree);
  ck_assert_uint_eq(degree, 2);
  ck_assert_str_eq(ms_graph_name(graph, neighbor[0]), "10");
  ck_assert_str_eq(ms_graph_name(graph, neighbor[1]), "7");
  ms_graph_free(graph);
}
END_TEST

/* The format is detected in its dialects, and lists of edges that resemble it are not taken for it:
 * 16 files. */
START_TEST(is_detected)
{
  static const struct {
    const char *name, *text;
    bool tve;
  } cases[] = {
      {"a.graph", degrees, true},
      {"a.graph", plain, true},
      {"a", gspan, true},
      {"a", "t #\nv 0 1\n", true},
      {"a", "\xEF\xBB\xBFt # 0\r\nv 0 1\r\n", true},
      {"a.tve", "t 1 0\nv 0 1 0\n", true},
      {"a.lg", "# t 1\nv 0 1\n", true},
      {"a", "v 0 1\nv 1 1\ne 0 1\n", true},
      {"a.tsv", "v 1 1\nv 4 1\ne 1 4\n", true},
      /* lists of edges that look a little like it */
      {"a.tve", "t\tv\nv\te\n", false},
      {"a.tsv", "t v\nv e\n", false},
      {"a.tsv", "t 1\nv e\n", false},
      {"a.tsv", "t 1 1\ne 1 1\n", false},
      {"a.tsv", "t1 t2\nv1 v2\n", false},
      {"a.tsv", "t 5\n", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = graph_text_read(cases[i].name, cases[i].text, MS_FORMAT_AUTO);
    ck_assert_msg((ms_graph_describe(graph).format == MS_FORMAT_TVE) == cases[i].tve, "case %zu",
                  i);
    ms_graph_free(graph);
  }
}
END_TEST

/* Any mechanical damage (malform.h) of a file of each of three dialects is refused or gives a valid
 * graph. */
START_TEST(survives_damage)
{
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_TVE, .run.memory = 64 * MIB};
  malform_damage("net.tve", degrees, sizeof degrees - 1, malform_read_graph, &options);
  malform_damage("net.graph", plain, sizeof plain - 1, malform_read_graph, &options);
  malform_damage("net.graph", gspan, sizeof gspan - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 48 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("# t 0 1\n", 0, "holds no edges"),
      MALFORM("e 0 1\n", 1, "begin the file with such a line"),
      MALFORM("t\nv 0 1\n", 1, "expected 't VERTICES EDGES'"),
      MALFORM("t 0\nv 0 1\n", 1, "expected 't VERTICES EDGES'"),
      MALFORM("t # x\nv 0 1\n", 1, "or 't # ID'"),
      MALFORM("t # -1\n", 1, "or 't # ID'"),
      MALFORM("t # 0 3\nv 0 1\n", 1, "or 't # ID'"),
      MALFORM("t 1 2 3\nv 0 1\n", 1, "expected 't VERTICES EDGES'"),
      MALFORM("t 1 -2\nv 0 1\n", 1, "expected 't VERTICES EDGES'"),
      MALFORM("t 1 1.0\nv 0 1\n", 1, "expected 't VERTICES EDGES'"),
      MALFORM("t 0 99999999999999999999\nv 0 1\n", 1, "expected 't VERTICES EDGES'"),
      MALFORM("t 0 4000000000\nv 0 1\n", 1, "states 4000000000 vertices, but 1 lines 'v' follow"),
      MALFORM("t # 0\n", 1, "no line 'v' follows"),
      MALFORM("t 0 0\n", 1, "no line 'v' follows"),
      MALFORM("t 0 1\nv 0\n", 2, "expected 'v ID LABEL'"),
      MALFORM("t 0 1\nv 0 1 2 3\n", 2, "expected 'v ID LABEL'"),
      MALFORM("t 0 1\nv x 1\n", 2, "the vertex is not a number"),
      MALFORM("t 0 1\nv 00 1\n", 2, "without leading zeros"),
      MALFORM("t 0 1\nv -1 1\n", 2, "the vertex is not a number"),
      MALFORM("t 0 1\nv 4294967296 1\n", 2, "the vertex is not a number from 0 to 4294967295"),
      MALFORM("t 0 2\nv 0 1\nv 0 1\n", 3, "a second line of vertex 0"),
      MALFORM("t 0 1\nv 0 1\nv 1 1\n", 3, "more vertices than the 1 that line 1 states"),
      MALFORM("t 1 0\nv 0 1 0\nv 1 1 0\n", 3, "with degrees: 't VERTICES EDGES'"),
      MALFORM("t 0 3\nv 0 1\nv 1 1\n", 1, "states 3 vertices, but 2 lines 'v' follow"),
      MALFORM("t 3 0\nv 0 1 0\nv 1 1 0\n", 1, "states 3 vertices, but 2 lines 'v' follow"),
      MALFORM("t 2 2\nv 0 1 1\nv 1 1 1\ne 0 1\n", 1, "states 2 edges, but 1 lines 'e' follow"),
      MALFORM("t 2 1\nv 0 1 2\nv 1 1 2\ne 0 1\ne 1 0\n", 1, "states 1 edges, but 2 lines"),
      MALFORM("t 2 1\nv 0 1 1\nv 1 1 2\ne 0 1\n", 3,
              "states degree 2, but 1 edges end at this vertex"),
      MALFORM("t 2 1\nv 0 1 0\nv 1 1 1\ne 0 1\n", 2,
              "states degree 0, but 1 edges end at this vertex"),
      MALFORM("t 1 0\nv 0 1 x\n", 2, "the degree is not a whole number"),
      MALFORM("t 2 0\nv 0 1 0\nv 1 1\n", 3, "expected a vertex with a degree as in line 2"),
      MALFORM("t 0 2\nv 0 1\nv 1 1 0\n", 3, "expected a vertex without a degree as in line 2"),
      MALFORM("t 0 1\nv 0 1\ne 0\n", 3, "expected 'e ID ID'"),
      MALFORM("t 0 1\nv 0 1\ne 0 0 0 0\n", 3, "expected 'e ID ID'"),
      MALFORM("t 0 1\nv 0 1\ne 0 1\n", 3, "an edge names vertex 1, but no line 'v' above it"),
      MALFORM("t 0 2\nv 0 1\ne 1 0\nv 1 1\n", 3, "an edge names vertex 1"),
      MALFORM("t 0 2\nv 0 1\nv 5 1\ne 0 1\n", 4, "an edge names vertex 1"),
      MALFORM("t 0 1\nv 0 1\ne 0 x\n", 3, "an edge's end is not a number"),
      MALFORM("t 0 1\nv 0 1\ne 00 0\n", 3, "an edge's end is not a number"),
      MALFORM("t 0 1\nv 0 1\nt 1 1\nv 0 1\n", 3, "a second graph begins here"),
      MALFORM("t # 0\nv 0 1\nt # 1\nv 0 1\nt # -1\n", 3, "a second graph begins here"),
      MALFORM("t # 0\nv 0 1\nt # -1\nv 1 1\n", 4, "text follows the end mark"),
      MALFORM("t # 0\nv 0 1\nt # -1\nt # -1\n", 4, "text follows the end mark"),
      MALFORM("t # 0\nv 0 1\nx 1 1\n", 3, "begins with 'v' or 'e'"),
      MALFORM("t 0 1\nv 0 \xE9\n", 2, "the colour is not valid UTF-8"),
      MALFORM("t 0 1\nv 0 \x01\n", 2, "the colour holds a control character"),
      MALFORM("t 0 1\nv 0 1\nv\0 1 1\n", 3, "holds a NUL byte"),
  };
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_TVE, .run.memory = 64 * MIB};
  malform_refuses("net.tve", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* ---- writing ------------------------------------------------------------- */

static ms_graph *six(void)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {4, 2}, {5, 0}};
  static const char *const names[] = {"a b", "c,d", "7", "alone", "0", "6"};
  ms_graph *graph = NULL;
  ms_error err;
  ck_assert_int_eq(ms_graph_from_edges(6, 4, edges, names, &graph, &err), MS_OK);
  return graph;
}

static ms_coloring *color(const ms_graph *graph, const uint32_t (*pairs)[2], uint64_t count,
                          const char *first)
{
  const char *const names[] = {first, "\xC3\xA9", "0"};
  ms_coloring *coloring = NULL;
  ms_error err;
  ck_assert_int_eq(ms_coloring_from_pairs(graph, count, pairs, 3, names, &coloring, &err), MS_OK);
  return coloring;
}

static const uint32_t one_each[][2] = {{0, 2}, {1, 1}, {2, 0}, {3, 0}, {4, 2}, {5, 1}, {0, 0}};

/* Six vertices with and without colours, and one vertex alone, are written and read back as they
 * were. */
START_TEST(round_trips)
{
  ms_graph *graph = six(), *one = NULL;
  ms_coloring *coloring = color(graph, one_each, 6, "kinase,\"x\"");
  ms_error err;
  malform_round_trip("net.tve", graph, coloring, MS_FORMAT_TVE);
  malform_round_trip("net.tve", graph, NULL, MS_FORMAT_TVE);
  ck_assert_int_eq(ms_graph_from_edges(1, 0, NULL, NULL, &one, &err), MS_OK);
  malform_round_trip("one.tve", one, NULL, MS_FORMAT_TVE);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  ms_graph_free(one);
}
END_TEST

/* A graph without colours is written with the label 0 for each vertex. */
START_TEST(without_colors_the_label_is_0)
{
  ms_graph *graph = six(), *again = NULL;
  ms_error err;
  char text[100];
  const char *path = files_path("plain.tve");
  ck_assert_int_eq(ms_graph_write(graph, NULL, MS_FORMAT_TVE, path, &err), MS_OK);
  ck_assert_int_eq(ms_graph_read(path, NULL, &again, &err), MS_OK);
  describe(again, text, sizeof text);
  ck_assert_str_eq(text, "0:0 1:0 2:0 3:0 4:0 5:0");
  ms_graph_free(graph);
  ms_graph_free(again);
}
END_TEST

static void not_written(const uint32_t (*pairs)[2], uint64_t count, const char *first,
                        const char *part)
{
  ms_graph *graph = six();
  ms_coloring *coloring = color(graph, pairs, count, first);
  ms_error err = {0};
  const char *path = files_path("never.tve");
  ms_status status = ms_graph_write(graph, coloring, MS_FORMAT_TVE, path, &err);
  ck_assert_int_eq(status, MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, part), "no '%s': %s", part, err.message);
  ck_assert_ptr_null(fopen(path, "r"));
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}

/* A vertex with two colours or none, and a colour with a blank, are refused with the vertex. */
START_TEST(refuses_to_write_what_labels_cannot_say)
{
  not_written(one_each, 7, "x", "the vertex 'a b' has 2 colours");
  not_written(one_each, 5, "x", "the vertex '6' has 0 colours");
  not_written(one_each, 6, "DNA repair", "the colour 'DNA repair' of the vertex '7' holds a blank");
}
END_TEST

/* ---- real graphs --------------------------------------------------------- */

/* Counted line by line, with nothing of the library. */
static void check_against_lines(const char *path, const ms_graph *graph)
{
  char line[256], label[64], id[32];
  uint64_t vertices = 0, edges = 0;
  ms_coloring *coloring = NULL;
  ms_error err;
  FILE *file = fopen(path, "r");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(ms_coloring_from_graph(graph, &coloring, &err), MS_OK);
  while (fgets(line, sizeof line, file)) {
    edges += line[0] == 'e';
    if (line[0] != 'v')
      continue;
    uint32_t count, v;
    ck_assert_int_eq(sscanf(line, "v %31s %63s", id, label), 2);
    v = ms_graph_find(graph, id);
    ck_assert_uint_eq(v, vertices++);
    const uint32_t *found = ms_coloring_of(coloring, v, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(ms_coloring_name(coloring, *found), label);
  }
  fclose(file);
  ck_assert_uint_eq(ms_graph_vertex_count(graph), vertices);
  ck_assert_uint_eq(ms_graph_edge_count(graph), edges);
  ms_coloring_free(coloring);
}

static size_t graphs, data_graphs;

static void check_real(const char *path)
{
  size_t length = strlen(path);
  ms_graph *graph = NULL;
  ms_error err;
  if (length < 6 || strcmp(path + length - 6, ".graph") != 0)
    return;
  ck_assert_msg(ms_graph_read(path, NULL, &graph, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_graph_describe(graph).format, MS_FORMAT_TVE);
  check_against_lines(path, graph);
  ms_graph_free(graph);
  graphs++;
  data_graphs += strstr(path, "+data_graph+") != NULL;
}

static void check_archive(const char *archive, size_t expected, size_t expected_data)
{
  graphs = data_graphs = 0;
  if (files_unpack(archive, check_real) == 0) {
    printf("SKIPPED: test_format_tve: no %s in the data, or no tar\n", archive);
    return;
  }
  ck_assert_uint_eq(graphs, expected);
  ck_assert_uint_eq(data_graphs, expected_data);
}

/* Each of 2,402 published graphs of yeast and human, data and queries, has what a plain loop over
 * its lines counts. */
START_TEST(reads_yeast_and_human)
{
  check_archive("labelled/snu_yeast_human_tve.tar.gz", 2402, 2);
}
END_TEST

/* The same for 1,801 graphs of WordNet. */
START_TEST(reads_wordnet)
{
  check_archive("labelled/ogm_wordnet_tve.tar.gz", 1801, 1);
}
END_TEST

TEST_MAIN("format: tve", TEST(reads_every_form), TEST(edges_join_the_vertices_they_name),
          TEST(is_detected), TEST(survives_damage), TEST(refuses), TEST(round_trips),
          TEST(without_colors_the_label_is_0), TEST(refuses_to_write_what_labels_cannot_say),
          TEST(reads_yeast_and_human), TEST(reads_wordnet))
