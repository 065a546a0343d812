/* The rules that detect a format, on files that look like more than one. */
#include "graph/formats/detect.h"
#include "tests/support/test_main.h"

#include <string.h>

static const struct detect_case {
  const char *path, *content;
  ms_graph_format plain;
  ms_typed_format typed;
} cases[] = {
    /* SIF and a table share this header; Hetionet's is SIF as a plain graph */
    {"x", "source\tinteraction\ttarget\na\tpp\tb\n", MS_FORMAT_SIF, MS_TYPED_SIF},
    {"x", "source\tmetaedge\ttarget\na\tpp\tb\n", MS_FORMAT_SIF, MS_TYPED_HETIONET},
    {"x", "from\ttype\tto\na\tpp\tb\n", MS_FORMAT_TABLE, MS_TYPED_TABLE},
    {"x.sif", "#relation:\tr\t^r\nsource\ttype\ttarget\n", MS_FORMAT_TABLE, MS_TYPED_TABLE},
    /* a suffix is enough, unless a rule above matches */
    {"x.sif", "a b\n", MS_FORMAT_SIF, MS_TYPED_SIF},
    {"x.sif", "p edge 2 1\ne 1 2\n", MS_FORMAT_DIMACS, MS_TYPED_SIF},
    {"x.mitab", "p edge 2 1\ne 1 2\n", MS_FORMAT_MITAB, MS_TYPED_AUTO},
    {"x.lad.gz", "a b\n", MS_FORMAT_LAD, MS_TYPED_AUTO},
    {"x.tab3.txt", "protein1 protein2 s\n", MS_FORMAT_STRING, MS_TYPED_AUTO},
    {"x.tve", "<graphml/>", MS_FORMAT_GRAPHML, MS_TYPED_GRAPHML},
    /* CX2 and CX 1, which is refused before anything is detected */
    {"x", "\xEF\xBB\xBF\n[{\"CXVersion\":\"2.0\"}]", MS_FORMAT_CX2, MS_TYPED_CX2},
    {"x.cx2.gz", "[{\"a\":1}]", MS_FORMAT_CX2, MS_TYPED_CX2},
    {"x.cx2", "a b\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "[{\"numberVerification\":[]}]", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    /* METIS needs its suffix, and numbers that a simple graph can have */
    {"x", "3 2\n2\n1 3\n2\n", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
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
    /* byte order marks, comments, and nothing at all */
    {"x", "\xEF\xBB\xBF%%MatrixMarket matrix\n", MS_FORMAT_MATRIX_MARKET, MS_TYPED_AUTO},
    {"x", "# c\n\nt # 0\n! c\nv 0 1\n", MS_FORMAT_TVE, MS_TYPED_TVE},
    {"x", "", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
    {"x", "\n# c", MS_FORMAT_EDGE_LIST, MS_TYPED_AUTO},
};

/* 40 files, most of which two formats could claim, are detected as the order of the rules says, as
 * plain and as typed graphs. */
START_TEST(order_decides)
{
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const struct detect_case *c = &cases[i];
    const ms_head head = {c->path, c->content, strlen(c->content), true};
    ck_assert_msg(ms_format_detect(&head) == c->plain, "case %zu, a plain graph: format %d", i,
                  (int)ms_format_detect(&head));
    ck_assert_msg(ms_typed_format_detect(&head) == c->typed, "case %zu, a typed graph: format %d",
                  i, (int)ms_typed_format_detect(&head));
  }
}
END_TEST

/* A line that the head cuts off is not used: half a header of STRING could be another name. */
START_TEST(cut_lines_are_not_used)
{
  static const char content[] = "protein1 protein2";
  ms_head head = {"x", content, sizeof content - 1, true};
  ck_assert_int_eq(ms_format_detect(&head), MS_FORMAT_STRING);
  head.whole = false;
  ck_assert_int_eq(ms_format_detect(&head), MS_FORMAT_EDGE_LIST);
}
END_TEST

TEST_MAIN("detection of formats", TEST(order_decides), TEST(cut_lines_are_not_used))
