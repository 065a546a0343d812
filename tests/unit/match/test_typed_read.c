/* What readers of typed graphs make of files, rule by rule. */
#include "base/crc32c.h"
#include "graph/typed.h"
#include "tests/support/files.h"
#include "tests/support/graphs/typed_files.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
        used +=
            (size_t)snprintf(text + used, sizeof text - used, " %s-%s-%s%s",
                             ms_typed_name(graph, v), ms_typed_arc_type_name(graph, rows->type[a]),
                             symmetric ? "" : ">", ms_typed_name(graph, rows->neighbor[a]));
    }
  return text;
}

typedef struct reading {
  const char *name, *text;
  ms_typed_options options; /* nodes and relations: texts of these files */
  ms_typed_format format;   /* as the graph says afterwards */
  const char *wanted;
} reading;

static void check_readings(const reading *cases, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    ms_typed_options options = cases[i].options;
    char nodes[300] = "", relations[300] = "";
    if (options.nodes) {
      snprintf(nodes, sizeof nodes, "%s", files_write_text("nodes.tsv", options.nodes));
      options.nodes = nodes;
    }
    if (options.relations) {
      snprintf(relations, sizeof relations, "%s",
               files_write_text("relations.tsv", options.relations));
      options.relations = relations;
    }
    ms_typed *graph = typed_files_read(files_write_text(cases[i].name, cases[i].text), &options);
    ck_assert_msg(strcmp(render(graph), cases[i].wanted) == 0, "case %zu: '%s', wanted '%s'", i,
                  render(graph), cases[i].wanted);
    ck_assert_int_eq(ms_typed_describe(graph).format, cases[i].format);
    ms_typed_free(graph);
  }
}

/* Each of nine files of Hetionet's form gives its vertices, types and edges. */
START_TEST(reads_hetionet)
{
  static const reading cases[] = {
      {"h.sif",
       "source\tmetaedge\ttarget\nGene::1\tGiG\tGene::2\nC::1\tCbG\tGene::1\n",
       {0},
       MS_TYPED_HETIONET,
       "Gene::1:Gene Gene::2:Gene C::1:C / Gene::1-GiG-Gene::2 Gene::1-CbG-C::1"},
      /* one relation by both of its names, of whichever comes first */
      {"h.tsv",
       "source\tmetaedge\ttarget\nG::1\tGr>G\tG::2\nG::1\tG<rG\tG::3\n",
       {0},
       MS_TYPED_HETIONET,
       "G::1:G G::2:G G::3:G / G::1-Gr>G->G::2 G::3-Gr>G->G::1"},
      {"h.tsv",
       "source\tmetaedge\ttarget\nG::1\tD<upG\tD::2\n",
       {0},
       MS_TYPED_HETIONET,
       "G::1:G D::2:D / D::2-Gup>D->G::1"},
      /* arrows that are no abbreviation */
      {"h.tsv",
       "source\tmetaedge\ttarget\na\tr>\tb\na\t^r>\tc\n",
       {0},
       MS_TYPED_HETIONET,
       "a:untyped b:untyped c:untyped / a-r>->b c-r>->a"},
      /* no kind, an empty one, a name with two marks */
      {"h",
       "source\tmetaedge\ttarget\nx\tr\t::y\nA::B::c\tr\tx\n",
       {0},
       MS_TYPED_HETIONET,
       "x:untyped ::y:untyped A::B::c:A / x-r-::y x-r-A::B::c"},
      /* without the header, where the format is named; comments, CRLF, blanks around */
      {"h",
       "# from somewhere\r\n\r\nA::1\tr \tB::2\r\n",
       {.format = MS_TYPED_HETIONET},
       MS_TYPED_HETIONET,
       "A::1:A B::2:B / A::1-r-B::2"},
      {"h",
       "\xEF\xBB\xBFSource\tMetaedge\tTarget\nA::1\tr\tA::1\nA::1\tr\tA::1",
       {0},
       MS_TYPED_HETIONET,
       "A::1:A / A::1-r-A::1 A::1-r-A::1"},
      /* the table of nodes comes first, and knows better */
      {"h",
       "source\tmetaedge\ttarget\nG::1\tr\tG::2\nG::3\tr\tG::1\n",
       {.nodes = "id\tname\tkind\nG::9\tnine\tGene\nG::1\tone\tGene\n"},
       MS_TYPED_HETIONET,
       "G::9:Gene G::1:Gene G::2:G G::3:G / G::1-r-G::2 G::1-r-G::3"},
      /* and so do the relations */
      {"h",
       "source\tmetaedge\ttarget\nG::1\tGr>G\tG::2\nG::1\tGiG\tG::2\n",
       {.relations = "Gr>G\tGr>G\nGiG\tiGG\n"},
       MS_TYPED_HETIONET,
       "G::1:G G::2:G / G::1-Gr>G-G::2 G::1-GiG->G::2"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* Each of twelve SIF files gives its vertices, types and edges. */
START_TEST(reads_sif)
{
  static const reading cases[] = {
      {"n.sif",
       "a\tr\tb\tc d\nalone\nb\ts\tb\n",
       {0},
       MS_TYPED_SIF,
       "a:untyped b:untyped c d:untyped alone:untyped / a-r-b a-r-c d b-s-b"},
      {"n.sif",
       "a r b c\nb s a\n",
       {.directed = true},
       MS_TYPED_SIF,
       "a:untyped b:untyped c:untyped / a-r->b a-r->c b-s->a"},
      /* "^r" says that r has a direction, wherever it stands; s has none */
      {"n.sif",
       "a\tr\tb\nb\ts\ta\nb\t^r\tc\n",
       {0},
       MS_TYPED_SIF,
       "a:untyped b:untyped c:untyped / a-r->b a-s-b c-r->b"},
      {"n.sif", "a\t^r\tb\n", {0}, MS_TYPED_SIF, "a:untyped b:untyped / b-r->a"},
      {"n.sif",
       "a\t^^r\tb\na\t^^^r\tb\n",
       {.directed = true},
       MS_TYPED_SIF,
       "a:untyped b:untyped / a-r->b b-r->a"},
      {"n.sif", "a\t^\tb\na\t^^\tb\n", {0}, MS_TYPED_SIF, "a:untyped b:untyped / a-^->b b-^->a"},
      /* unless the relations say that it has none, or that the inverse has a name */
      {"n.sif",
       "a\t^r\tb\na\tr\tb\n",
       {.directed = true, .relations = "r\tr\n"},
       MS_TYPED_SIF,
       "a:untyped b:untyped / a-r-b a-r-b"},
      {"n.sif",
       "a\tup\tb\nb\tdown\tc\nc\t^up\ta\nc\t^down\tb\n",
       {.relations = "# both\nup\tdown\nnever\tagain\n\nup\tdown\ndown\tup\n"},
       MS_TYPED_SIF,
       "a:untyped b:untyped c:untyped / a-up->b a-up->c c-up->b c-up->b"},
      {"n.sif",
       "a\t^r\tb\nb\tr\ta\n",
       {.relations = "^r\t^r\n"},
       MS_TYPED_SIF,
       "a:untyped b:untyped / a-^r-b a-r-b"},
      /* known by its relations; a header */
      {"n", "a pp b\nb pd c\n", {0}, MS_TYPED_SIF, "a:untyped b:untyped c:untyped / a-pp-b b-pd-c"},
      {"n", "source interaction target\na x b\n", {0}, MS_TYPED_SIF, "a:untyped b:untyped / a-x-b"},
      {"n.sif", "a\tr\tb\n", {.nodes = "b\tX\nz\tY\n"}, MS_TYPED_SIF, "b:X z:Y a:untyped / b-r-a"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* Each of twelve tables gives its vertices, types and edges, with default and chosen columns. */
START_TEST(reads_tables)
{
  static const reading cases[] = {
      {"t.tsv",
       "source\ttype\ttarget\na\tr\tb\n",
       {0},
       MS_TYPED_TABLE,
       "a:untyped b:untyped / a-r-b"},
      {"t.tsv",
       "Weight\tTo\tRelation\tFrom\n1\tb\tr\ta\n",
       {.directed = true},
       MS_TYPED_TABLE,
       "a:untyped b:untyped / a-r->b"},
      {"t.tsv",
       "source\ttype\ttarget\tsource_type\ttarget_type\na\tr\tb\tX\tY Z\nq\t\t\tX\t\n",
       {0},
       MS_TYPED_TABLE,
       "a:X b:Y Z q:X / a-r-b"},
      /* one end alone has types; "untyped" is as good as any */
      {"t.tsv",
       "source\ttype\ttarget\ttarget_type\na\tr\tb\tY\nb\tr\tc\tuntyped\n",
       {0},
       MS_TYPED_TABLE,
       "a:untyped b:Y c:untyped / a-r-b b-r-c"},
      /* columns that are chosen, by name and by number; the name wins */
      {"t.tsv",
       "x\ty\tz\t1\na\tb\tr\tq\n",
       {.source_column = "x", .target_column = "2", .type_column = "z", .source_type_column = "1"},
       MS_TYPED_TABLE,
       "a:q b:untyped / a-r-b"},
      {"t.tsv",
       "x\ty\na\tb\n",
       {.source_column = "x", .target_column = "y", .type_column = "none"},
       MS_TYPED_TABLE,
       "a:untyped b:untyped / a-edge-b"},
      {"t.tsv",
       "source\ttarget\tnone\na\tb\tr\n",
       {.type_column = "none"},
       MS_TYPED_TABLE,
       "a:untyped b:untyped / a-r-b"},
      {"t.tsv",
       "source\ttarget\na\tb\n",
       {.type_column = "none", .directed = true},
       MS_TYPED_TABLE,
       "a:untyped b:untyped / a-edge->b"},
      /* lines of relations above the header */
      {"t.tsv",
       "#relation:\tr\t^r\n# a comment\n\n#relation:\tup\tdown\n#relation:\ts\ts\n"
       "source\ttype\ttarget\na\tr\tb\nb\tdown\tc\na\ts\tc\n#relation:\ts\tz\n",
       {0},
       MS_TYPED_TABLE,
       "a:untyped b:untyped c:untyped / a-r->b a-s-c c-up->b"},
      {"t.sif",
       "#relation:\tr\tr\nsource\ttype\ttarget\tmore\na\tr\tb\tx\n",
       {.directed = true},
       MS_TYPED_TABLE,
       "a:untyped b:untyped / a-r-b"},
      {"t.tsv",
       "#relation:\tr\t^r\nsource\ttype\ttarget\na\tr\tb\n",
       {.relations = "r\t^r\n"},
       MS_TYPED_TABLE,
       "a:untyped b:untyped / a-r->b"},
      /* the types of the table of nodes and those of the edges agree */
      {"t.tsv",
       "source\ttype\ttarget\tsource_type\na\tr\tb\tX\n",
       {.nodes = "a\tX\n"},
       MS_TYPED_TABLE,
       "a:X b:untyped / a-r-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* Each of eight tables of nodes or relations gives its types to the vertices and edges. */
START_TEST(reads_nodes)
{
#define EDGES "a\tr\tb\n"
  static const reading cases[] = {
      {"n.sif", EDGES, {.nodes = "a\tX\nb\tY\na\tX\n"}, MS_TYPED_SIF, "a:X b:Y / a-r-b"},
      {"n.sif", EDGES, {.nodes = "node\ttype\na\tX\n"}, MS_TYPED_SIF, "a:X b:untyped / a-r-b"},
      {"n.sif",
       EDGES,
       {.nodes = "Kind\tsize\tName\nX\t7\ta\n"},
       MS_TYPED_SIF,
       "a:X b:untyped / a-r-b"},
      /* no such header: the first and the last column */
      {"n.sif", EDGES, {.nodes = "p\tq\tw\na\t7\tX\n"}, MS_TYPED_SIF, "a:X b:untyped / a-r-b"},
      {"n.sif",
       EDGES,
       {.nodes = "p\tq\tw\nX\ta\t7\n", .node_name_column = "q", .node_type_column = "1"},
       MS_TYPED_SIF,
       "a:X b:untyped / a-r-b"},
      /* two columns without a header, the other way round */
      {"n.sif",
       EDGES,
       {.nodes = "X\ta\nY\tb\n", .node_name_column = "2", .node_type_column = "1"},
       MS_TYPED_SIF,
       "a:X b:Y / a-r-b"},
      {"n.sif",
       EDGES,
       {.nodes = "X\ta\nY\tb\na\tc\n", .node_name_column = "X", .node_type_column = "a"},
       MS_TYPED_SIF,
       "Y:b a:c b:untyped / a-r-b"},
      {"n.sif",
       EDGES,
       {.nodes = "id\tkind\ttype\na\tX\tY\n"},
       MS_TYPED_SIF,
       "a:X b:untyped / a-r-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* Each of four plain graphs gives a typed graph with one relation and its colours as types. */
START_TEST(reads_plain_graphs)
{
  static const reading cases[] = {
      {"p.tsv",
       "a\tb\nb\tc\na\tb\n",
       {0},
       MS_TYPED_AUTO,
       "a:untyped b:untyped c:untyped / a-edge-b b-edge-c"},
      {"p.tsv",
       "a\tb\nb\ta\nb\tc\n",
       {.directed = true},
       MS_TYPED_AUTO,
       "a:untyped b:untyped c:untyped / a-edge->b b-edge->a b-edge->c"},
      {"p.tve",
       "t 3 2\nv 0 X 1\nv 1 Y 2\nv 2 X 1\ne 0 1\ne 1 2\n",
       {0},
       MS_TYPED_AUTO,
       "0:X 1:Y 2:X / 0-edge-1 1-edge-2"},
      /* a header without a column of types */
      {"p.tsv", "source\ttarget\na\tb\n", {0}, MS_TYPED_AUTO, "a:untyped b:untyped / a-edge-b"},
  };
  check_readings(cases, sizeof cases / sizeof *cases);
}
END_TEST

/* Counts, checksums and paths of a graph with nodes and relations are reported right, and left out
 * where no such file was given. */
START_TEST(tells_facts)
{
  static const char edges[] = "# c\nsource\tmetaedge\ttarget\nG::1\tr\tG::2\nG::1\tr\tG::1\n"
                              "G::2\tr\tG::1\n";
  static const char nodes[] = "id\tkind\nG::1\tGene\nG::7\tGene\nG::8\tX\nG::7\tGene\n";
  static const char relations[] = "r\tr\n";
  char paths[3][300];
  snprintf(paths[0], sizeof paths[0], "%s",
           files_write_gzip("e.tsv.gz", edges, sizeof edges - 1, 1));
  snprintf(paths[1], sizeof paths[1], "%s", files_write_text("n.tsv", nodes));
  snprintf(paths[2], sizeof paths[2], "%s", files_write_text("r.tsv", relations));
  ms_typed_options options = {
      .size = sizeof(ms_typed_options), .nodes = paths[1], .relations = paths[2]};
  ms_typed *graph = typed_files_read(paths[0], &options);
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
  graph = typed_files_read(paths[0], NULL);
  ck_assert_ptr_null(ms_typed_describe(graph).nodes_path);
  ck_assert_uint_eq(ms_typed_describe(graph).nodes_crc32c, 0);
  ms_typed_free(graph);
}
END_TEST

/* A name of 5,000 bytes, longer than a batch, and 300 edges, more than a batch, are read whole. */
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
  ms_typed *graph = typed_files_read(files_write_text("long.tsv", text), NULL);
  ms_typed_info info = ms_typed_describe(graph);
  ck_assert_uint_eq(info.vertices, 13);
  ck_assert_uint_eq(info.edges, LINES);
  ck_assert_uint_eq(info.vertex_types, 8);
  ck_assert_uint_eq(strlen(ms_typed_name(graph, 12)), LONG); /* the others came before it */
  ms_typed_free(graph);
  free(text);
}
END_TEST

TEST_MAIN("reading typed graphs", TEST(reads_hetionet), TEST(reads_sif), TEST(reads_tables),
          TEST(reads_nodes), TEST(reads_plain_graphs), TEST(tells_facts), TEST(reads_long_names))
