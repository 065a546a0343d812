/* SIF files (graph/formats/sif.c): what is read, refused and written. */
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <string.h>

static const ms_graph_options sif = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_SIF};

/* Any mechanical damage (malform.h) of a file with tabs and of one with blanks is refused or gives
 * a valid graph. */
START_TEST(survives_damage)
{
  static const char tabs[] = "# a comment\nA\tpp\tB\tC\nB\tpd\tb b\n\nalone\nD\tpp\tD\n";
  static const char blanks[] = "A pp B C\n  B  pd  D\nalone\n";
  malform_damage("net.sif", tabs, sizeof tabs - 1, malform_read_graph, (void *)(uintptr_t)&sif);
  malform_damage("net.sif", blanks, sizeof blanks - 1, malform_read_graph, (void *)(uintptr_t)&sif);
}
END_TEST

/* Each of 24 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("\n \n", 0, "holds no edges"),
      MALFORM("# nothing\n", 0, "holds no edges"),
      MALFORM("source\tmetaedge\ttarget\n", 0, "holds no edges"),
      MALFORM("a pp\n", 1, "found two fields; add the target, or read the file as an edge list"),
      MALFORM("a\tpp\n", 1, "found two fields"),
      MALFORM("a\tpp\tb\nc\tpp\n", 2, "found two fields"),
      MALFORM("a\tpp\tb\t\tc\n", 1, "second vertex name is empty"),
      MALFORM("\tpp\tb\n", 1, "first vertex name is empty"),
      MALFORM("a\t\tb\n", 1, "the relation, is empty; write one, such as pp"),
      MALFORM("a\tpp\tb\nc pp d\n", 2, "blanks separate fields here, but tabs do in"),
      MALFORM("c pp d\na\tpp\tb\n", 1, "blanks separate fields here"),
      MALFORM("a pp b\nc pp \xE9\n", 2, "second vertex name is not valid UTF-8"),
      MALFORM("a pp b\n\xC3 pp c\n", 2, "first vertex name is not valid UTF-8"),
      MALFORM("a pp b\n\xC3\n", 2, "the vertex name is not valid UTF-8"),
      MALFORM("a pp b\nc\x01 pp d\n", 2, "holds a control character"),
      MALFORM("a pp b\rc pp d\n", 1, "holds a control character"),
      MALFORM("a pp b\nal\0one\n", 2, "holds a NUL byte"),
      MALFORM("a pp b\nc pp d \x7F\n", 2, "holds a control character"),
      MALFORM("a pp b \xED\xA0\x80\n", 1, "not valid UTF-8"),
      MALFORM("\x1F\x8B", 0, "cut off"),
  };
  malform_refuses("net.sif", cases, sizeof cases / sizeof *cases, malform_read_graph,
                  (void *)(uintptr_t)&sif);
}
END_TEST

/* A tab behind 20,000 lines of blanks, more than the reader looks ahead, is refused with its
 * line. */
START_TEST(refuses_a_late_tab)
{
  /* more lines without tabs than the reader looks at in front */
  enum { LINES = 20000 };
  static char text[LINES * 10];
  size_t used = 0;
  for (int i = 0; i < LINES; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "a%d pp b\n", i % 99);
  memcpy(text + used, "c\tpp\td\n", 7);
  malform_case late = {text, used + 7, LINES + 1, "a tab separates fields here"};
  malform_refuses("net.sif", &late, 1, malform_read_graph, (void *)(uintptr_t)&sif);
}
END_TEST

/* Seven vertices with odd names are written and read back as they were: with five edges, with none,
 * and with names that look like a header. */
START_TEST(round_trips)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {4, 2}, {5, 0}, {0, 2}};
  static const char *const names[] = {"a b", "pp", "\xC3\xA9", "lone some", "\"q\"", "6", "alone"};
  static const char *const words[] = {"a", "pp", "c", "source", "e", "f", "target"};
  ms_error err;
  ms_graph *graph = NULL;
  ck_assert_int_eq(ms_graph_from_edges(7, 5, edges, names, &graph, &err), MS_OK);
  malform_round_trip("net.sif", graph, NULL, MS_FORMAT_SIF);
  ms_graph_free(graph);
  /* no edge, no tab */
  ck_assert_int_eq(ms_graph_from_edges(7, 0, NULL, names, &graph, &err), MS_OK);
  malform_round_trip("net.sif", graph, NULL, MS_FORMAT_SIF);
  ms_graph_free(graph);
  ck_assert_int_eq(ms_graph_from_edges(7, 0, NULL, words, &graph, &err), MS_OK);
  malform_round_trip("net.sif", graph, NULL, MS_FORMAT_SIF);
  ms_graph_free(graph);
}
END_TEST

/* Names that the format would read as comments or trim are refused: four pairs. */
START_TEST(cannot_write)
{
  static const uint32_t edges[][2] = {{0, 1}};
  static const char *const names[][2] = {{"a", "#b"}, {"!a", "b"}, {"a", " b"}, {"a ", "b"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    ms_error err;
    ms_graph *graph = NULL;
    ck_assert_int_eq(ms_graph_from_edges(2, 1, edges, names[i], &graph, &err), MS_OK);
    ck_assert_int_eq(ms_graph_write(graph, NULL, MS_FORMAT_SIF, files_path("no.sif"), &err),
                     MS_ERR_USAGE);
    ck_assert_msg(strstr(err.message, "a SIF file cannot express"), "%s", err.message);
    ms_graph_free(graph);
  }
}
END_TEST

/* Each of 18 texts gives its graph: tabs or blanks, several targets, isolated vertices, comments,
 * headers and what resembles them. */
START_TEST(reads)
{
  static const struct {
    const char *text, *graph;
  } cases[] = {
      {"TP53\tpp\tMDM2\tMDM4\nGAL4\tpd\tGAL1\nalone\n", "TP53-MDM2, TP53-MDM4, GAL4-GAL1, alone"},
      {"A pp B C D\n", "A-B, A-C, A-D"},
      {"  A   pp  B  \n", "A-B"},
      {"a b\tc d\te f\nlone some\n", "a b-e f, lone some"},
      {"lone some\na\tpp\tb\n", "lone some, a-b"}, /* the tab counts for the line before */
      {"# a\ttab\nA pp B\n", "A-B"},               /* but for comments */
      {"A pp A\nB pp C\n", "A, B-C"},              /* a vertex joined to itself */
      {"A pp B\nB pp A\nA pd B\n", "A-B"},         /* relations are not kept */
      {"alone\n", "alone"},
      {"A 0.5 B\n", "A-B"}, /* any word is a relation */
      {"A pp B\r\nC pp D", "A-B, C-D"},
      {"\xEF\xBB\xBF"
       "A pp B\n",
       "A-B"},
      {"Source\tInteraction\tTarget\na\tpp\tb\n", "a-b"},
      {"PARTICIPANT_A\tINTERACTION_TYPE\tPARTICIPANT_B\na\tin-complex-with\tb\n", "a-b"},
      {"source relation target\na x b\n", "a-b"},
      {"source pp target\n", "source-target"},     /* no header: pp is a relation */
      {"a\tpp\tb\t\nc\tpp\t\nd\t\n", "a-b, c, d"}, /* tabs at the end, as tables have them */
      {"a pp b\nsource interaction target\n", "a-b, source-target"}, /* not in the first line */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_str_eq(graph_text("net.sif", cases[i].text, NULL, NULL), cases[i].graph);
}
END_TEST

/* An option makes the reader skip the first line, whatever it says. */
START_TEST(skips_a_header_when_told)
{
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_SIF, .header = true};
  ck_assert_str_eq(graph_text("net.sif", "from how to\na pp b\n", &options, NULL), "a-b");
}
END_TEST

/* Vertices, edges, self-loops, duplicates and lines of four lines are counted right. */
START_TEST(counts)
{
  ms_graph_info info;
  graph_text("net.sif", "A pp B A\nB pd A\nB pp B\nE\n", NULL, &info);
  ck_assert_uint_eq(info.vertices, 3);
  ck_assert_uint_eq(info.edges, 1);
  ck_assert_uint_eq(info.self_loops, 2);
  ck_assert_uint_eq(info.duplicates, 1);
  ck_assert_uint_eq(info.lines, 4);
}
END_TEST

/* The format is detected by ending or by relations, and edge lists are not taken for it: 20 files,
 * and one with gzip. */
START_TEST(is_told)
{
  static const struct {
    const char *name, *text, *format;
  } cases[] = {
      {"net.sif", "A x B\n", "sif"},
      {"net.sif", "a b c\n", "sif"},
      {"net", "A pp B\n", "sif"},
      {"net", "A\tpd\tB\tC\nB\tpp\tC\nalone\n", "sif"},
      {"net.txt", "alone\nA pp B\n", "sif"},
      {"net", "6416 pp 2318\n", "sif"}, /* Entrez genes */
      {"net", "source\tmetaedge\ttarget\nA\tx\tB\n", "sif"},
      {"net", "A B 0.98\n", "edge-list"},
      {"net", "A\tB\t0.98\nC\tpp\tD\n", "edge-list"},
      {"net", "A pd B\nB gl C\n", "sif"},
      {"net", "ey gl physical\nso gl genetic\n", "edge-list"}, /* gl is a gene of the fly */
      {"net", "A PP B\n", "edge-list"},
      {"net", "A pp 0.98\n", "edge-list"}, /* an edge to a vertex pp */
      {"net", "A\tcr\t1\nB\tpp\t3e-5\n", "edge-list"},
      {"net", "A pp\nB pp\n", "edge-list"},
      {"net", "A pp B\nA pp\n", "edge-list"},
      {"net", "A pp B\nA x B\n", "edge-list"}, /* one strange line will do */
      {"net", "A,pp,B\n", "edge-list"},
      {"net", "source\ttarget\tweight\na\tb\t1\n", "edge-list"},
      {"net.sif.txt", "A x B\n", "edge-list"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    ck_assert_msg(strcmp(graph_text_format(cases[i].name, cases[i].text), cases[i].format) == 0,
                  "case %zu: is %s", i, graph_text_format(cases[i].name, cases[i].text));
  const char *packed = files_write_gzip("net.sif.gz", "A x B\n", 6, 1);
  ck_assert_str_eq(graph_text_of(packed, NULL, NULL), "A-B");
}
END_TEST

/* Written and read again, every vertex has as many neighbours as before. */
static void same_degrees(const ms_graph *graph)
{
  ms_error err;
  ms_graph *again = NULL;
  const char *path = files_path("again.sif");
  ck_assert_msg(ms_graph_write(graph, NULL, MS_FORMAT_SIF, path, &err) == MS_OK, "%s", err.message);
  ck_assert_msg(ms_graph_read(path, NULL, &again, &err) == MS_OK, "%s", err.message);
  ck_assert_uint_eq(ms_graph_vertex_count(again), ms_graph_vertex_count(graph));
  ck_assert_uint_eq(ms_graph_edge_count(again), ms_graph_edge_count(graph));
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree, other, u = ms_graph_find(again, ms_graph_name(graph, v));
    ck_assert_msg(u != UINT32_MAX, "%s is lost", ms_graph_name(graph, v));
    ms_graph_neighbors(graph, v, &degree);
    ms_graph_neighbors(again, u, &other);
    ck_assert_uint_eq(degree, other);
  }
  ms_graph_free(again);
}

/* Three files of Hetionet have the vertices, edges and lines that awk counts, and every vertex
 * keeps its degree when the graph is written and read again. */
START_TEST(reads_hetionet)
{
  static const struct {
    const char *name;
    uint32_t vertices;
    uint64_t edges, lines;
  } files[] = {{"typed/hetionet_edges-5k.sif.gz", 26574, 99523, 99677},
               {"typed/hetionet_edges-5k.v02.sif.gz", 29188, 108532, 108648},
               {"typed/hetionet_edges-5k.v03.sif.gz", 28272, 103532, 103648}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    ms_error err;
    ms_graph *graph = NULL;
    const char *path = files_data(files[i].name);
    if (!path) {
      printf("SKIPPED: format sif: no %s\n", files[i].name);
      continue;
    }
    ck_assert_msg(ms_graph_read(path, NULL, &graph, &err) == MS_OK, "%s", err.message);
    ms_graph_info info = ms_graph_describe(graph);
    ck_assert_int_eq(info.format, MS_FORMAT_SIF);
    ck_assert_uint_eq(info.vertices, files[i].vertices);
    ck_assert_uint_eq(info.edges, files[i].edges);
    ck_assert_uint_eq(info.lines, files[i].lines);
    ck_assert_uint_eq(info.self_loops, 0);
    ck_assert_uint_eq(ms_graph_find(graph, "source"), UINT32_MAX);
    ck_assert_uint_eq(ms_graph_find(graph, "metaedge"), UINT32_MAX);
    same_degrees(graph);
    ms_graph_free(graph);
  }
}
END_TEST

TEST_MAIN("format: SIF", TEST(survives_damage), TEST(refuses), TEST(refuses_a_late_tab),
          TEST(round_trips), TEST(cannot_write), TEST(reads), TEST(skips_a_header_when_told),
          TEST(counts), TEST(is_told), TEST(reads_hetionet))
