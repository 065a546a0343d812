/* Typed graphs: what readers and writers refuse, damaged files, and what is left when memory runs
 * out. */
#include "graph/typed.h"
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/typed_files.h"
#include "tests/support/graphs/validate.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ms_error err;

/* ---- what is refused ---------------------------------------------------------- */

static ms_status read_typed(const char *path, void *user, ms_error *failure)
{
  ms_typed *graph = NULL;
  ms_typed_options whole = MS_TYPED_OPTIONS_DEFAULT;
  if (user)
    whole = *(const ms_typed_options *)user;
  whole.size = sizeof whole;
  ms_status status = ms_typed_read(path, &whole, &graph, failure);
  ck_assert_msg((status == MS_OK) == (graph != NULL), "status and graph disagree");
  if (graph)
    ck_ok(validate_typed(graph, &err));
  ms_typed_free(graph);
  return status;
}

typedef struct beside {
  const char *edges; /* a file */
  ms_typed_options options;
} beside;

static ms_status read_nodes(const char *path, void *user, ms_error *failure)
{
  beside *b = user;
  b->options.nodes = path;
  return read_typed(b->edges, &b->options, failure);
}

static ms_status read_relations(const char *path, void *user, ms_error *failure)
{
  beside *b = user;
  b->options.relations = path;
  return read_typed(b->edges, &b->options, failure);
}

#define HEAD "source\tmetaedge\ttarget\n"
static const char good_hetionet[] = HEAD "A::1\tAr>B\tB::2\nB::2\tr\tA::1\n";

/* Each of 12 malformed files of Hetionet's form is refused with its line and reason, and any
 * mechanical damage (malform.h) of a good one refused or read. */
START_TEST(refuses_hetionet)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM(HEAD, 0, "holds no edges"),
      MALFORM(HEAD "a\tr\tb\nc\tr\n", 3, "expected at least 3 columns between tabs, found 2"),
      MALFORM(HEAD "a\tr\tb\tc\n", 2,
              "expected a source, a metaedge and a target, found 4 columns"),
      MALFORM(HEAD "a\t\tb\n", 2, "the type of the edge is empty"),
      MALFORM(HEAD "\tr\tb\n", 2, "the name of the source is empty"),
      MALFORM(HEAD "a\tr\t \n", 2, "the name of the target is empty"),
      MALFORM(HEAD "a\tr\xFF\tb\n", 2, "the type of the edge is not valid UTF-8"),
      MALFORM(HEAD "a\xFF\tr\tb\n", 2, "the name of the source is not valid UTF-8"),
      MALFORM(HEAD "a\tr\tb\x01\n", 2, "the name of the target holds a control character"),
      MALFORM(HEAD "a\tr\x1B\tb\n", 2, "the type of the edge holds a control character"),
      MALFORM(HEAD "a\tr\tb\nc\tr\0x\td\n", 3, "holds a NUL byte"),
  };
  ms_typed_options options = {.size = sizeof(ms_typed_options), .format = MS_TYPED_HETIONET};
  malform_refuses("het.tsv", cases, sizeof cases / sizeof *cases, read_typed, &options);
  malform_damage("het.tsv", good_hetionet, sizeof good_hetionet - 1, read_typed, &options);
}
END_TEST

/* The same for 8 malformed SIF files. */
START_TEST(refuses_sif)
{
  static const char good[] = "a\tr\tb\tc\nb\t^s\tc\nalone\n";
  static const malform_case cases[] = {
      MALFORM("# c\n", 0, "holds no edges"),
      MALFORM("source\tinteraction\ttarget\n", 0, "holds no edges"),
      MALFORM("a\tr\n", 1, "expected a source, a relation and targets, found two fields"),
      MALFORM("a\t\tb\n", 1, "the relation, is empty; write one"),
      MALFORM("a\tr\tb\t\tc\n", 1, "the name of the target is empty"),
      MALFORM("\tr\tb\n", 1, "the name of the source is empty"),
      MALFORM("a\tr\tb\nal\x7Fone\n", 2, "the vertex name holds a control character"),
      MALFORM("a\tr\tb\nc pp d\n", 2, "blanks separate fields here"),
  };
  ms_typed_options options = {.size = sizeof(ms_typed_options), .format = MS_TYPED_SIF};
  malform_refuses("net.sif", cases, sizeof cases / sizeof *cases, read_typed, &options);
  malform_damage("net.sif", good, sizeof good - 1, read_typed, &options);
}
END_TEST

#define TABLE "source\ttype\ttarget\tsource_type\ttarget_type\n"

/* The same for 23 malformed tables. */
START_TEST(refuses_tables)
{
  static const char good[] = "#relation:\tr\t^r\n" TABLE "a\tr\tb\tX\tY\nz\t\t\tX\t\n";
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("#relation:\tr\tr\n", 0, "holds no edges"),
      MALFORM("alone\n", 1, "expected at least 2 columns between tabs, found 1"),
      MALFORM("x\ttype\ttarget\n", 1, "the header has no column of sources such as 'source'"),
      MALFORM("source\ttype\tx\n", 1, "the header has no column of targets such as 'target'"),
      MALFORM("source\tx\ttarget\n", 1, "the header has no column of types such as 'type'"),
      MALFORM("source\ttype\tsource\ttarget\n", 1, "2 columns have the header 'source'"),
      MALFORM(TABLE "a\tr\tb\tX\n", 2, "expected 5 columns as in line 1, found 4"),
      MALFORM(TABLE "a\tr\tb\tX\tY\tZ\n", 2, "expected 5 columns as in line 1, found 6; is there"),
      MALFORM(TABLE "a\t\tb\tX\tY\n", 2, "the type of the edge is empty"),
      MALFORM(TABLE "a\tr\t\tX\tY\n", 2, "the name of the target is empty"),
      MALFORM(TABLE "\t\t\tX\tY\n", 2, "the vertex name is empty"),
      MALFORM("#relation:\tr\tr\n" TABLE "a\tr\tb\t\tY\n", 3, "the type of the source is empty"),
      MALFORM("#relation:\tr\tr\n" TABLE "a\tr\tb\tX\t\n", 3, "the type of the target is empty"),
      MALFORM("#relation:\tr\tr\n" TABLE "a\t\t\t\t\n", 3, "the type of the vertex is empty"),
      MALFORM(TABLE "a\tr\tb\tX\xC0\tY\n", 2, "the type of the source is not valid UTF-8"),
      MALFORM(TABLE "a\tr\tb\tX\tY\nb\tr\ta\tX\tX\n", 3,
              "vertex 'b' has the type 'X' here, but 'Y' in a line before"),
      MALFORM(TABLE "a\tr\tb\tX\tY\na\t\t\tZ\t\n", 3,
              "vertex 'a' has the type 'Z' here, but 'X' in a line before"),
      MALFORM(TABLE "a\tr\ta\tX\tY\nb\tr\tb\tX\tX\n", 2,
              "vertex 'a' has the type 'Y' here, but 'X'"),
      MALFORM("#relation:\tr\n" TABLE, 1,
              "expected '#relation:', a type and its inverse, separated by "
              "tabs, found 2 fields"),
      MALFORM("#relation:\tr\ts\tt\n" TABLE, 1, "found 4 fields"),
      MALFORM("#relation:\tr\t\n" TABLE, 1, "the type of the edge is empty"),
      MALFORM("#relation:\tr\tr\n#relation:\tr\ts\n" TABLE, 2,
              "the inverse of 'r' is 's' here, but 'r' in"),
  };
  ms_typed_options options = {.size = sizeof(ms_typed_options), .format = MS_TYPED_TABLE};
  malform_refuses("t.tsv", cases, sizeof cases / sizeof *cases, read_typed, &options);
  malform_damage("t.tsv", good, sizeof good - 1, read_typed, &options);
}
END_TEST

/* Each of seven impossible choices of columns is refused with the reason. */
START_TEST(refuses_chosen_columns)
{
  static const char table[] = "x\ty\tz\tx\na\tr\tb\tc\n";
  static const struct {
    ms_typed_options options;
    const char *part;
  } cases[] = {
      {{.source_column = "q"},
       "no column has the header 'q'; choose the source column (`source_column`) from 'x', 'y'"},
      {{.source_column = "x"},
       "2 columns have the header 'x'; choose the source column (`source_column`) by number"},
      {{.source_column = "5"},
       "the column of sources should be column 5, but the line has 4 columns"},
      {{.source_column = "0"}, "the column of sources should be column 0"},
      {{.source_column = "1", .type_column = "2", .target_column = "99999999999999999999"},
       "the line has 4 columns"},
      {{.source_column = "1", .target_column = "1", .type_column = "2"}, "would both be column 1"},
      {{.source_column = "1",
        .target_column = "3",
        .type_column = "none",
        .target_type_column = "w"},
       "no column has the header 'w'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const malform_case one = {table, sizeof table - 1, 1, cases[i].part};
    ms_typed_options options = cases[i].options;
    malform_refuses("t.tsv", &one, 1, read_typed, &options);
  }
}
END_TEST

/* Each malformed table of nodes is refused with its line and reason, and any mechanical damage
 * (malform.h) of a good one refused or read: 12 files. */
START_TEST(refuses_nodes)
{
  static const char good[] = "id\tname\tkind\na\tfirst\tX\nb\tsecond\tY\n";
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no vertices"),
      MALFORM("# c\n", 0, "holds no vertices"),
      MALFORM("a\n", 1, "expected at least 2 columns between tabs, found 1"),
      MALFORM("id\tname\tkind\na\tX\n", 2, "expected 3 columns as in line 1, found 2"),
      MALFORM("id\tkind\na\tX\na\tY\n", 3,
              "vertex 'a' has the type 'Y' here, but 'X' in a line before"),
      MALFORM("a\tX\na\tY\n", 2, "vertex 'a' has the type 'Y' here, but 'X' in a line before"),
      MALFORM("\tX\n", 1, "the vertex name is empty"),
      MALFORM("a\tX\xFF\n", 1, "the type of the vertex is not valid UTF-8"),
      MALFORM("a\tX\nb\x02\tX\n", 2, "the vertex name holds a control character"),
      MALFORM("id\tkind\tid\n", 1, "2 columns have the header 'id'"),
  };
  char edges[300];
  snprintf(edges, sizeof edges, "%s", files_write_text("e.sif", "a\tr\tb\n"));
  beside b = {edges, {.run.threads = 1}};
  malform_refuses("nodes.tsv", cases, sizeof cases / sizeof *cases, read_nodes, &b);
  malform_damage("nodes.tsv", good, sizeof good - 1, read_nodes, &b);
  static const malform_case chosen[] = {MALFORM(
      "a\tX\n", 1, "no column has the header 'id'; choose the vertex column from 'a', 'X'")};
  b.options.node_name_column = "id";
  malform_refuses("nodes.tsv", chosen, 1, read_nodes, &b);
  static const malform_case same[] = {MALFORM("a\tX\n", 1, "would both be column 2")};
  b.options.node_name_column = "2";
  malform_refuses("nodes.tsv", same, 1, read_nodes, &b);
}
END_TEST

/* A type that contradicts the table of nodes is refused in the file of edges. */
START_TEST(refuses_other_types_than_nodes)
{
  static const malform_case cases[] = {MALFORM(
      TABLE "a\tr\tb\tX\tY\n", 2,
      "vertex 'b' has the type 'Y' here, but 'Z' in a line before or in the table of nodes")};
  char nodes[300];
  snprintf(nodes, sizeof nodes, "%s", files_write_text("nodes.tsv", "b\tZ\n"));
  ms_typed_options options = {.size = sizeof(ms_typed_options), .nodes = nodes};
  malform_refuses("t.tsv", cases, 1, read_typed, &options);
}
END_TEST

/* Each of 9 malformed files of relations is refused with its line and reason. */
START_TEST(refuses_relations)
{
  static const malform_case cases[] = {
      MALFORM("r\n", 1, "expected a type and its inverse, separated by a tab, found no tab"),
      MALFORM("r s\n", 1, "found no tab"),
      MALFORM("r\ts\tt\n", 1, "found more than one tab"),
      MALFORM("r\t\n", 1, "the type of the edge is empty"),
      MALFORM("r\t\xFF\n", 1, "the type of the edge is not valid UTF-8"),
      MALFORM("r\ts\n# c\nr\tt\n", 3, "the inverse of 'r' is 't' here, but 's' in "),
      MALFORM("r\ts\nt\ts\n", 2, "the inverse of 's' is 't' here, but 'r' in "),
      MALFORM("r\tr\ns\tr\n", 2, "the inverse of 'r' is 's' here, but 'r' in "),
      MALFORM("r\ts\nr\tr\n", 2, "relations.tsv:1; correct one of the two lines"),
  };
  char edges[300];
  snprintf(edges, sizeof edges, "%s", files_write_text("e.sif", "a\tr\tb\n"));
  beside b = {edges, {.run.threads = 1}};
  malform_refuses("relations.tsv", cases, sizeof cases / sizeof *cases, read_relations, &b);
}
END_TEST

/* An inverse whose name is another relation is refused. */
START_TEST(refuses_an_inverse_that_is_taken)
{
  static const malform_case cases[] = {
      MALFORM("a\tr\tb\n", 0,
              "the inverse of 'r' would be called '^r', but that is the name of "
              "another relation")};
  char relations[300];
  snprintf(relations, sizeof relations, "%s", files_write_text("relations.tsv", "^r\tq\n"));
  ms_typed_options options = {
      .size = sizeof(ms_typed_options), .relations = relations, .directed = true};
  malform_refuses("e.sif", cases, 1, read_typed, &options);
}
END_TEST

/* Options that do not go with a format are refused with a remedy: seven combinations; and a missing
 * table of nodes is refused by name. */
START_TEST(refuses_usage)
{
  static const struct {
    const char *name, *text;
    ms_typed_options options;
    const char *part;
  } cases[] = {
      {"h", good_hetionet, {.directed = true}, "Hetionet's abbreviations show which"},
      {"n.sif", "a\tr\tb\n", {.format = MS_TYPED_SIF, .type_column = "2"}, "columns are chosen"},
      {"h",
       good_hetionet,
       {.format = MS_TYPED_HETIONET, .source_column = "1"},
       "columns are chosen"},
      {"n.sif", "a\tr\tb\n", {.node_type_column = "2"}, "columns of a table of nodes are chosen"},
      {"n.sif", "a\tr\tb\n", {.format = MS_TYPED_FORMATS}, "is no value of ms_typed_format"},
      {"p.tsv", "a\tb\n", {.nodes = "x"}, "a table of nodes is given, but the edges show no types"},
      {"p.tsv",
       "a\tb\n",
       {.relations = "x"},
       "a table of relations is given, but the edges show no types"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_typed *graph = NULL;
    const char *path = files_write_text(cases[i].name, cases[i].text);
    ms_typed_options options = cases[i].options;
    options.size = sizeof options;
    ms_status status = ms_typed_read(path, &options, &graph, &err);
    ck_assert_msg(status == MS_ERR_USAGE, "case %zu: status %d", i, (int)status);
    ck_assert_ptr_null(graph);
    ck_assert_msg(strstr(err.message, cases[i].part) && strchr(err.message, ';'), "case %zu: %s", i,
                  err.message);
  }
  ms_typed_options missing = {.size = sizeof(ms_typed_options), .nodes = files_path("nowhere.tsv")};
  ms_typed *graph = NULL;
  ck_assert_int_eq(ms_typed_read(files_write_text("n.sif", "a\tr\tb\n"), &missing, &graph, &err),
                   MS_ERR_INPUT);
  ck_assert_ptr_nonnull(strstr(err.message, "nowhere.tsv"));
}
END_TEST

/* `format` makes line i of a file, which has a type of its own. */
static void refuses_many(unsigned many, const char *format, const char *head,
                         const ms_typed_options *options, uint64_t line, const char *part)
{
  char *text = malloc((size_t)many * 32 + 100), *at = text;
  ck_assert_ptr_nonnull(text);
  at += sprintf(at, "%s", head);
  for (unsigned i = 0; i < many; i++)
    at += sprintf(at, format, i);
  const malform_case one = {text, (size_t)(at - text), line, part};
  ms_typed_options copy = *options;
  malform_refuses("many.tsv", &one, 1, read_typed, &copy);
  free(text);
}

/* More than 65,535 types of edges or vertices are refused with the line where that shows: four
 * files. */
START_TEST(refuses_too_many_types)
{
  static const ms_typed_options table = {.size = sizeof(ms_typed_options)},
                                sif = {.format = MS_TYPED_SIF, .directed = true},
                                hetionet = {.format = MS_TYPED_HETIONET};
  refuses_many(65536, "a\tr%u\tb\n", "source\ttype\ttarget\n", &table, 65537,
               "more than 65535 types of edges");
  refuses_many(65536, "v%1$u\tr\tb\tT%1$u\n", "source\ttype\ttarget\tsource_type\n", &table, 65537,
               "more than 65535 types of vertices");
  /* twice as many with their inverses; kinds are found out at the end */
  refuses_many(32768, "a\tr%u\tb\n", "", &sif, 0,
               "more than 65535 types of edges, inverses included");
  refuses_many(65536, "K%u::1\tr\tb\n", HEAD, &hetionet, 0, "more than 65535 types of vertices");
}
END_TEST

/* Names that a table cannot hold are refused and leave no file: nine graphs. */
START_TEST(refuses_to_write)
{
  static const char *const vertices[] = {"#a", "!a", "%a", " a", "a "}, *const types[] = {" t",
                                                                                          "t "};
  static const uint32_t edges[][2] = {{0, 0}}, edge_type[] = {0};
  const char *good = "good";
  const char *path = files_path("out.tsv");
  for (size_t i = 0; i < 9; i++) {
    const char *vertex = i < 5 ? vertices[i] : good, *kind = i >= 5 && i < 7 ? types[i - 5] : good;
    const char *relation = i >= 7 ? types[i - 7] : good;
    const ms_typed_source source = {1, &vertex, &kind, 1, edges, edge_type, 1, &relation, NULL};
    ms_typed *graph = NULL;
    ck_ok(ms_typed_from_edges(&source, 1, &graph, &err));
    ck_assert_int_eq(ms_typed_write(graph, path, &err), MS_ERR_USAGE);
    ck_assert_msg(strstr(err.message, "which a table of typed edges cannot express"), "%s",
                  err.message);
    ms_typed_free(graph);
  }
  ck_assert_ptr_null(fopen(path, "r"));
}
END_TEST

/* ---- memory ---------------------------------------------------------------------- */

typedef struct starving {
  char edges[300], nodes[300], relations[300], out[300];
  ms_typed_format format;
} starving;

static ms_status read_and_write(void *user, ms_error *failure)
{
  starving *s = user;
  ms_typed *graph = NULL;
  ms_typed_options options = {
      .size = sizeof(ms_typed_options), .format = s->format, .run.threads = 1};
  if (s->format != MS_TYPED_AUTO) {
    options.nodes = s->nodes;
    options.relations = s->relations;
  }
  ms_status status = ms_typed_read(s->edges, &options, &graph, failure);
  if (status == MS_OK)
    status = ms_typed_write(graph, s->out, failure);
  ms_typed_free(graph);
  return status;
}

/* Whichever allocation fails while a typed graph is read with its nodes and relations and written,
 * the call reports it and leaks no block: four formats. */
START_TEST(survives_without_memory)
{
  static const struct {
    const char *name, *text;
    ms_typed_format format;
  } files[] = {{"h.tsv", good_hetionet, MS_TYPED_HETIONET},
               {"n.sif", "a\tr\tb\tc\nb\t^s\tc\nx\n", MS_TYPED_SIF},
               {"t.tsv", "#relation:\tx\ty\n" TABLE "p\tq\tu\tP\tU\nz\t\t\tP\t\n", MS_TYPED_TABLE},
               {"p.tve", "t 2 1\nv 0 X 1\nv 1 Y 1\ne 0 1\n", MS_TYPED_AUTO}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    starving s = {.format = files[i].format};
    snprintf(s.edges, sizeof s.edges, "%s", files_write_text(files[i].name, files[i].text));
    snprintf(s.nodes, sizeof s.nodes, "%s",
             files_write_text("nodes.tsv", "a\tX\nb\tY\nA::1\tA\np\tP\n"));
    snprintf(s.relations, sizeof s.relations, "%s", files_write_text("r.tsv", "r\tr\ns\tt\n"));
    snprintf(s.out, sizeof s.out, "%s", files_path("out.tsv"));
    ck_assert_int_gt(failing_runs(read_and_write, &s), 20);
  }
}
END_TEST

TEST_MAIN("damaged typed graphs", TEST(refuses_hetionet), TEST(refuses_sif), TEST(refuses_tables),
          TEST(refuses_chosen_columns), TEST(refuses_nodes), TEST(refuses_other_types_than_nodes),
          TEST(refuses_relations), TEST(refuses_an_inverse_that_is_taken), TEST(refuses_usage),
          TEST(refuses_too_many_types), TEST(refuses_to_write), TEST(survives_without_memory))
