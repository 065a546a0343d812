/* graph/typed: readers of typed graphs, each rule and each refusal; tables
 * written and read; Hetionet, counted another way. */
#include "base/crc32c.h"
#include "graph/typed/typed.h"
#include "tests/failing.h"
#include "tests/files.h"
#include "tests/malform.h"
#include "tests/typed_random.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define ck_ok(call) ck_assert_msg((call) == MS_OK, "%s", err.message)

static ms_error err;

static const char *write_text(const char *name, const char *text)
{
  return files_write(name, text, strlen(text));
}

static ms_typed *read_file(const char *path, const ms_typed_options *options)
{
  ms_typed *graph = NULL;
  ck_ok(ms_typed_read(path, options, &graph, &err));
  ck_ok(ms_typed_validate(graph, &err));
  return graph;
}

/* ---- what is read ------------------------------------------------------------- */

/* "a:X b:Y / a-s-b a-r->b": the vertices with their types, then each edge, of a
 * symmetric relation from its smaller end. */
static const char *render(const ms_typed *graph)
{
  static char text[4096];
  const ms_typed_rows *rows = &graph->rows;
  size_t used = 0;
  for (uint32_t v = 0; v < rows->n; v++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s:%s ", ms_typed_name(graph, v),
                             ms_typed_vertex_type_name(graph, ms_typed_vertex_type(graph, v)));
  used += (size_t)snprintf(text + used, sizeof text - used, "/");
  for (uint32_t v = 0; v < rows->n; v++)
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++) {
      bool symmetric = graph->inverse[rows->type[a]] == rows->type[a];
      if (symmetric ? rows->neighbor[a] >= v : !graph->is_inverse[rows->type[a]])
        used += (size_t)snprintf(text + used, sizeof text - used, " %s-%s-%s%s",
                                 ms_typed_name(graph, v),
                                 ms_typed_arc_type_name(graph, rows->type[a]), symmetric ? "" : ">",
                                 ms_typed_name(graph, rows->neighbor[a]));
    }
  return text;
}

typedef struct reading {
  const char *name, *text;
  ms_typed_options options; /* nodes and relations: texts of these files */
  ms_typed_format format;   /* as it is told */
  const char *wanted;
} reading;

static void check_readings(const reading *cases, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    ms_typed_options options = cases[i].options;
    char nodes[300] = "", relations[300] = "";
    if (options.nodes) {
      snprintf(nodes, sizeof nodes, "%s", write_text("nodes.tsv", options.nodes));
      options.nodes = nodes;
    }
    if (options.relations) {
      snprintf(relations, sizeof relations, "%s", write_text("relations.tsv", options.relations));
      options.relations = relations;
    }
    ms_typed *graph = read_file(write_text(cases[i].name, cases[i].text), &options);
    ck_assert_msg(strcmp(render(graph), cases[i].wanted) == 0, "case %zu: '%s', wanted '%s'", i,
                  render(graph), cases[i].wanted);
    ck_assert_int_eq(ms_typed_describe(graph).format, cases[i].format);
    ms_typed_free(graph);
  }
}

START_TEST(reads_hetionet)
{
  static const reading cases[] = {
      {"h.sif", "source\tmetaedge\ttarget\nGene::1\tGiG\tGene::2\nC::1\tCbG\tGene::1\n", {0},
       MS_TYPED_HETIONET, "Gene::1:Gene Gene::2:Gene C::1:C / Gene::1-GiG-Gene::2 Gene::1-CbG-C::1"},
      /* one relation by both of its names, of whichever comes first */
      {"h.tsv", "source\tmetaedge\ttarget\nG::1\tGr>G\tG::2\nG::1\tG<rG\tG::3\n", {0},
       MS_TYPED_HETIONET, "G::1:G G::2:G G::3:G / G::1-Gr>G->G::2 G::3-Gr>G->G::1"},
      {"h.tsv", "source\tmetaedge\ttarget\nG::1\tD<upG\tD::2\n", {0}, MS_TYPED_HETIONET,
       "G::1:G D::2:D / D::2-Gup>D->G::1"},
      /* arrows that are no abbreviation */
      {"h.tsv", "source\tmetaedge\ttarget\na\tr>\tb\na\t^r>\tc\n", {0}, MS_TYPED_HETIONET,
       "a:untyped b:untyped c:untyped / a-r>->b c-r>->a"},
      /* no kind, an empty one, a name with two marks */
      {"h", "source\tmetaedge\ttarget\nx\tr\t::y\nA::B::c\tr\tx\n", {0}, MS_TYPED_HETIONET,
       "x:untyped ::y:untyped A::B::c:A / x-r-::y x-r-A::B::c"},
      /* without the header, where the format is named; comments, CRLF, blanks around */
      {"h", "# from somewhere\r\n\r\nA::1\tr \tB::2\r\n", {.format = MS_TYPED_HETIONET},
       MS_TYPED_HETIONET, "A::1:A B::2:B / A::1-r-B::2"},
      {"h", "\xEF\xBB\xBFSource\tMetaedge\tTarget\nA::1\tr\tA::1\nA::1\tr\tA::1", {0},
       MS_TYPED_HETIONET, "A::1:A / A::1-r-A::1 A::1-r-A::1"},
      /* the table of nodes comes first, and knows better */
      {"h", "source\tmetaedge\ttarget\nG::1\tr\tG::2\nG::3\tr\tG::1\n",
       {.nodes = "id\tname\tkind\nG::9\tnine\tGene\nG::1\tone\tGene\n"}, MS_TYPED_HETIONET,
       "G::9:Gene G::1:Gene G::2:G G::3:G / G::1-r-G::2 G::1-r-G::3"},
      /* and so do the relations */
      {"h", "source\tmetaedge\ttarget\nG::1\tGr>G\tG::2\nG::1\tGiG\tG::2\n",
       {.relations = "Gr>G\tGr>G\nGiG\tiGG\n"}, MS_TYPED_HETIONET,
       "G::1:G G::2:G / G::1-Gr>G-G::2 G::1-GiG->G::2"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

START_TEST(reads_sif)
{
  static const reading cases[] = {
      {"n.sif", "a\tr\tb\tc d\nalone\nb\ts\tb\n", {0}, MS_TYPED_SIF,
       "a:untyped b:untyped c d:untyped alone:untyped / a-r-b a-r-c d b-s-b"},
      {"n.sif", "a r b c\nb s a\n", {.directed = true}, MS_TYPED_SIF,
       "a:untyped b:untyped c:untyped / a-r->b a-r->c b-s->a"},
      /* "^r" says that r has a direction, wherever it stands; s has none */
      {"n.sif", "a\tr\tb\nb\ts\ta\nb\t^r\tc\n", {0}, MS_TYPED_SIF,
       "a:untyped b:untyped c:untyped / a-r->b a-s-b c-r->b"},
      {"n.sif", "a\t^r\tb\n", {0}, MS_TYPED_SIF, "a:untyped b:untyped / b-r->a"},
      {"n.sif", "a\t^^r\tb\na\t^^^r\tb\n", {.directed = true}, MS_TYPED_SIF,
       "a:untyped b:untyped / a-r->b b-r->a"},
      {"n.sif", "a\t^\tb\na\t^^\tb\n", {0}, MS_TYPED_SIF, "a:untyped b:untyped / a-^->b b-^->a"},
      /* unless the relations say that it has none, or that the inverse has a name */
      {"n.sif", "a\t^r\tb\na\tr\tb\n", {.directed = true, .relations = "r\tr\n"}, MS_TYPED_SIF,
       "a:untyped b:untyped / a-r-b a-r-b"},
      {"n.sif", "a\tup\tb\nb\tdown\tc\nc\t^up\ta\nc\t^down\tb\n",
       {.relations = "# both\nup\tdown\nnever\tagain\n\nup\tdown\ndown\tup\n"}, MS_TYPED_SIF,
       "a:untyped b:untyped c:untyped / a-up->b a-up->c c-up->b c-up->b"},
      {"n.sif", "a\t^r\tb\nb\tr\ta\n", {.relations = "^r\t^r\n"}, MS_TYPED_SIF,
       "a:untyped b:untyped / a-^r-b a-r-b"},
      /* told by its relations; a header */
      {"n", "a pp b\nb pd c\n", {0}, MS_TYPED_SIF,
       "a:untyped b:untyped c:untyped / a-pp-b b-pd-c"},
      {"n", "source interaction target\na x b\n", {0}, MS_TYPED_SIF, "a:untyped b:untyped / a-x-b"},
      {"n.sif", "a\tr\tb\n", {.nodes = "b\tX\nz\tY\n"}, MS_TYPED_SIF,
       "b:X z:Y a:untyped / b-r-a"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

START_TEST(reads_tables)
{
  static const reading cases[] = {
      {"t.tsv", "source\ttype\ttarget\na\tr\tb\n", {0}, MS_TYPED_TABLE, "a:untyped b:untyped / a-r-b"},
      {"t.tsv", "Weight\tTo\tRelation\tFrom\n1\tb\tr\ta\n", {.directed = true}, MS_TYPED_TABLE,
       "a:untyped b:untyped / a-r->b"},
      {"t.tsv", "source\ttype\ttarget\tsource_type\ttarget_type\na\tr\tb\tX\tY Z\nq\t\t\tX\t\n", {0},
       MS_TYPED_TABLE, "a:X b:Y Z q:X / a-r-b"},
      /* one end alone has types; "untyped" is as good as any */
      {"t.tsv", "source\ttype\ttarget\ttarget_type\na\tr\tb\tY\nb\tr\tc\tuntyped\n", {0},
       MS_TYPED_TABLE, "a:untyped b:Y c:untyped / a-r-b b-r-c"},
      /* columns that are chosen, by name and by number; the name wins */
      {"t.tsv", "x\ty\tz\t1\na\tb\tr\tq\n",
       {.source_column = "x", .target_column = "2", .type_column = "z", .source_type_column = "1"},
       MS_TYPED_TABLE, "a:q b:untyped / a-r-b"},
      {"t.tsv", "x\ty\na\tb\n", {.source_column = "x", .target_column = "y", .type_column = "none"},
       MS_TYPED_TABLE, "a:untyped b:untyped / a-edge-b"},
      {"t.tsv", "source\ttarget\tnone\na\tb\tr\n", {.type_column = "none"}, MS_TYPED_TABLE,
       "a:untyped b:untyped / a-r-b"},
      {"t.tsv", "source\ttarget\na\tb\n", {.type_column = "none", .directed = true}, MS_TYPED_TABLE,
       "a:untyped b:untyped / a-edge->b"},
      /* lines of relations above the header */
      {"t.tsv", "#relation:\tr\t^r\n# a comment\n\n#relation:\tup\tdown\n#relation:\ts\ts\n"
                "source\ttype\ttarget\na\tr\tb\nb\tdown\tc\na\ts\tc\n#relation:\ts\tz\n", {0},
       MS_TYPED_TABLE, "a:untyped b:untyped c:untyped / a-r->b a-s-c c-up->b"},
      {"t.sif", "#relation:\tr\tr\nsource\ttype\ttarget\tmore\na\tr\tb\tx\n", {.directed = true},
       MS_TYPED_TABLE, "a:untyped b:untyped / a-r-b"},
      {"t.tsv", "#relation:\tr\t^r\nsource\ttype\ttarget\na\tr\tb\n", {.relations = "r\t^r\n"},
       MS_TYPED_TABLE, "a:untyped b:untyped / a-r->b"},
      /* the types of the table of nodes and those of the edges agree */
      {"t.tsv", "source\ttype\ttarget\tsource_type\na\tr\tb\tX\n", {.nodes = "a\tX\n"},
       MS_TYPED_TABLE, "a:X b:untyped / a-r-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

START_TEST(reads_nodes)
{
#define EDGES "a\tr\tb\n"
  static const reading cases[] = {
      {"n.sif", EDGES, {.nodes = "a\tX\nb\tY\na\tX\n"}, MS_TYPED_SIF, "a:X b:Y / a-r-b"},
      {"n.sif", EDGES, {.nodes = "node\ttype\na\tX\n"}, MS_TYPED_SIF, "a:X b:untyped / a-r-b"},
      {"n.sif", EDGES, {.nodes = "Kind\tsize\tName\nX\t7\ta\n"}, MS_TYPED_SIF,
       "a:X b:untyped / a-r-b"},
      /* no such header: the first and the last column */
      {"n.sif", EDGES, {.nodes = "p\tq\tw\na\t7\tX\n"}, MS_TYPED_SIF, "a:X b:untyped / a-r-b"},
      {"n.sif", EDGES, {.nodes = "p\tq\tw\nX\ta\t7\n", .node_name_column = "q", .node_type_column = "1"},
       MS_TYPED_SIF, "a:X b:untyped / a-r-b"},
      /* two columns without a header, the other way round */
      {"n.sif", EDGES, {.nodes = "X\ta\nY\tb\n", .node_name_column = "2", .node_type_column = "1"},
       MS_TYPED_SIF, "a:X b:Y / a-r-b"},
      {"n.sif", EDGES, {.nodes = "X\ta\nY\tb\n", .node_name_column = "X", .node_type_column = "a"},
       MS_TYPED_SIF, "Y:b a:untyped b:untyped / a-r-b"},
      {"n.sif", EDGES, {.nodes = "id\tkind\ttype\na\tX\tY\n"}, MS_TYPED_SIF, "a:X b:untyped / a-r-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

START_TEST(reads_plain_graphs)
{
  static const reading cases[] = {
      {"p.tsv", "a\tb\nb\tc\na\tb\n", {0}, MS_TYPED_AUTO,
       "a:untyped b:untyped c:untyped / a-edge-b b-edge-c"},
      {"p.tsv", "a\tb\nb\ta\nb\tc\n", {.directed = true}, MS_TYPED_AUTO,
       "a:untyped b:untyped c:untyped / a-edge->b b-edge->a b-edge->c"},
      {"p.tve", "t 3 2\nv 0 X 1\nv 1 Y 2\nv 2 X 1\ne 0 1\ne 1 2\n", {0}, MS_TYPED_AUTO,
       "0:X 1:Y 2:X / 0-edge-1 1-edge-2"},
      /* a header without a column of types is none of these */
      {"p.tsv", "source\ttarget\na\tb\n", {0}, MS_TYPED_AUTO,
       "source:untyped target:untyped a:untyped b:untyped / source-edge-target a-edge-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

START_TEST(tells_facts)
{
  static const char edges[] = "# c\nsource\tmetaedge\ttarget\nG::1\tr\tG::2\nG::1\tr\tG::1\n"
                              "G::2\tr\tG::1\n";
  static const char nodes[] = "id\tkind\nG::1\tGene\nG::7\tGene\nG::8\tX\nG::7\tGene\n";
  static const char relations[] = "r\tr\n";
  char paths[3][300];
  snprintf(paths[0], sizeof paths[0], "%s", files_write_gzip("e.tsv.gz", edges, sizeof edges - 1, 1));
  snprintf(paths[1], sizeof paths[1], "%s", write_text("n.tsv", nodes));
  snprintf(paths[2], sizeof paths[2], "%s", write_text("r.tsv", relations));
  ms_typed_options options = {.nodes = paths[1], .relations = paths[2]};
  ms_typed *graph = read_file(paths[0], &options);
  ms_typed_info info = ms_typed_describe(graph);
  ck_assert_uint_eq(info.vertices, 4);
  ck_assert_uint_eq(info.edges, 3);
  ck_assert_uint_eq(info.self_loops, 1);
  ck_assert_uint_eq(info.repeats, 1);
  ck_assert_uint_eq(info.vertex_types, 3); /* Gene, X, G */
  ck_assert_uint_eq(info.arc_types, 1);
  ck_assert_uint_eq(info.untyped, 0);
  ck_assert_uint_eq(info.lone_nodes, 2);
  ck_assert_uint_eq(info.lines, 5);
  ck_assert_uint_eq(info.crc32c, ms_crc32c(0, edges, sizeof edges - 1));
  ck_assert_uint_eq(info.nodes_crc32c, ms_crc32c(0, nodes, sizeof nodes - 1));
  ck_assert_uint_eq(info.relations_crc32c, ms_crc32c(0, relations, sizeof relations - 1));
  ck_assert_str_eq(info.path, paths[0]);
  ck_assert_str_eq(info.nodes_path, paths[1]);
  ms_typed_free(graph);
  graph = read_file(paths[0], NULL);
  ck_assert_ptr_null(ms_typed_describe(graph).nodes_path);
  ck_assert_uint_eq(ms_typed_describe(graph).nodes_crc32c, 0);
  ms_typed_free(graph);
}
END_TEST

/* Names longer than a batch, and more edges than one holds. */
START_TEST(reads_long_names)
{
  enum { LONG = 5000, LINES = 300 };
  char *text = malloc(LINES * 40 + 3 * LONG), *at = text;
  ck_assert_ptr_nonnull(text);
  at += sprintf(at, "source\ttype\ttarget\tsource_type\n");
  for (int i = 0; i < LINES; i++) {
    at += sprintf(at, "v%d\tr%d\t", i % 7, i % 3);
    if (i == 100)
      for (int j = 0; j < LONG; j++)
        *at++ = 'x';
    else
      at += sprintf(at, "w%d", i % 5);
    at += sprintf(at, "\tT%d\n", i % 7);
  }
  ms_typed *graph = read_file(write_text("long.tsv", text), NULL);
  ms_typed_info info = ms_typed_describe(graph);
  ck_assert_uint_eq(info.vertices, 13);
  ck_assert_uint_eq(info.edges, LINES);
  ck_assert_uint_eq(info.vertex_types, 8);
  ck_assert_uint_eq(strlen(ms_typed_name(graph, 12)), LONG); /* the others came before it */
  ms_typed_free(graph);
  free(text);
}
END_TEST

/* ---- what is refused ---------------------------------------------------------- */

static ms_status read_typed(const char *path, void *user, ms_error *failure)
{
  ms_typed *graph = NULL;
  ms_status status = ms_typed_read(path, user, &graph, failure);
  ck_assert_msg((status == MS_OK) == (graph != NULL), "status and graph disagree");
  if (graph)
    ck_ok(ms_typed_validate(graph, &err));
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

START_TEST(refuses_hetionet)
{
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM(HEAD, 0, "holds no edges"),
      MALFORM(HEAD "a\tr\tb\nc\tr\n", 3, "expected at least 3 columns between tabs, found 2"),
      MALFORM(HEAD "a\tr\tb\tc\n", 2, "expected a source, a metaedge and a target, found 4 columns"),
      MALFORM(HEAD "a\t\tb\n", 2, "the type of the edge is empty"),
      MALFORM(HEAD "\tr\tb\n", 2, "the name of the source is empty"),
      MALFORM(HEAD "a\tr\t \n", 2, "the name of the target is empty"),
      MALFORM(HEAD "a\tr\xFF\tb\n", 2, "the type of the edge is not valid UTF-8"),
      MALFORM(HEAD "a\xFF\tr\tb\n", 2, "the name of the source is not valid UTF-8"),
      MALFORM(HEAD "a\tr\tb\x01\n", 2, "the name of the target holds a control character"),
      MALFORM(HEAD "a\tr\x1B\tb\n", 2, "the type of the edge holds a control character"),
      MALFORM(HEAD "a\tr\tb\nc\tr\0x\td\n", 3, "holds a NUL byte"),
  };
  ms_typed_options options = {.format = MS_TYPED_HETIONET};
  malform_refuses("het.tsv", cases, sizeof cases / sizeof *cases, read_typed, &options);
  malform_damage("het.tsv", good_hetionet, sizeof good_hetionet - 1, read_typed, &options);
}
END_TEST

START_TEST(refuses_sif)
{
  static const char good[] = "a\tr\tb\tc\nb\t^s\tc\nalone\n";
  static const malform_case cases[] = {
      MALFORM("# c\n", 0, "holds no edges"),
      MALFORM("source\tinteraction\ttarget\n", 0, "holds no edges"),
      MALFORM("a\tr\n", 1, "expected a source, a relation and targets, found two fields"),
      MALFORM("a\t\tb\n", 1, "the type of the edge is empty"),
      MALFORM("a\tr\tb\t\tc\n", 1, "the name of the target is empty"),
      MALFORM("\tr\tb\n", 1, "the name of the source is empty"),
      MALFORM("a\tr\tb\nal\x7Fone\n", 2, "the name of the vertex holds a control character"),
      MALFORM("a\tr\tb\nc pp d\n", 2, "blanks, where tabs stand between the fields"),
  };
  ms_typed_options options = {.format = MS_TYPED_SIF};
  malform_refuses("net.sif", cases, sizeof cases / sizeof *cases, read_typed, &options);
  malform_damage("net.sif", good, sizeof good - 1, read_typed, &options);
}
END_TEST

#define TABLE "source\ttype\ttarget\tsource_type\ttarget_type\n"

START_TEST(refuses_tables)
{
  static const char good[] = "#relation:\tr\t^r\n" TABLE "a\tr\tb\tX\tY\nz\t\t\tX\t\n";
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no edges"),
      MALFORM("#relation:\tr\tr\n", 0, "holds no edges"),
      MALFORM(TABLE, 0, "holds no edges"),
      MALFORM("alone\n", 1, "expected at least 2 columns between tabs, found 1"),
      MALFORM("x\ttype\ttarget\n", 1, "the header has no column of sources such as 'source'"),
      MALFORM("source\ttype\tx\n", 1, "the header has no column of targets such as 'target'"),
      MALFORM("source\tx\ttarget\n", 1, "the header has no column of types such as 'type'"),
      MALFORM("source\ttype\tsource\ttarget\n", 1, "2 columns have the header 'source'"),
      MALFORM(TABLE "a\tr\tb\tX\n", 2, "expected 5 columns as in line 1, found 4"),
      MALFORM(TABLE "a\t\tb\tX\tY\n", 2, "the type of the edge is empty"),
      MALFORM(TABLE "a\tr\t\tX\tY\n", 2, "the name of the target is empty"),
      MALFORM(TABLE "\t\t\tX\tY\n", 2, "the name of the vertex is empty"),
      MALFORM(TABLE "a\tr\tb\t\tY\n", 2, "the type of the source is empty"),
      MALFORM(TABLE "a\tr\tb\tX\t\n", 2, "the type of the target is empty"),
      MALFORM(TABLE "a\t\t\t\t\n", 2, "the type of the vertex is empty"),
      MALFORM(TABLE "a\tr\tb\tX\xC0\tY\n", 2, "the type of the source is not valid UTF-8"),
      MALFORM(TABLE "a\tr\tb\tX\tY\nb\tr\ta\tX\tX\n", 3,
              "vertex 'b' has the type 'X' here, but 'Y' in a line before"),
      MALFORM(TABLE "a\tr\tb\tX\tY\na\t\t\tZ\t\n", 3,
              "vertex 'a' has the type 'Z' here, but 'X' in a line before"),
      MALFORM(TABLE "a\tr\ta\tX\tY\nb\tr\tb\tX\tX\n", 2, "vertex 'a' has the type 'Y' here, but 'X'"),
      MALFORM("#relation:\tr\n" TABLE, 1, "expected '#relation:', a type and its inverse between "
                                          "tabs, found 2 fields"),
      MALFORM("#relation:\tr\ts\tt\n" TABLE, 1, "found 4 fields"),
      MALFORM("#relation:\tr\t\n" TABLE, 1, "the type of the edge is empty"),
      MALFORM("#relation:\tr\tr\n#relation:\tr\ts\n" TABLE, 2, "the inverse of 'r' is 's' here, but 'r' in"),
  };
  ms_typed_options options = {.format = MS_TYPED_TABLE};
  malform_refuses("t.tsv", cases, sizeof cases / sizeof *cases, read_typed, &options);
  malform_damage("t.tsv", good, sizeof good - 1, read_typed, &options);
}
END_TEST

START_TEST(refuses_chosen_columns)
{
  static const char table[] = "x\ty\tz\tx\na\tr\tb\tc\n";
  static const struct {
    ms_typed_options options;
    const char *part;
  } cases[] = {
      {{.source_column = "q"}, "no column has the header 'q'; choose the source column from 'x', 'y'"},
      {{.source_column = "x"}, "2 columns have the header 'x'; choose the source column by number"},
      {{.source_column = "5"}, "the column of sources is to be 5, but the line has 4 columns"},
      {{.source_column = "0"}, "the column of sources is to be 0"},
      {{.source_column = "1", .type_column = "2", .target_column = "99999999999999999999"},
       "the line has 4 columns"},
      {{.source_column = "1", .target_column = "1", .type_column = "2"}, "would both be column 1"},
      {{.source_column = "1", .target_column = "3"}, "no column of types such as 'type'"},
      {{.source_column = "1", .target_column = "3", .type_column = "none", .target_type_column = "w"},
       "no column has the header 'w'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const malform_case one = {table, sizeof table - 1, 1, cases[i].part};
    ms_typed_options options = cases[i].options;
    malform_refuses("t.tsv", &one, 1, read_typed, &options);
  }
}
END_TEST

START_TEST(refuses_nodes)
{
  static const char good[] = "id\tname\tkind\na\tfirst\tX\nb\tsecond\tY\n";
  static const malform_case cases[] = {
      MALFORM("", 0, "holds no vertices"),
      MALFORM("# c\n", 0, "holds no vertices"),
      MALFORM("a\n", 1, "expected at least 2 columns between tabs, found 1"),
      MALFORM("id\tname\tkind\na\tX\n", 2, "expected 3 columns as in line 1, found 2"),
      MALFORM("id\tkind\na\tX\na\tY\n", 3, "vertex 'a' has the type 'Y' here, but 'X' in a line before"),
      MALFORM("a\tX\na\tY\n", 2, "vertex 'a' has the type 'Y' here, but 'X' in a line before"),
      MALFORM("a\t\n", 1, "the type of the vertex is empty"),
      MALFORM("\tX\n", 1, "the name of the vertex is empty"),
      MALFORM("a\tX\xFF\n", 1, "the type of the vertex is not valid UTF-8"),
      MALFORM("a\tX\nb\x02\tX\n", 2, "the name of the vertex holds a control character"),
      MALFORM("id\tkind\tid\n", 1, "2 columns have the header 'id'"),
  };
  char edges[300];
  snprintf(edges, sizeof edges, "%s", write_text("e.sif", "a\tr\tb\n"));
  beside b = {edges, {.threads = 1}};
  malform_refuses("nodes.tsv", cases, sizeof cases / sizeof *cases, read_nodes, &b);
  malform_damage("nodes.tsv", good, sizeof good - 1, read_nodes, &b);
  static const malform_case chosen[] = {
      MALFORM("a\tX\n", 1, "no column has the header 'id'; choose the vertex column from 'a', 'X'")};
  b.options.node_name_column = "id";
  malform_refuses("nodes.tsv", chosen, 1, read_nodes, &b);
  static const malform_case same[] = {MALFORM("a\tX\n", 1, "would both be column 2")};
  b.options.node_name_column = "2";
  malform_refuses("nodes.tsv", same, 1, read_nodes, &b);
}
END_TEST

/* A type of the edges' file that the table of nodes contradicts is the file's. */
START_TEST(refuses_other_types_than_nodes)
{
  static const malform_case cases[] = {
      MALFORM(TABLE "a\tr\tb\tX\tY\n", 2,
              "vertex 'b' has the type 'Y' here, but 'Z' in a line before or in the table of nodes")};
  char nodes[300];
  snprintf(nodes, sizeof nodes, "%s", write_text("nodes.tsv", "b\tZ\n"));
  ms_typed_options options = {.nodes = nodes};
  malform_refuses("t.tsv", cases, 1, read_typed, &options);
}
END_TEST

START_TEST(refuses_relations)
{
  static const malform_case cases[] = {
      MALFORM("r\n", 1, "expected a type and its inverse with a tab between them, found no tab"),
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
  snprintf(edges, sizeof edges, "%s", write_text("e.sif", "a\tr\tb\n"));
  beside b = {edges, {.threads = 1}};
  malform_refuses("relations.tsv", cases, sizeof cases / sizeof *cases, read_relations, &b);
}
END_TEST

START_TEST(refuses_an_inverse_that_is_taken)
{
  static const malform_case cases[] = {
      MALFORM("a\tr\tb\n", 0, "the inverse of 'r' would be called '^r', but that is the name of "
                              "another relation")};
  char relations[300];
  snprintf(relations, sizeof relations, "%s", write_text("relations.tsv", "^r\tq\n"));
  ms_typed_options options = {.relations = relations, .directed = true};
  malform_refuses("e.sif", cases, 1, read_typed, &options);
}
END_TEST

START_TEST(refuses_usage)
{
  static const struct {
    const char *name, *text;
    ms_typed_options options;
    const char *part;
  } cases[] = {
      {"h", good_hetionet, {.directed = true}, "Hetionet's abbreviations tell which"},
      {"n.sif", "a\tr\tb\n", {.format = MS_TYPED_SIF, .type_column = "2"}, "columns are chosen"},
      {"h", good_hetionet, {.format = MS_TYPED_HETIONET, .source_column = "1"}, "columns are chosen"},
      {"n.sif", "a\tr\tb\n", {.node_type_column = "2"}, "columns of a table of nodes are chosen"},
      {"n.sif", "a\tr\tb\n", {.format = (ms_typed_format)9}, "unknown format 9"},
      {"p.tsv", "a\tb\n", {.nodes = "x"}, "a table of nodes is given, but nothing tells"},
      {"p.tsv", "a\tb\n", {.relations = "x"}, "a table of relations is given, but nothing tells"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_typed *graph = NULL;
    const char *path = write_text(cases[i].name, cases[i].text);
    ms_status status = ms_typed_read(path, &cases[i].options, &graph, &err);
    ck_assert_msg(status == MS_ERR_USAGE, "case %zu: status %d", i, (int)status);
    ck_assert_ptr_null(graph);
    ck_assert_msg(strstr(err.message, cases[i].part) && strchr(err.message, ';'), "case %zu: %s", i,
                  err.message);
  }
  ms_typed_options missing = {.nodes = files_path("nowhere.tsv")};
  ms_typed *graph = NULL;
  ck_assert_int_eq(ms_typed_read(write_text("n.sif", "a\tr\tb\n"), &missing, &graph, &err),
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

START_TEST(refuses_too_many_types)
{
  static const ms_typed_options table = {0}, sif = {.format = MS_TYPED_SIF, .directed = true},
                                hetionet = {.format = MS_TYPED_HETIONET};
  refuses_many(65536, "a\tr%u\tb\n", "source\ttype\ttarget\n", &table, 65537,
               "more than 65535 types of edges");
  refuses_many(65536, "v%1$u\tr\tb\tT%1$u\n", "source\ttype\ttarget\tsource_type\n", &table, 65537,
               "more than 65535 types of vertices");
  /* twice as many with their inverses; kinds are found out at the end */
  refuses_many(32768, "a\tr%u\tb\n", "", &sif, 0, "more than 65535 types of edges, inverses included");
  refuses_many(65536, "K%u::1\tr\tb\n", HEAD, &hetionet, 0, "more than 65535 types of vertices");
}
END_TEST

/* ---- there and back ------------------------------------------------------------ */

static char *all_bytes(const char *path, size_t *size)
{
  enum { ROOM = 1 << 20 };
  char *bytes = malloc(ROOM);
  gzFile file = gzopen(path, "rb"); /* reads what is not compressed, too */
  ck_assert(bytes && file);
  int got = gzread(file, bytes, ROOM);
  ck_assert_int_ge(got, 0);
  *size = (size_t)got;
  gzclose(file);
  return bytes;
}

static void check_trip(const ms_typed *graph, const typed_random *random, const char *name)
{
  char paths[2][300];
  for (int i = 0; i < 2; i++) {
    char numbered[64];
    snprintf(numbered, sizeof numbered, "%d-%s", i, name);
    snprintf(paths[i], sizeof paths[i], "%s", files_path(numbered));
  }
  ck_ok(ms_typed_write(graph, paths[0], &err));
  ms_typed *again = read_file(paths[0], NULL);
  ck_assert_int_eq(ms_typed_describe(again).format, MS_TYPED_TABLE);
  typed_random_check(random, again);
  for (uint32_t v = 0; v < graph->rows.n; v++)
    ck_assert_str_eq(ms_typed_name(again, v), ms_typed_name(graph, v));
  for (uint32_t t = 0; t < ms_typed_describe(graph).arc_types; t++) {
    ck_assert_str_eq(ms_typed_arc_type_name(again, t), ms_typed_arc_type_name(graph, t));
    ck_assert_uint_eq(again->inverse[t], graph->inverse[t]);
    ck_assert_uint_eq(again->is_inverse[t], graph->is_inverse[t]);
  }
  ck_assert_mem_eq(again->rows.neighbor, graph->rows.neighbor, graph->rows.arcs * sizeof(uint32_t));
  ck_assert_mem_eq(again->rows.type, graph->rows.type, graph->rows.arcs * sizeof(ms_type));
  ck_ok(ms_typed_write(again, paths[1], &err));
  size_t size[2];
  char *bytes[2] = {all_bytes(paths[0], &size[0]), all_bytes(paths[1], &size[1])};
  ck_assert_uint_eq(size[0], size[1]);
  ck_assert_mem_eq(bytes[0], bytes[1], size[0]);
  free(bytes[0]);
  free(bytes[1]);
  ms_typed_free(again);
}

START_TEST(round_trips)
{
  static const char *const names[] = {"t.tsv", "t.tsv.gz", "t.sif"};
  const char *scale = getenv("MOTIFSIEVE_TEST_SCALE");
  uint64_t trips = scale && strtod(scale, NULL) < 1 ? 20 : 150;
  for (uint64_t seed = 0; seed < trips; seed++) {
    typed_random random;
    ms_typed *graph = NULL;
    typed_random_make(seed, &random);
    ck_ok(ms_typed_from_edges(&random.source, 1, &graph, &err));
    check_trip(graph, &random, names[seed % 3]);
    ms_typed_free(graph);
  }
}
END_TEST

START_TEST(refuses_to_write)
{
  static const char *const vertices[] = {"#a", "!a", "%a", " a", "a "}, *const types[] = {" t", "t "};
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
    ck_assert_msg(strstr(err.message, "which a table of typed edges cannot say"), "%s", err.message);
    ms_typed_free(graph);
  }
  ck_assert_ptr_null(fopen(path, "r"));
}
END_TEST

/* ---- real data ------------------------------------------------------------------ */

enum { MOST_LINES = 200000, MOST_TYPES = 64 };

typedef struct plain_count {
  uint64_t lines; /* without the header */
  char **name;    /* [names] of sources and targets, sorted, each once */
  size_t names;
  char type[MOST_TYPES][16];
  uint64_t edges[MOST_TYPES];
  size_t types;
} plain_count;

static int compare(const void *a, const void *b)
{
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void count_type(plain_count *c, const char *type)
{
  size_t i = 0;
  while (i < c->types && strcmp(c->type[i], type) != 0)
    i++;
  if (i == c->types) {
    ck_assert_uint_lt(c->types, MOST_TYPES);
    ck_assert_uint_lt(strlen(type), sizeof c->type[i]);
    strcpy(c->type[c->types++], type);
  }
  c->edges[i]++;
}

static void sort_names(plain_count *c)
{
  size_t kept = 0;
  qsort(c->name, c->names, sizeof *c->name, compare);
  for (size_t i = 0; i < c->names; i++)
    if (kept > 0 && strcmp(c->name[kept - 1], c->name[i]) == 0)
      free(c->name[i]);
    else
      c->name[kept++] = c->name[i];
  c->names = kept;
}

/* Columns from 0; type < 0: none. */
static void count_plainly(const char *path, int source, int target, int type, plain_count *c)
{
  char line[8192];
  gzFile file = gzopen(path, "rb");
  memset(c, 0, sizeof *c);
  c->name = malloc(2 * MOST_LINES * sizeof *c->name);
  ck_assert(file && c->name);
  ck_assert_ptr_nonnull(gzgets(file, line, sizeof line));
  while (gzgets(file, line, sizeof line)) {
    char *rest = line, *field;
    line[strcspn(line, "\r\n")] = '\0';
    for (int i = 0; (field = strsep(&rest, "\t")); i++) {
      if (i == source || i == target)
        c->name[c->names++] = strdup(field);
      if (i == type)
        count_type(c, field);
    }
    ck_assert_uint_lt(++c->lines, MOST_LINES);
  }
  gzclose(file);
  sort_names(c);
}

/* Names of `a` that `b` lacks. */
static uint64_t names_only_in(const plain_count *a, const plain_count *b)
{
  uint64_t count = 0;
  for (size_t i = 0; i < a->names; i++)
    count += !bsearch(&a->name[i], b->name, b->names, sizeof *b->name, compare);
  return count;
}

static void free_count(plain_count *c)
{
  for (size_t i = 0; i < c->names; i++)
    free(c->name[i]);
  free(c->name);
}

static uint64_t count_arcs(const ms_typed *graph, uint32_t type)
{
  uint64_t count = 0;
  for (uint64_t a = 0; a < graph->rows.arcs; a++)
    count += graph->rows.type[a] == type;
  return count;
}

static void check_hetionet(const ms_typed *graph, const plain_count *c)
{
  ms_typed_info info = ms_typed_describe(graph);
  ck_assert_uint_eq(info.edges, c->lines);
  ck_assert_uint_eq(info.self_loops, 0);
  ck_assert_uint_eq(info.arc_types, c->types + 1); /* the inverse of Gr>G */
  for (size_t i = 0; i < c->types; i++) {
    uint32_t type = ms_typed_find_arc_type(graph, c->type[i]);
    bool directed = strchr(c->type[i], '>');
    ck_assert_uint_eq(count_arcs(graph, type), c->edges[i] * (directed ? 1 : 2));
    ck_assert_int_eq(ms_typed_inverse(graph, type) != type, directed);
  }
  for (size_t i = 0; i < c->names; i++) {
    uint32_t v = ms_typed_find(graph, c->name[i]);
    ck_assert_uint_ne(v, UINT32_MAX);
    const char *type = ms_typed_vertex_type_name(graph, ms_typed_vertex_type(graph, v));
    ck_assert_int_eq(strncmp(type, c->name[i], strlen(type)), 0);
    ck_assert_int_eq(strncmp(c->name[i] + strlen(type), "::", 2), 0);
  }
}

START_TEST(reads_hetionet_itself)
{
  static const char *const files[] = {"hetionet_edges-5k.sif.gz", "hetionet_edges-5k.v02.sif.gz",
                                      "hetionet_edges-5k.v03.sif.gz"};
  const char *found = files_data("typed/hetionet-v1.0-nodes.tsv.gz");
  char nodes[300];
  if (!found) {
    printf("SKIPPED: test_typed_read: no typed/hetionet-v1.0-nodes.tsv.gz in the data\n");
    return;
  }
  snprintf(nodes, sizeof nodes, "%s", found);
  for (int f = 0; f < 3; f++) {
    char name[100];
    plain_count count, node_count;
    snprintf(name, sizeof name, "typed/%s", files[f]);
    const char *path = files_data(name);
    ck_assert_ptr_nonnull(path);
    count_plainly(path, 0, 2, 1, &count);
    count_plainly(nodes, 0, 0, -1, &node_count);
    ms_typed *graph = read_file(path, NULL);
    ms_typed_info info = ms_typed_describe(graph);
    check_hetionet(graph, &count);
    ck_assert_uint_eq(info.vertices, count.names);
    ck_assert_uint_eq(info.lines, count.lines + 1);
    ck_assert_uint_eq(info.untyped, 0);
    ms_typed_free(graph);
    ms_typed_options options = {.nodes = nodes};
    graph = read_file(path, &options);
    info = ms_typed_describe(graph);
    check_hetionet(graph, &count);
    /* the other samples have vertices that the table lacks, and kinds */
    ck_assert_uint_eq(info.vertices, node_count.lines + names_only_in(&count, &node_count));
    ck_assert_uint_eq(info.lone_nodes, names_only_in(&node_count, &count));
    if (f == 0) {
      ck_assert_uint_eq(info.vertices, node_count.lines);
      ck_assert_uint_eq(info.vertex_types, 11);
    }
    ms_typed_free(graph);
    free_count(&count);
    free_count(&node_count);
  }
}
END_TEST

START_TEST(reads_tables_of_hetionet)
{
  static const struct {
    const char *name, *source, *target;
    int columns[2];
  } files[] = {{"typed/hetionet_DaG-association.tsv.gz", "doid_id", "entrez_gene_id", {0, 2}},
               {"typed/hetionet_CbG-binding.tsv.gz", "1", "2", {0, 1}}};
  for (int f = 0; f < 2; f++) {
    const char *path = files_data(files[f].name);
    plain_count count;
    if (!path) {
      printf("SKIPPED: test_typed_read: no %s in the data\n", files[f].name);
      return;
    }
    count_plainly(path, files[f].columns[0], files[f].columns[1], -1, &count);
    ms_typed_options options = {
        .source_column = files[f].source, .target_column = files[f].target, .type_column = "none"};
    ms_typed *graph = read_file(path, &options);
    ck_assert_uint_eq(ms_typed_describe(graph).edges, count.lines);
    ck_assert_uint_eq(ms_typed_describe(graph).vertices, count.names);
    ck_assert_uint_eq(ms_typed_describe(graph).untyped, count.names);
    ms_typed_free(graph);
    free_count(&count);
  }
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
  ms_typed_options options = {.format = s->format, .threads = 1};
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
    snprintf(s.edges, sizeof s.edges, "%s", write_text(files[i].name, files[i].text));
    snprintf(s.nodes, sizeof s.nodes, "%s", write_text("nodes.tsv", "a\tX\nb\tY\n"));
    snprintf(s.relations, sizeof s.relations, "%s", write_text("r.tsv", "r\tr\ns\tt\n"));
    snprintf(s.out, sizeof s.out, "%s", files_path("out.tsv"));
    ck_assert_int_gt(failing_runs(read_and_write, &s), 20);
  }
}
END_TEST

int main(void)
{
  Suite *suite = suite_create("reading typed graphs");
  TCase *good = tcase_create("good"), *bad = tcase_create("bad"), *real = tcase_create("real");
  tcase_add_unchecked_fixture(good, files_setup, files_teardown);
  tcase_add_unchecked_fixture(bad, files_setup, files_teardown);
  tcase_add_unchecked_fixture(real, files_setup, files_teardown);
  tcase_add_test(good, reads_hetionet);
  tcase_add_test(good, reads_sif);
  tcase_add_test(good, reads_tables);
  tcase_add_test(good, reads_nodes);
  tcase_add_test(good, reads_plain_graphs);
  tcase_add_test(good, tells_facts);
  tcase_add_test(good, reads_long_names);
  tcase_add_test(good, round_trips);
  tcase_add_test(bad, refuses_hetionet);
  tcase_add_test(bad, refuses_sif);
  tcase_add_test(bad, refuses_tables);
  tcase_add_test(bad, refuses_chosen_columns);
  tcase_add_test(bad, refuses_nodes);
  tcase_add_test(bad, refuses_other_types_than_nodes);
  tcase_add_test(bad, refuses_relations);
  tcase_add_test(bad, refuses_an_inverse_that_is_taken);
  tcase_add_test(bad, refuses_usage);
  tcase_add_test(bad, refuses_too_many_types);
  tcase_add_test(bad, refuses_to_write);
  tcase_add_test(bad, survives_without_memory);
  tcase_add_test(real, reads_hetionet_itself);
  tcase_add_test(real, reads_tables_of_hetionet);
  suite_add_tcase(suite, good);
  suite_add_tcase(suite, bad);
  suite_add_tcase(suite, real);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
