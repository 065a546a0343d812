/* Edge lists with headers, chosen columns and scores (graph/io/edges/edge_columns.c,
 * header_check.c, titles.c, scores.c): which lines are headers, which columns are read, and what is
 * asked. */
#include "graph/graph.h"
#include "tests/support/files.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

/* A file, the options, and the edges "a-b c-d" in the order of vertices. */
typedef struct reading {
  const char *text;
  ms_graph_options options;
  const char *edges;
} reading;

static const char *edges_of(const ms_graph *graph)
{
  static char text[1000];
  text[0] = '\0';
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree;
    const uint32_t *neighbor = ms_graph_neighbors(graph, v, &degree);
    for (uint32_t i = 0; i < degree; i++)
      if (neighbor[i] > v)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s-%s", *text ? " " : "",
                 ms_graph_name(graph, v), ms_graph_name(graph, neighbor[i]));
  }
  return text;
}

static void check_readings(const reading *cases, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    ms_graph *graph = NULL;
    const char *path = files_write_text("net.txt", cases[i].text);
    ms_graph_options options = cases[i].options;
    options.size = sizeof options;
    ms_status status = ms_graph_read(path, &options, &graph, &err);
    ck_assert_msg(status == MS_OK, "case %zu: %s", i, err.message);
    const char *edges = edges_of(graph);
    ck_assert_msg(strcmp(edges, cases[i].edges) == 0, "case %zu: '%s', wanted '%s'", i, edges,
                  cases[i].edges);
    ms_graph_free(graph);
  }
}

/* Each of 16 headers is recognised by its titles, and the columns of the first pair of titles are
 * the ends of edges. */
START_TEST(headers_are_recognized)
{
  static const reading cases[] = {
      {"from,to\na,b\nb,c\n", {0}, "a-b b-c"},
      {"source\ttarget\na\tb\n", {0}, "a-b"},
      {"FromNodeId ToNodeId\n1 2\n", {0}, "1-2"},
      {"V1,V2\na,b\n", {0}, "a-b"},
      {"node1\tnode2\tscore\na\tb\t1\n", {0}, "a-b"},
      {"protein1\tprotein2\na\tb\n", {0}, "a-b"},
      {"weight,source,target\n3,a,b\n", {0}, "a-b"},
      {"Official Symbol Interactor A\tOfficial Symbol Interactor B\na\tb\n", {0}, "a-b"},
      {"INTERACTOR_A\tINTERACTOR_B\tOFFICIAL_SYMBOL_A\tOFFICIAL_SYMBOL_B\nx\ty\ta\tb\n",
       {0},
       "x-y"},
      {"Entrez Gene IDA\tSymbol A\tEntrez Gene IDB\tSymbol B\n14\tA\t62\tB\n", {0}, "14-62"},
      {"id1\tsymbol1\tid2\tsymbol2\n1\tA\t2\tB\n", {0}, "1-2"},
      {"source,interaction,target\na,pp,b\n", {.format = MS_FORMAT_EDGE_LIST}, "a-b"},
      {"# made by hand\n#node1\tnode2\tx\na\tb\t1\nb\tc\t1\n", {0}, "a-b b-c"},
      {"#weight\tnode1\tnode2\n1\ta\tb\n", {0}, "a-b"},
      {"# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n", {0}, "1-2 2-3"},
      {"from to\r\na b\r\n", {0}, "a-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* In each of ten lists the first line is an edge, although some of its names could be titles: they
 * occur again, are numbered like other vertices, stand alone, or the options say so. */
START_TEST(edges_are_no_headers)
{
  static const reading cases[] = {
      {"node1 node2\nnode2 node3\n", {0}, "node1-node2 node2-node3"},
      {"v0 v1\nv2 v3\n", {0}, "v0-v1 v2-v3"},
      {"V1,V2\nx,V1\n", {0}, "V1-V2 V1-x"},
      {"protein1 protein2\n", {.format = MS_FORMAT_EDGE_LIST}, "protein1-protein2"},
      {"from,to\na,b\n", {.no_header = true}, "from-to a-b"},
      {"NID1 NID2\na b\n", {0}, "NID1-NID2 a-b"},
      {"a b x\nc d 1\nb d 1\n", {0}, "a-b b-d c-d"},
      {"a b x\nc d 1\ne f 1\n", {.no_header = true}, "a-b c-d e-f"},
      {"to from\nfrom a\n", {0}, "to-from from-a"},
      {"g h\n1 2\n2 3\n", {0}, "g-h 1-2 2-3"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* Columns chosen by name, by number and by only one of the two ends: ten tables. */
START_TEST(columns_are_chosen)
{
  static const char ids[] = "id1\tsymbol1\tid2\tsymbol2\n1\tA\t2\tB\n2\tB\t3\tC\n";
  static const char bare[] = "1\tA\t2\tB\n2\tB\t3\tC\n";
  const reading cases[] = {
      {ids, {.source_column = "symbol1", .target_column = "symbol2"}, "A-B B-C"},
      {ids, {.source_column = "symbol1"}, "A-B B-C"},
      {ids, {.target_column = "symbol2"}, "A-B B-C"},
      {ids, {.source_column = "2", .target_column = "symbol2"}, "A-B B-C"},
      {bare, {.source_column = "1", .target_column = "3"}, "1-2 2-3"},
      {bare, {.source_column = "4", .target_column = "2"}, "B-A B-C"},
      {"a,b c,d\nx,y z,w\n", {.source_column = "1", .target_column = "3"}, "a-d x-w"},
      {"x;q,left,\"the, right\"\n1,a,b\n2,b,c\n",
       {.source_column = "left", .target_column = "the, right"},
       "a-b b-c"},
      {"# n\tgene A\tgene B\n1\ta\tb\n", {.source_column = "gene A"}, "a-b"},
      {"h1 h2 h3\na b c\n", {.header = true, .source_column = "1", .target_column = "3"}, "a-c"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* Edges below the least score are dropped, whatever the column of scores: nine lists. */
START_TEST(scores_decide)
{
  static const char web[] =
      "#node1\tnode2\tnode1_string_id\tnode2_string_id\thomology\tcombined_score\n"
      "a\tb\t4932.a\t4932.b\t0.9\t0.4\nb\tc\t4932.b\t4932.c\t0\t0.95\n";
  static const char links[] = "protein1 protein2 neighborhood combined_score\n"
                              "1.a 1.b 900 150\n1.b 1.a 900 150\n1.b 1.c 0 800\n";
  const reading cases[] = {
      {"a b 0.5\nb c 0.9\n", {.min_score = 0.7}, "b-c"},
      {"a b 0.5\nb c 0.9\n", {.min_score = 0.5}, "a-b b-c"},
      {"0.5 a b\n0.9 b c\n", {.min_score = 0.7, .source_column = "2", .target_column = "3"}, "b-c"},
      {"a b 1 -5\nb c 0 7\n", {.min_score = 1, .score_column = "4"}, "b-c"},
      {"from,to,weight,n\na,b,2,9\nb,c,3,9\n", {.min_score = 3}, "b-c"},
      {"from,to,weight,n\na,b,2,9\nb,c,3,1\n", {.min_score = 3, .score_column = "n"}, "a-b"},
      {web, {.min_score = 0.9}, "b-c"},
      {web, {.min_score = 0.9, .score_column = "homology"}, "a-b"},
      {links, {.min_score = 500, .score_column = "neighborhood"}, "a-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* What was read is reported: columns, header, range of scores, edges below the least. */
START_TEST(layout_is_reported)
{
  static const char text[] = "from\tto\tn\tweight\nb\ta\tx\t0.25\na\tb\tx\t0.25\na\tc\tx\t1\n";
  ms_graph *graph = NULL;
  ck_ok(ms_graph_read(files_write_text("net.tsv", text),
                      &(ms_graph_options){.size = sizeof(ms_graph_options), .min_score = 0.5},
                      &graph, &err));
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert(info.layout.header && info.layout.source_column == 1);
  ck_assert(info.layout.target_column == 2 && info.layout.score_column == 4);
  ck_assert(info.layout.lowest_score == 0.25 && info.layout.highest_score == 1);
  ck_assert_uint_eq(info.layout.pairs, 1);
  ck_assert_uint_eq(info.below_score, 1);
  ck_assert_uint_eq(info.vertices, 2);
  ms_graph_free(graph);
}
END_TEST

/* Each of 21 tables is refused by a message that names the option which decides. */
START_TEST(asks)
{
  static const struct {
    const char *text;
    ms_graph_options options;
    const char *part;
  } cases[] = {
      {"gene_id,symbol\na,b\n", {0}, "net.txt:1: 'gene_id' and 'symbol' look like titles of"},
      {"foo bar w\na b 3\nc d 4\n", {0}, "net.txt:1: column 3 seems to begin with a title"},
      {"foo bar\n1 2\n3 4\n5 6\n",
       {0},
       "say whether the line is a header (`header`) or an edge (`no"},
      {"1\tA\t2\tB\n2\tB\t3\tC\n", {0}, "by `source_column` and `target_column`, such as 1 and 3"},
      {"x y z w\nP a Q b\nP a R c\n", {.header = true}, "net.txt:2: 'P' and 'a' may be two names"},
      {"P a 1\nQ b 2\nP a 3\nQ b 4\nP a 5\n", {0}, "may be two names of one vertex"},
      {"from,to\n", {0}, "net.txt:1: the only line looks like a header"},
      {"a\tb\tc\n", {.source_column = "x", .target_column = "b"}, "no column has the header 'x'"},
      {"a\tb\tc\n1\t2\t3\n", {.source_column = "a"}, "choose the other, too, by `target_column`"},
      {"a\tb\tc\n1\t2\t3\n", {.target_column = "a"}, "choose the other, too, by `source_column`"},
      {"a\tb\n1\t2\n", {.source_column = "3", .target_column = "1"}, "the line has 2 columns"},
      {"a\tb\n1\t2\n", {.source_column = "0", .target_column = "1"}, "columns are numbered from 1"},
      {"a\tb\n1\t2\n", {.source_column = "1", .target_column = "1"}, "would both be column 1"},
      {"a\ta\tb\n1\t2\t3\n",
       {.source_column = "a", .target_column = "b"},
       "2 columns have the header"},
      {"a b 1 2\nb c 1 2\n", {.min_score = 1}, "choose the score column (`score_column`)"},
      {"a b\n", {.min_score = 1}, "has 2 columns, and no scores"},
      {"a b x\nb c 2\n", {.min_score = 1, .no_header = true}, "net.txt:1: the score 'x' is not"},
      {"a b 1\nb c\n", {.min_score = 1}, "net.txt:2: expected at least 3 columns"},
      {"a b 1\nb c 2\n", {.min_score = 9}, "its scores are from 1 to 2; give a lower minimum"},
      {"a b 1\nb c 2\n", {.score_column = "2", .min_score = 1}, "would hold scores and ends"},
      {"a b\n", {.header = true, .no_header = true}, "leave one of the two out"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = NULL;
    const char *path = files_write_text("net.txt", cases[i].text);
    ms_graph_options options = cases[i].options;
    options.size = sizeof options;
    ms_status status = ms_graph_read(path, &options, &graph, &err);
    ck_assert_msg(status == MS_ERR_INPUT || status == MS_ERR_USAGE, "case %zu was read", i);
    ck_assert_ptr_null(graph);
    ck_assert_msg(strstr(err.message, cases[i].part), "case %zu: %s", i, err.message);
  }
}
END_TEST

/* A title that names a vertex far behind the sample is asked about, not dropped. */
START_TEST(late_titles_are_asked_about)
{
  enum { LINES = 20000 };
  char *text = malloc(LINES * 20), *to = text;
  to += sprintf(to, "from to\n");
  for (int i = 0; i < LINES; i++)
    to += sprintf(to, "%d %d\n", i, i + 1);
  sprintf(to, "7 to\n");
  ms_graph *graph = NULL;
  const char *path = files_write_text("net.txt", text);
  ck_assert_int_eq(ms_graph_read(path, NULL, &graph, &err), MS_ERR_INPUT);
  ck_assert_ptr_nonnull(
      strstr(err.message, "net.txt:1: the line looks like a header, but a later"));
  ck_ok(ms_graph_read(path, &(ms_graph_options){.size = sizeof(ms_graph_options), .header = true},
                      &graph, &err));
  ck_assert_uint_eq(ms_graph_edge_count(graph), LINES + 1);
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* 3000 random edges with scores, in columns at random places, give the edges at or above the least
 * score, as drawn. */
START_TEST(random_tables)
{
  enum { N = 60, LINES = 3000 };
  static bool edge[N][N];
  uint64_t state = (uint64_t)_i + 5, edges = 0;
  static const char *const marks[] = {"\t", ",", " "};
  const char *mark = marks[_i % 3];
  char *text = malloc(LINES * 40), *to = text, columns[3][4];
  uint32_t place[3] = {(uint32_t)_i % 4, ((uint32_t)_i + 1) % 4, ((uint32_t)_i + 3) % 4};
  memset(edge, 0, sizeof edge);
  for (uint32_t i = 0; i < LINES; i++) {
    uint64_t r = random_next(&state);
    uint32_t cell[4] = {99, 99, 99, 99}, u = (uint32_t)(r % N), v = (uint32_t)((r >> 20) % N);
    cell[place[0]] = u;
    cell[place[1]] = v;
    cell[place[2]] = (uint32_t)((r >> 40) % 100);
    for (int c = 0; c < 4; c++)
      to += sprintf(to, "%s%u", c ? mark : "", cell[c]);
    to += sprintf(to, "\n");
    bool kept = cell[place[2]] >= 80 && u != v;
    edges += kept && !edge[u][v];
    if (kept)
      edge[u][v] = edge[v][u] = true;
  }
  for (int c = 0; c < 3; c++)
    snprintf(columns[c], sizeof columns[c], "%u", place[c] + 1);
  ms_graph *graph = NULL;
  ms_graph_options options = {.size = sizeof(ms_graph_options),
                              .source_column = columns[0],
                              .target_column = columns[1],
                              .score_column = columns[2],
                              .min_score = 80};
  ck_ok(ms_graph_read(files_write_text("net.txt", text), &options, &graph, &err));
  ck_assert_uint_eq(ms_graph_edge_count(graph), edges);
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t degree;
    const uint32_t *neighbor = ms_graph_neighbors(graph, v, &degree);
    for (uint32_t i = 0; i < degree; i++)
      ck_assert(edge[atoi(ms_graph_name(graph, v))][atoi(ms_graph_name(graph, neighbor[i]))]);
  }
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* Any mechanical damage of a table with a header and scores is refused or gives a valid graph. */
START_TEST(survives_damage)
{
  static const char good[] = "#node1\tnode2\tid1\tid2\tscore\nA\tB\t1\t2\t0.5\nB\tC\t2\t3\t1\n";
  static const char csv[] = "weight,source,\"tar\"\"get\",target\n1,a,x,b\n2,b,\"y,z\",c\n";
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .min_score = 0.25, .score_column = "score"};
  malform_damage("net.tsv", good, sizeof good - 1, malform_read_graph, &options);
  options.score_column = "weight";
  malform_damage("net.csv", csv, sizeof csv - 1, malform_read_graph, &options);
}
END_TEST

TEST_MAIN("edge columns", TEST(headers_are_recognized), TEST(edges_are_no_headers),
          TEST(columns_are_chosen), TEST(scores_decide), TEST(layout_is_reported), TEST(asks),
          TEST(late_titles_are_asked_about), TEST_TIMES(random_tables, 12), TEST(survives_damage))
