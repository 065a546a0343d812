/* The rules that detect a format, on files that look like more than one. */
#include "graph/formats/detect.h"
#include "tests/support/test_main.h"

#include <string.h>

static ms_error err;

static const struct detect_case {
  const char *path, *content;
  ms_graph_format plain;
  ms_typed_format typed;
} cases[] = {
    /* SIF and a table share this header; Hetionet's is SIF as a plain graph */
    {"x", "source\tinteraction\ttarget\na\tpp\tb\n", MS_FORMAT_SIF, MS_TYPED_SIF},
    {"x.sif", "source\ttype\ttarget\tscore\na\tr\tb\t1\n", MS_FORMAT_TABLE, MS_TYPED_TABLE},
    {"x.sif", "from\ttype\tto\na\tpp\tb\n", MS_FORMAT_TABLE, MS_TYPED_TABLE},
    {"x", "source\tmetaedge\ttarget\na\tpp\tb\n", MS_FORMAT_SIF, MS_TYPED_HETIONET},
    {"x", "from\ttype\tto\na\tpp\tb\n", MS_FORMAT_TABLE, MS_TYPED_TABLE},
    {"x.sif", "#relation:\tr\t^r\nsource\ttype\ttarget\n", MS_FORMAT_TABLE, MS_TYPED_TABLE},
    /* a suffix is enough, unless a rule above matches */
    {"x.sif", "a b\n", MS_FORMAT_SIF, MS_TYPED_SIF},
    {"x.sif", "p edge 2 1\ne 1 2\n", MS_FORMAT_DIMACS, MS_TYPED_AUTO},
    {"x.mitab", "p edge 2 1\ne 1 2\n", MS_FORMAT_DIMACS, MS_TYPED_AUTO},
    {"x.lad.gz", "a b\n", MS_FORMAT_LAD, MS_TYPED_AUTO},
    {"x.tab3.txt", "protein1 protein2 s\n", MS_FORMAT_STRING, MS_TYPED_AUTO},
    {"x.tve", "<graphml/>", MS_FORMAT_GRAPHML, MS_TYPED_GRAPHML},
    /* CX2 and CX 1, which is refused before anything is detected */
    {"x", "\n[{\"CXVersion\":\"2.0\"}]", MS_FORMAT_CX2, MS_TYPED_CX2},
    {"x.cx2.gz", "[{\"a\":1}]", MS_FORMAT_CX2, MS_TYPED_CX2},
    {"x.cx2", "a b\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* METIS needs its suffix, or lines that add up, and numbers that a simple graph can have */
    {"x", "3 2\n2\n1 3\n2\n", MS_FORMAT_METIS, MS_TYPED_AUTO},
    {"x", "% c\n3 2\n\n3\n2\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "4 2\n2\n1\n4\n3\n\n", MS_FORMAT_METIS, MS_TYPED_AUTO},
    {"x", "3 2 1\n2 5\n1 5 3 6\n2 6\n", MS_FORMAT_METIS, MS_TYPED_AUTO},
    {"x", "3 2\n2\n1 2\n2\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x.graph", "4 4\n2 4\n1 3\n2 4\n1 3\n", MS_FORMAT_METIS, MS_TYPED_AUTO},
    {"x.graph.zst", "3 2\n2\n1 3\n2\n", MS_FORMAT_METIS, MS_TYPED_AUTO},
    {"x.graph", "3 4\n2\n1 3\n2\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* LAD: every line must add up */
    {"x", "3\n1 1\n2 0 2\n1 1\n", MS_FORMAT_LAD, MS_TYPED_AUTO},
    {"x", "3\r\n1 1\r\n2 0 2\r\n1 1\r\n", MS_FORMAT_LAD, MS_TYPED_AUTO},
    {"x", "3\n1 1\n2 0 2\n2 1\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* RI: a name, one word for each vertex, and all edges; lone vertices may also be LAD */
    {"x", "#g\n2\nA\nB\n1\n0 1\n", MS_FORMAT_RI, MS_TYPED_RI},
    {"x.gfd.4.1", "#g\n\n2\n0\n1\n2\n0 1 x\n\n1 0 y\n", MS_FORMAT_RI, MS_TYPED_RI},
    {"x.ged.gz", "#g\nno number\n", MS_FORMAT_RI, MS_TYPED_RI},
    {"x", "#g\n2\nA\nB\n1\n0 2\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "#g\n2\nA\nB\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "#g\n2\n0\n0\n", MS_FORMAT_LAD, MS_TYPED_AUTO},
    {"x", "#g\n2\n1 1\n1 0\n", MS_FORMAT_LAD, MS_TYPED_AUTO},
    {"x", " # c\n\n#\np\tmotif 2 1\n", MS_FORMAT_MOTIF, MS_TYPED_AUTO},
    {"x", "p motif 2 1\n", MS_FORMAT_MOTIF, MS_TYPED_AUTO},
    {"x", "p motifs 2 1\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* two relations, or pp, distinguish SIF from a list of genes */
    {"x", "a pp b\n", MS_FORMAT_SIF, MS_TYPED_SIF},
    {"x", "a pd b\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "a pd b\nb pr c\n", MS_FORMAT_SIF, MS_TYPED_SIF},
    {"x", "a pp 0.98\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* names of genes that begin a header of MITAB */
    {"x", "uidA\tuidB\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "#uidA\tuidB\n", MS_FORMAT_MITAB, MS_TYPED_AUTO},
    /* lines v and e without a line t */
    {"x.lg", "# t 1\nv 0 1\nv 1 2\ne 0 1 3\n", MS_FORMAT_TVE, MS_TYPED_TVE},
    {"x", "v 0 a\nv 1 b\ne 0 1\n", MS_FORMAT_TVE, MS_TYPED_TVE},
    {"x", "v 1 a\nv 2 b\ne 1 2\n", MS_FORMAT_TVE, MS_TYPED_TVE},
    {"x", "v 0 a\nv 1 b\nw 0 1\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* Gephi's types are directions */
    {"x", "Source\tTarget\tType\n1\t2\tDirected\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* comments of other formats, and nothing at all */
    {"x", "# c\n\nc c\np edge 2 1\ne 1 2\n", MS_FORMAT_DIMACS, MS_TYPED_AUTO},
    {"x", "\n%%MatrixMarket matrix\n", MS_FORMAT_MATRIX_MARKET, MS_TYPED_AUTO},
    {"x", "# c\n\nt # 0\n! c\nv 0 1\n", MS_FORMAT_TVE, MS_TYPED_TVE},
    {"x", "", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "\n# c", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
};

/* 52 files, most of which two formats could claim, are detected as the table says, as plain and as
 * typed graphs. */
START_TEST(order_decides)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct detect_case *c = &cases[i];
    const ms_head head = {c->path, c->content, strlen(c->content), true};
    ms_graph_format plain;
    ms_typed_format typed;
    ck_assert_msg(ms_format_detect("x", &head, false, &plain, &typed, &err) == MS_OK,
                  "case %zu: %s", i, err.message);
    ck_assert_msg(plain == c->plain, "case %zu, a plain graph: format %d", i, (int)plain);
    ck_assert_msg(typed == c->typed, "case %zu, a typed graph: format %d", i, (int)typed);
  }
}
END_TEST

/* 6 files that fit two formats are refused, and the message names both. */
START_TEST(two_formats_are_asked_for)
{
  static const struct {
    const char *path, *content, *names[2];
  } twos[] = {
      {"x", "4 4\n2 4\n1 3\n2 4\n1 3\n", {"metis", "edge-list"}},
      {"x.graph", "4 3\n0 1\n1 2\n2 3\n", {"metis", "edge-list"}},
      {"x.lad", "4 5\n0 1\n0 2\n1 2\n1 3\n2 3\n", {"lad", "edge-list"}},
      {"x.sif", "3\n1 1\n2 0 2\n1 1\n", {"lad", "sif"}},
      {"x.mitab", "a pp b\n", {"mitab", "sif"}},
      {"x.tab3.txt", "3 2\n2\n1 3\n2\n", {"biogrid", "metis"}},
  };
  for (size_t i = 0; i < sizeof twos / sizeof *twos; i++) {
    const ms_head head = {twos[i].path, twos[i].content, strlen(twos[i].content), true};
    ms_graph_format plain;
    ms_typed_format typed;
    ck_assert_msg(ms_format_detect("x", &head, false, &plain, &typed, &err) == MS_ERR_INPUT,
                  "case %zu: format %d", i, (int)plain);
    for (int k = 0; k < 2; k++)
      ck_assert_msg(strstr(err.message, twos[i].names[k]), "case %zu: %s", i, err.message);
    ck_assert_int_eq(ms_format_detect("x", &head, true, &plain, &typed, &err), MS_OK);
    ck_assert_int_eq(plain, MS_FORMAT_EDGE_LIST);
  }
}
END_TEST

/* 9 files of other forms, which look like lists of edges, are refused by name, and read where the
 * ends of edges are chosen. */
START_TEST(other_forms_are_named)
{
  static const struct {
    const char *content, *name;
  } others[] = {
      {"v 1 1\nv 0 1\ne 0 1\n", "t/v/e"},
      {"v 0 1\ne 0 1\n", "t/v/e"},
      {"v 1 a\nv 2 b\nd 1 2 x\n", "SUBDUE"},
      {"c c\ne 1 2\ne 2 3 5\n", "DIMACS"},
      {"n 1 5\na 1 2 4\n", "DIMACS"},
      {"a;b;c\nb;a\nc;a\n", "list of neighbours"},
      {"a b c\nb c a\nc a b\n", "list of neighbours"},
      {"a 2 b c\nb 2 a c\nc 2 a b\n", "list of neighbours"},
      {"node\tneighbors\na\tb\n", "list of neighbours"},
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    const ms_head head = {"x", others[i].content, strlen(others[i].content), true};
    ms_graph_format plain;
    ms_typed_format typed;
    ck_assert_msg(ms_format_detect("x", &head, false, &plain, &typed, &err) == MS_ERR_INPUT,
                  "case %zu: format %d", i, (int)plain);
    ck_assert_msg(strstr(err.message, others[i].name), "case %zu: %s", i, err.message);
    ck_assert_int_eq(ms_format_detect("x", &head, true, &plain, &typed, &err), MS_OK);
  }
}
END_TEST

/* Lists of edges with whole weights that are names, too, are no lists of neighbours: 10 vertices
 * with their nearest ones and a few distances, and both lines of each edge. */
START_TEST(weights_are_no_neighbors)
{
  static const char *const lists[] = {
      "1 2 9\n2 1 9\n3 4 9\n4 3 9\n5 6 3\n6 5 3\n7 8 3\n8 7 3\n9 10 5\n10 9 5\n",
      "1 2 3\n1 3 2\n2 1 3\n2 3 1\n3 1 2\n3 2 1\n",
  };
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    const ms_head head = {"x", lists[i], strlen(lists[i]), true};
    ms_graph_format plain;
    ms_typed_format typed;
    ck_assert_msg(ms_format_detect("x", &head, false, &plain, &typed, &err) == MS_OK,
                  "case %zu: %s", i, err.message);
    ck_assert_int_eq(plain, MS_FORMAT_EDGE_LIST);
  }
}
END_TEST

/* A line that the head cuts off is not used: half a header of STRING could be another name. */
START_TEST(cut_lines_are_not_used)
{
  static const char content[] = "protein1 protein2";
  ms_head head = {"x", content, sizeof content - 1, true};
  ms_graph_format plain;
  ms_typed_format typed;
  ck_assert_int_eq(ms_format_detect("x", &head, false, &plain, &typed, &err), MS_OK);
  ck_assert_int_eq(plain, MS_FORMAT_STRING);
  head.whole = false;
  ck_assert_int_eq(ms_format_detect("x", &head, false, &plain, &typed, &err), MS_OK);
  ck_assert_int_eq(plain, MS_FORMAT_EDGE_LIST);
}
END_TEST

TEST_MAIN("detection of formats", TEST(order_decides), TEST(two_formats_are_asked_for),
          TEST(other_forms_are_named), TEST(weights_are_no_neighbors), TEST(cut_lines_are_not_used))
