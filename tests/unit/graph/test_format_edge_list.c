/* Edge lists (graph/formats/edge_list.c): damaged files and round trips. What is read is tested in
 * test_graph.c. */
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <string.h>

/* Any mechanical damage (malform.h) of a list with tabs and of one with commas is refused or gives
 * a valid graph. */
START_TEST(survives_damage)
{
  static const char good[] = "# a comment\nA\tB\t0.5\nB\tC\t1\n\nC\tD\t2\nD\tD\t0\n";
  static const char csv[] = "\"a, b\",c,1\nc,\"d \"\"e\"\"\",2\n";
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_EDGE_LIST};
  malform_damage("net.tsv", good, sizeof good - 1, malform_read_graph, &options);
  malform_damage("net.csv", csv, sizeof csv - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 22 malformed lists is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("\n\n", 0, "holds no edges"),
      MALFORM("# nothing\n", 0, "holds no edges"),
      MALFORM("a\n", 1, "expected two vertex names"),
      MALFORM("a b\nc\n", 2, "expected two vertex names separated by blanks as in line 1"),
      MALFORM("a\tb\nc d\n", 2, "separated by a tab as in line 1"),
      MALFORM("a,b\nc d\n", 2, "separated by a comma as in line 1"),
      MALFORM("a\t\n", 1, "second vertex name is empty"),
      MALFORM("\tb\n", 1, "first vertex name is empty"),
      MALFORM("a,\n", 1, "second vertex name is empty"),
      MALFORM("a b\nc \xE9\n", 2, "second vertex name is not valid UTF-8"),
      MALFORM("\xC3\xA9 b\n\xC3 c\n", 2, "first vertex name is not valid UTF-8"),
      MALFORM("a b\nc\x01 d\n", 2, "holds a control character"),
      MALFORM("a b\rc d\n", 1, "holds a control character"),
      MALFORM("a b\nc\0d e\n", 2, "holds a NUL byte"),
      MALFORM("\"a,b\n", 1, "a double quote is not closed"),
      MALFORM("\"a\"x,b\n", 1, "text follows a closing double quote"),
      MALFORM("a,b\nc,\"\n", 2, "a double quote is not closed"),
      MALFORM("a\tb\n\xFF\xFE\t\n", 2, "not valid UTF-8"),
      MALFORM("a b\nc \x7F\n", 2, "holds a control character"),
      MALFORM("\x1F\x8B", 0, "cut off"),
      MALFORM("a b\n\xED\xA0\x80 c\n", 2, "not valid UTF-8"),
  };
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_EDGE_LIST};
  malform_refuses("net.tsv", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* A graph of six vertices with odd names is written and read back as it was. */
START_TEST(round_trips)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {4, 2}, {5, 0}};
  static const char *const names[] = {"a b", "c,d", "\xC3\xA9", "alone", "q\"r\"", "6"};
  ms_error err;
  ms_graph *graph = NULL;
  ck_assert_int_eq(ms_graph_from_edges(6, 4, edges, names, &graph, &err), MS_OK);
  malform_round_trip("net.tsv", graph, NULL, MS_FORMAT_EDGE_LIST);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("format: edge list", TEST(survives_damage), TEST(refuses), TEST(round_trips))
