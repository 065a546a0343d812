/* Labels of edges: RI's files and t/v/e lines as typed graphs and patterns, matches that respect
 * labels, and what is decided where only one side has labels (query/labels.h). */
#include "query/labels.h"
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/graphs/typed_files.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
static ms_error err;

/* ---- graphs ---------------------------------------------------------------- */

/* The edges of a typed graph as "0-a-1 1-b-2", directed ones as "0-a>1", in the order of rows. */
static const char *edges_of(const char *path, const ms_typed_options *options)
{
  static char text[1000];
  ms_typed *graph = typed_files_read(path, options);
  *text = '\0';
  for (uint32_t v = 0; v < graph->rows.n; v++)
    for (uint64_t a = graph->rows.offset[v]; a < graph->rows.offset[v + 1]; a++) {
      ms_type t = graph->rows.type[a];
      bool symmetric = graph->inverse[t] == t;
      if (symmetric ? graph->rows.neighbor[a] < v : ms_typed_is_second(graph, t))
        continue;
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s:%s-%s%c%s", *text ? " " : "",
               ms_typed_name(graph, v),
               ms_typed_vertex_type_name(graph, ms_typed_vertex_type(graph, v)),
               ms_typed_arc_type_name(graph, t), symmetric ? '-' : '>',
               ms_typed_name(graph, graph->rows.neighbor[a]));
    }
  ms_typed_free(graph);
  return text;
}

/* The example of RI's description, and t/v/e lines of both dialects, some edges without a label,
 * are read with their labels; files whose names say .geu have no directions. */
START_TEST(labels_are_types)
{
  static const char ri[] = "#my_graph\n4\nA\nB\nC\nBr\n5\n0 1 a\n2 1 n\n2 3 m\n0 3 k\n0 2 a\n";
  const ms_typed_options directed = {.size = sizeof directed, .directed = true};
  files_write_text("x.geu", ri);
  ck_assert_str_eq(edges_of(files_path("x.geu"), NULL), "0:A-a-1 0:A-a-2 0:A-k-3 1:B-n-2 2:C-m-3");
  ck_assert_str_eq(edges_of(files_path("x.geu"), &directed),
                   "0:A-a-1 0:A-a-2 0:A-k-3 1:B-n-2 2:C-m-3");
  files_write_text("x.ged", ri);
  ck_assert_str_eq(edges_of(files_path("x.ged"), &directed),
                   "0:A-a>1 0:A-a>2 0:A-k>3 2:C-n>1 2:C-m>3");
  files_write_text("x.geu.4.1", ri);
  ck_assert_str_eq(edges_of(files_path("x.geu.4.1"), &directed),
                   "0:A-a-1 0:A-a-2 0:A-k-3 1:B-n-2 2:C-m-3");
  files_write_text("any", "t # 0\nv 7 C\nv 3 O\nv 5 C\ne 7 3 double\ne 3 5\ne 7 5 single\n");
  ck_assert_str_eq(edges_of(files_path("any"), NULL), "7:C-double-3 7:C-single-5 3:O-*-5");
  files_write_text("any", "t 2 2\nv 0 C 2\nv 1 O 2\ne 0 1 x\ne 1 0 y\n");
  ck_assert_str_eq(edges_of(files_path("any"), NULL), "0:C-x-1 0:C-y-1");
  ck_assert_str_eq(edges_of(files_path("any"), &directed), "0:C-x>1 1:O-y>0");
}
END_TEST

/* A plain graph records how many different labels its file has, over seven files. */
START_TEST(plain_graphs_count_labels)
{
  static const struct {
    const char *name, *text;
    uint32_t labels;
  } cases[] = {
      {"x", "t # 0\nv 0 a\nv 1 a\ne 0 1\n", 0},
      {"x", "t # 0\nv 0 a\nv 1 a\ne 0 1 5\n", 1},
      {"x", "t # 0\nv 0 a\nv 1 a\nv 2 a\ne 0 1 5\ne 1 2\n", 2},
      {"x", "#g\n3\na\na\na\n2\n0 1 s\n1 2 t\n", 2},
      {"x.sif", "a\tpp\tb\nb\tpp\tc\n", 0},
      {"x.sif", "a\tpp\tb\nb\tpd\tc\n", 2},
      {"x", "source\ttype\ttarget\na\tr\tb\nb\t^r\tc\nc\ts\ta\n", 2},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    ms_graph *graph = graph_text_read(cases[i].name, cases[i].text, MS_FORMAT_AUTO);
    ck_assert_msg(ms_graph_describe(graph).edge_labels == cases[i].labels, "case %zu: %u labels", i,
                  ms_graph_describe(graph).edge_labels);
    ms_graph_free(graph);
  }
}
END_TEST

/* RI's files without labels of edges are plain graphs with colours; with directions an edge of .gfd
 * points one way, and one of .gfu both. */
START_TEST(plain_ri)
{
  static const char text[] = "#g\r\n\n4\nA\n#B\nA\nC\n\n3\n0 1\n2 1\n1 0\n";
  const ms_graph_options directed = {.size = sizeof directed, .directed = true};
  ms_graph *graph = graph_text_read("any", text, MS_FORMAT_AUTO);
  ck_assert_str_eq(graph_text_format_of(graph), "ri");
  ck_assert_uint_eq(ms_graph_vertex_count(graph), 4);
  ck_assert_uint_eq(ms_graph_edge_count(graph), 2);
  ck_assert_uint_eq(ms_graph_describe(graph).duplicates, 1);
  ck_assert_uint_eq(ms_graph_describe(graph).edge_labels, 0);
  ck_assert(ms_graph_describe(graph).colored);
  ms_graph_free(graph);
  for (int both = 0; both < 2; both++) {
    uint32_t degree;
    const char *name = both ? "x.gfu" : "x.gfd";
    files_write_text(name, "#g\n2\nA\nB\n1\n1 0\n");
    ck_assert_int_eq(ms_graph_read(files_path(name), &directed, &graph, &err), MS_OK);
    ms_graph_neighbors(graph, 1, &degree);
    ck_assert_uint_eq(degree, 1);
    ck_assert_int_eq(ms_graph_arcs(graph, 1)[0], both ? 3 : 1);
    ms_graph_free(graph);
  }
}
END_TEST

/* Damaged files of RI are refused, each with its line and a remedy. */
START_TEST(malformed_ri)
{
  static const malform_case cases[] = {
      MALFORM("3\nA\n", 1, "begin the file with it"),
      MALFORM("#g\n", 0, "ends before the number of vertices"),
      MALFORM("#g\nx\n", 2, "the number of vertices 'x' is not a whole number"),
      MALFORM("#g\n0\n", 2, "the graph has no vertices"),
      MALFORM("#g\n2\nA\n", 0, "ends after the labels of 1 of 2 vertices"),
      MALFORM("#g\n2\nA B\nC\n0\n", 3, "expected the label of vertex 0, one word"),
      MALFORM("#g\n2\nA\nB\n", 0, "ends before the number of edges"),
      MALFORM("#g\n2\nA\nB\n0 1\n", 5, "is not a whole number"),
      MALFORM("#g\n2\nA\nB\n2\n0 1\n", 5, "states 2 edges, but 1 follow"),
      MALFORM("#g\n2\nA\nB\n1\n0 1\n1 0\n", 7, "more lines than the 1 edges that line 5 states"),
      MALFORM("#g\n2\nA\nB\n1\n0 2\n", 6, "an edge's end is not a number from 0 to 1"),
      MALFORM("#g\n2\nA\nB\n1\n0\n", 6, "expected an edge"),
      MALFORM("#g\n2\nA\nB\n1\n0 1 a b\n", 6, "expected an edge"),
      MALFORM("#g\n2\nA\nB\n2\n0 1 a\n1 0\n", 7, "expected an edge with a label as in line 6"),
      MALFORM("#g\n2\nA\nB\n2\n0 1\n1 0 a\n", 7, "expected an edge without a label as in line 6"),
      MALFORM("#g\n2\nA\nB\n1\n0 1\n#h\n1\nA\n0\n", 7, "a second graph begins here"),
      MALFORM("#g\n2\nA\nB\n1\n0 1 \x01\n", 6, "the label of the edge holds a control character"),
      MALFORM("#g\n4000000000\nA\n", 2, "vertices need more memory"),
  };
  static const char good[] = "#g\n3\nA\nB\nA\n2\n0 1 s\n1 2 t\n";
  ms_graph_options options = {
      .size = sizeof options, .format = MS_FORMAT_RI, .run.memory = (uint64_t)64 << 20};
  malform_refuses("net.geu", cases, COUNT(cases), malform_read_graph, &options);
  malform_damage("net.geu", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* ---- matches --------------------------------------------------------------- */

enum { MOST_N = 9, MOST_P = 4 };

typedef struct labelled {
  uint32_t n;
  int color[MOST_N];
  int label[MOST_N][MOST_N]; /* 0: no edge; 1: an edge without a label; above: a label */
} labelled;

static void make_random(labelled *g, uint32_t n, uint32_t density, bool unlabelled, uint64_t *state)
{
  g->n = n;
  memset(g->label, 0, sizeof g->label);
  for (uint32_t v = 0; v < n; v++) {
    g->color[v] = (int)random_below(state, 2);
    for (uint32_t w = 0; w < v; w++)
      if (random_below(state, 10) < density)
        g->label[v][w] = g->label[w][v] = (int)random_below(state, unlabelled ? 4 : 3) + 2;
  }
  for (uint32_t v = 0; v < n; v++)
    for (uint32_t w = 0; w < n; w++)
      if (g->label[v][w] == 5)
        g->label[v][w] = 1;
}

/* Writes the graph as lines t, v, e, or in RI's form. */
static void write_labelled(const char *name, const labelled *g, bool ri)
{
  char text[4000], edges[3000] = "";
  uint32_t m = 0;
  int at = sprintf(text, ri ? "#g\n%u\n" : "t 0 %u\n", g->n);
  for (uint32_t v = 0; v < g->n; v++)
    at += ri ? sprintf(text + at, "c%d\n", g->color[v])
             : sprintf(text + at, "v %u c%d\n", v, g->color[v]);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t w = 0; w < v; w++)
      if (g->label[v][w]) {
        char *to = edges + strlen(edges);
        to += sprintf(to, "%s%u %u", ri ? "" : "e ", v, w);
        sprintf(to, g->label[v][w] > 1 ? " L%d\n" : "\n", g->label[v][w]);
        m++;
      }
  if (ri)
    at += sprintf(text + at, "%u\n", m);
  sprintf(text + at, "%s", edges);
  files_write_text(name, text);
}

/* The number of injective maps that keep colours and edges with their labels; an edge of the
 * pattern without a label fits every edge. */
static uint64_t count_maps(const labelled *p, const labelled *g, uint32_t *map, uint32_t depth)
{
  uint64_t maps = 0;
  if (depth == p->n)
    return 1;
  for (uint32_t v = 0; v < g->n; v++) {
    bool fits = g->color[v] == p->color[depth];
    for (uint32_t i = 0; i < depth && fits; i++) {
      int asked = p->label[depth][i];
      fits = map[i] != v &&
             (!asked || (asked == 1 ? g->label[v][map[i]] != 0 : g->label[v][map[i]] == asked));
    }
    map[depth] = v;
    maps += fits ? count_maps(p, g, map, depth + 1) : 0;
  }
  return maps;
}

static uint64_t count_typed(const ms_typed *graph, const ms_typed_pattern *pattern)
{
  const ms_typed_match_options options = {
      .size = sizeof options, .count_only = true, .embeddings = true};
  ms_typed_query *query = NULL;
  ms_typed_result *result = NULL;
  ck_assert_int_eq(ms_typed_query_new(graph, pattern, &query, &err), MS_OK);
  ck_assert_msg(ms_typed_match(query, &options, &result, &err) == MS_OK, "%s", err.message);
  uint64_t count = strtoull(result->count_text, NULL, 10);
  ms_typed_result_free(result);
  ms_typed_query_free(query);
  return count;
}

/* Graphs of up to nine vertices with three labels, in both formats, and patterns of up to four
 * vertices, some of whose edges have no label: as many maps as by plain trial, over 300 cases. */
START_TEST(matches_respect_labels)
{
  uint64_t state = (uint64_t)_i * 977 + 11;
  labelled g, p;
  uint32_t map[MOST_P];
  ms_any_pattern pattern;
  const ms_graph_options plain = MS_GRAPH_OPTIONS_DEFAULT;
  const ms_typed_options typed = MS_TYPED_OPTIONS_DEFAULT;
  bool ri = _i % 2;
  make_random(&g, 3 + (uint32_t)random_below(&state, MOST_N - 2), 5, false, &state);
  make_random(&p, 2 + (uint32_t)random_below(&state, MOST_P - 1), 7, !ri, &state);
  g.label[0][1] = g.label[1][0] = p.label[0][1] = p.label[1][0] = 2; /* there is a label */
  write_labelled("graph", &g, ri);
  write_labelled("pattern", &p, ri);
  ms_typed *graph = typed_files_read(files_path("graph"), NULL);
  ck_assert_msg(ms_any_pattern_read(files_path("pattern"), &plain, &typed, NULL, &pattern, &err) ==
                    MS_OK,
                "%s", err.message);
  ck_assert(pattern.typed && !pattern.plain);
  ck_assert_uint_eq(count_typed(graph, pattern.typed), count_maps(&p, &g, map, 0));
  ms_any_pattern_free(&pattern);
  ms_typed_free(graph);
}
END_TEST

/* A pattern without labels, made typed, finds in a labelled graph what plain trial finds where
 * every label fits: 200 cases. */
START_TEST(plain_patterns_accept_every_label)
{
  uint64_t state = (uint64_t)_i * 31 + 5;
  labelled g, p;
  uint32_t map[MOST_P];
  ms_any_pattern pattern;
  ms_typed_pattern *typed = NULL;
  make_random(&g, 3 + (uint32_t)random_below(&state, MOST_N - 2), 5, true, &state);
  make_random(&p, 2 + (uint32_t)random_below(&state, MOST_P - 1), 7, false, &state);
  g.label[0][1] = g.label[1][0] = 2;
  for (uint32_t v = 0; v < p.n; v++)
    for (uint32_t w = 0; w < p.n; w++)
      p.label[v][w] = p.label[v][w] != 0;
  write_labelled("graph", &g, false);
  write_labelled("pattern", &p, _i % 2);
  ms_typed *graph = typed_files_read(files_path("graph"), NULL);
  ck_assert_int_eq(
      ms_any_pattern_read(files_path("pattern"), &(ms_graph_options)MS_GRAPH_OPTIONS_DEFAULT,
                          &(ms_typed_options)MS_TYPED_OPTIONS_DEFAULT, NULL, &pattern, &err),
      MS_OK);
  ck_assert(pattern.plain && !pattern.typed);
  ck_assert_int_eq(ms_typed_pattern_read(files_path("pattern"), NULL, &typed, &err), MS_OK);
  ck_assert_uint_eq(count_typed(graph, typed), count_maps(&p, &g, map, 0));
  ms_typed_pattern_free(typed);
  ms_any_pattern_free(&pattern);
  ms_typed_free(graph);
}
END_TEST

/* ---- decisions ------------------------------------------------------------- */

#define TVE(edges) "t # 0\nv 0 *\nv 1 *\nv 2 *\n" edges

/* Which labels of a pattern and of a graph need types, over nine pairs; and what needs them is
 * refused by ms_pattern_list and ms_pattern_explain. */
START_TEST(decisions)
{
  static const struct {
    const char *pattern, *graph;
    ms_label_use use;
  } cases[] = {
      {TVE("e 0 1\n"), TVE("e 0 1\n"), MS_LABELS_UNUSED},
      {TVE("e 0 1\n"), TVE("e 0 1 x\ne 1 2 y\n"), MS_LABELS_UNUSED},
      {TVE("e 0 1 0\n"), TVE("e 0 1 0\ne 1 2 0\n"), MS_LABELS_EQUAL},
      {TVE("e 0 1 0\n"), TVE("e 0 1\n"), MS_LABELS_MISSING},
      {TVE("e 0 1 0\n"), TVE("e 0 1 1\n"), MS_LABELS_TYPED},
      {TVE("e 0 1 0\n"), TVE("e 0 1 0\ne 1 2 1\n"), MS_LABELS_TYPED},
      {TVE("e 0 1 0\n"), TVE("e 0 1 0\ne 1 2\n"), MS_LABELS_TYPED},
      {TVE("e 0 1 0\ne 1 2\n"), TVE("e 0 1 0\n"), MS_LABELS_TYPED},
      {TVE("e 0 1 0\ne 1 2 1\n"), TVE("e 0 1 0\ne 1 2 1\n"), MS_LABELS_TYPED},
  };
  for (size_t i = 0; i < COUNT(cases); i++) {
    ms_pattern *pattern = NULL;
    ms_pattern_index *index = NULL;
    ms_pattern_result *result = NULL;
    ms_graph *graph = graph_text_read("graph", cases[i].graph, MS_FORMAT_AUTO);
    char *text = NULL;
    bool right = cases[i].use == MS_LABELS_UNUSED || cases[i].use == MS_LABELS_EQUAL;
    files_write_text("pattern", cases[i].pattern);
    ck_assert_int_eq(ms_pattern_read(files_path("pattern"), NULL, NULL, &pattern, &err), MS_OK);
    ck_assert_int_eq(ms_pattern_label_use(pattern, graph), cases[i].use);
    ck_assert_int_eq(ms_pattern_index_new(graph, NULL, 1, &index, &err), MS_OK);
    ck_assert_int_eq(ms_pattern_list(index, pattern, NULL, &result, &err),
                     right ? MS_OK : MS_ERR_INPUT);
    if (!right)
      ck_assert_msg(strstr(err.message, cases[i].use == MS_LABELS_MISSING
                                            ? "have none; give a graph"
                                            : "or remove the labels"),
                    "%s", err.message);
    ck_assert_int_eq(ms_pattern_explain(index, pattern, NULL, false, &text, &err),
                     right ? MS_OK : MS_ERR_INPUT);
    ms_text_free(text);
    ms_pattern_result_free(result);
    ms_pattern_index_free(index);
    ms_pattern_free(pattern);
    ms_graph_free(graph);
  }
}
END_TEST

/* A typed pattern that asks for labels is refused for a graph without any, unless its one relation
 * is that of a SIF file; over seven patterns and two graphs. */
START_TEST(typed_decisions)
{
  static const struct {
    const char *name, *pattern;
    bool on_plain;
  } cases[] = {
      {"p", "(a)-[x]-(b)", false},          {"p", "(a)-[x|edge]-(b)", true},
      {"p", "(a)--(b)-[]-(c)", true},       {"p", TVE("e 0 1 x\n"), false},
      {"p", TVE("e 0 1\n"), true},          {"p.sif", "a pp b\n", true},
      {"q.sif", "a pp b\nb pd c\n", false},
  };
  for (size_t i = 0; i < COUNT(cases); i++)
    for (int labels = 0; labels < 2; labels++) {
      ms_typed_pattern *pattern = NULL;
      ms_typed_query *query = NULL;
      files_write_text(cases[i].name, cases[i].pattern);
      files_write_text("graph", labels ? TVE("e 0 1 x\n") : "0 1\n");
      ms_typed *graph = typed_files_read(files_path("graph"), NULL);
      ck_assert_int_eq(ms_typed_pattern_read(files_path(cases[i].name), NULL, &pattern, &err),
                       MS_OK);
      ck_assert_int_eq(ms_typed_query_new(graph, pattern, &query, &err), MS_OK);
      bool right = labels || cases[i].on_plain;
      ck_assert_msg((ms_typed_query_check_labels(query, &err) == MS_OK) == right, "case %zu", i);
      if (right && !labels && i == 5)
        ck_assert_uint_eq(count_typed(graph, pattern), 2);
      ms_typed_query_free(query);
      ms_typed_pattern_free(pattern);
      ms_typed_free(graph);
    }
}
END_TEST

/* Text, typed tables and plain files are told apart, and a table of colours is for plain ones. */
START_TEST(any_pattern)
{
  static const struct {
    const char *text;
    bool typed;
  } cases[] = {
      {"# c\n\n (a)-[r]-(b)\n", true},
      {"source\ttype\ttarget\na\tr\tb\n", true},
      {"a b\nb c\n", false},
      {"#g\n2\nA\nB\n1\n0 1 x\n", true},
      {"#g\n2\nA\nB\n1\n0 1\n", false},
  };
  files_write_text("colors", "a\tred\n");
  for (size_t i = 0; i < COUNT(cases); i++) {
    ms_any_pattern p;
    files_write_text("p", cases[i].text);
    ck_assert_msg(ms_any_pattern_read(files_path("p"), &(ms_graph_options)MS_GRAPH_OPTIONS_DEFAULT,
                                      &(ms_typed_options)MS_TYPED_OPTIONS_DEFAULT, NULL, &p,
                                      &err) == MS_OK,
                  "case %zu: %s", i, err.message);
    ck_assert_msg((p.typed != NULL) == cases[i].typed && (p.plain != NULL) != cases[i].typed,
                  "case %zu", i);
    ms_any_pattern_free(&p);
    if (cases[i].typed) {
      ck_assert_int_eq(ms_any_pattern_read(files_path("p"),
                                           &(ms_graph_options)MS_GRAPH_OPTIONS_DEFAULT,
                                           &(ms_typed_options)MS_TYPED_OPTIONS_DEFAULT,
                                           files_path("colors"), &p, &err),
                       MS_ERR_USAGE);
      ck_assert(!p.typed && !p.plain);
    }
  }
}
END_TEST

TEST_MAIN("labels of edges", TEST(labels_are_types), TEST(plain_graphs_count_labels),
          TEST(plain_ri), TEST(malformed_ri), TEST_TIMES(matches_respect_labels, scaled(300)),
          TEST_TIMES(plain_patterns_accept_every_label, scaled(200)), TEST(decisions),
          TEST(typed_decisions), TEST(any_pattern))
