/* GraphML (graph/formats/graphml.c, graph/io/xml.c): what is read, refused and written. */
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/adjacency.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SMALL ((uint64_t)64 << 20)
#define SPACE "http://graphml.graphdrawing.org/xmlns"
#define HEAD "<graphml xmlns=\"" SPACE "\">\n"
#define KEY "<key id=\"d0\" for=\"node\" attr.name=\"color\" attr.type=\"string\"/>\n"
#define TAIL "</graph></graphml>\n"

static ms_error err;

static ms_graph *read_bytes(const char *name, const char *bytes, size_t size)
{
  ms_graph *graph;
  ck_assert_msg(ms_graph_read(files_write(name, bytes, size), NULL, &graph, &err) == MS_OK,
                "%s in %.300s", err.message, bytes);
  ck_assert_str_eq(ms_graph_format_describe(ms_graph_describe(graph).format).name, "graphml");
  return graph;
}

static ms_graph *read_text(const char *text)
{
  return read_bytes("net.graphml", text, strlen(text));
}

static void same_path(const ms_graph *graph)
{
  uint32_t degree;
  ck_assert_uint_eq(ms_graph_vertex_count(graph), 3);
  ck_assert_uint_eq(ms_graph_edge_count(graph), 2);
  uint32_t b = ms_graph_find(graph, "b");
  ck_assert_uint_ne(b, UINT32_MAX);
  ms_graph_neighbors(graph, b, &degree);
  ck_assert_uint_eq(degree, 2);
  ck_assert_uint_ne(ms_graph_find(graph, "a"), UINT32_MAX);
  ck_assert_uint_ne(ms_graph_find(graph, "c"), UINT32_MAX);
}

/* The vertex's colours are those of the list, which ends with NULL. */
static void has_colors(const ms_graph *graph, const char *vertex, const char *const *expected)
{
  ms_coloring *coloring;
  uint32_t count, wanted = 0;
  ck_assert_int_eq(ms_coloring_from_graph(graph, &coloring, &err), MS_OK);
  const uint32_t *color = ms_coloring_of(coloring, ms_graph_find(graph, vertex), &count);
  for (; expected[wanted]; wanted++) {
    uint32_t c = ms_coloring_find(coloring, expected[wanted]), i = 0;
    while (i < count && color[i] != c)
      i++;
    ck_assert_msg(i < count, "%s is not %s", vertex, expected[wanted]);
  }
  ck_assert_uint_eq(count, wanted);
  ms_coloring_free(coloring);
}
#define COLORS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_COLORS ((const char *const[]){NULL})

/* ---- reading --------------------------------------------------------------- */

#define NODES "<node id=\"a\"/><node id='b'></node>\n<node id=\"c\"/>"
#define EDGES "<edge source=\"a\" target=\"b\"/><edge id=\"e\" target=\"b\" source=\"c\"/>"

/* One path of three vertices is read from each of ten spellings: any order, namespaces, encodings
 * of characters, comments, document types, and elements of other programs. */
START_TEST(forms)
{
  static const char *const texts[] = {
      HEAD "<graph edgedefault=\"undirected\">" NODES EDGES TAIL,
      /* any order */
      HEAD "<graph edgedefault=\"directed\">" EDGES NODES TAIL,
      HEAD "<graph><node id=\"b\"/>" EDGES "<node id=\"c\"/><node id=\"a\"/>" TAIL,
      /* no namespace, an older one, a prefix */
      "<?xml version=\"1.0\"?>\n<graphml><graph>" NODES EDGES TAIL,
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns/graphml\"><graph>" NODES EDGES TAIL,
      "<g:graphml xmlns:g=\"" SPACE "\"><g:graph><g:node id=\"a\"/><g:node id=\"b\"/>"
      "<g:node id=\"c\"/><g:edge source=\"a\" target=\"b\"/><g:edge source=\"c\" target=\"b\"/>"
      "</g:graph></g:graphml>",
      /* byte order mark, comments, processing instructions, descriptions, blanks */
      "\xEF\xBB\xBF<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n<!-- <node id='x'/> -->"
      "<?do it?>" HEAD "<desc>of <b>all</b></desc><graph><desc/>\n" NODES "<!-- -->" EDGES
      "\n</graph>\n</graphml>\n<!-- end -->\n\n",
      /* a document type in another file is not looked at */
      "<!DOCTYPE graphml SYSTEM \"/no/such/graphml.dtd\">\n<graphml><graph>" NODES EDGES TAIL,
      "<!DOCTYPE graphml PUBLIC \"-//x//EN\" \"http://localhost:1/graphml.dtd\">\n<graphml><graph>"
      "<node id=\"&#97;\"/><node id=\"b\" note=\"&lt;&amp;&gt;&quot;&apos;\"/><node "
      "id=\"c\"/>" EDGES TAIL,
      /* what other programs add: their own elements, whatever these are called */
      HEAD "<key for=\"node\" id=\"d6\" yfiles.type=\"nodegraphics\"/>"
           "<key for=\"graphml\" id=\"d7\" yfiles.type=\"resources\"/>"
           "<data key=\"d7\"><y:R xmlns:y=\"http://www.yworks.com/xml/graphml\"><y:graph/>"
           "<node id=\"no\"/></y:R></data><graph id=\"G\"><data key=\"d0\"/>"
           "<y:node xmlns:y=\"http://www.yworks.com/xml/graphml\" id=\"y\"/>"
           "<node id=\"a\"><data key=\"d6\"><n><graph><node id=\"x\"/></graph></n></data></node>"
           "<node id=\"b\"><port name=\"north\"><port name=\"p\"><data key=\"k\">x</data></port>"
           "</port></node><node id=\"c\"/>"
           "<edge source=\"a\" target=\"b\" targetport=\"north\" directed=\"true\">"
           "<data key=\"d1\">0.5</data></edge><edge source=\"c\" target=\"b\"/>" TAIL,
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    ms_graph *graph = read_text(texts[i]);
    same_path(graph);
    ck_assert(!ms_graph_describe(graph).colored);
    ck_assert_uint_eq(ms_graph_describe(graph).duplicates, 0);
    ms_graph_free(graph);
  }
}
END_TEST

/* Vertices keep the order in which they first appear, and duplicates and self-loops are counted. */
START_TEST(counts)
{
  ms_graph *graph = read_text(HEAD "<graph>\n<node id=\"z\"/><edge source=\"y\" target=\"z\"/>\n"
                                   "<edge source=\"z\" target=\"y\"/><edge source=\"y\" "
                                   "target=\"y\"/><node id=\"x\"/><node id=\"y\"/>\n" TAIL);
  ms_graph_info info = ms_graph_describe(graph);
  ck_assert_uint_eq(info.vertices, 3);
  ck_assert_uint_eq(info.edges, 1);
  ck_assert_uint_eq(info.duplicates, 1);
  ck_assert_uint_eq(info.self_loops, 1);
  ck_assert_str_eq(ms_graph_name(graph, 0), "z");
  ck_assert_str_eq(ms_graph_name(graph, 1), "y");
  ck_assert_str_eq(ms_graph_name(graph, 2), "x");
  ms_graph_free(graph);
}
END_TEST

/* The number of lines is right, whatever follows the last element: six endings. */
START_TEST(lines_are_counted)
{
  static const struct {
    const char *end;
    uint64_t lines;
  } cases[] = {{"", 4}, {"\n", 4}, {"\n\n", 5}, {"\n<!-- -->", 5}, {"\r\n", 4}, {"\n  ", 5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[300];
    snprintf(text, sizeof text, "%s<graph>\n<node id=\"a\"/>\n</graph></graphml>%s", HEAD,
             cases[i].end);
    ms_graph *graph = read_text(text);
    ck_assert_msg(ms_graph_describe(graph).lines == cases[i].lines, "case %zu: %llu lines", i,
                  (unsigned long long)ms_graph_describe(graph).lines);
    ms_graph_free(graph);
  }
}
END_TEST

/* Latin-1 and UTF-16 of either byte order are read. */
START_TEST(encodings)
{
  static const char latin[] = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><graphml><graph>"
                              "<node id=\"\xE9\"/><node id=\"&#xE8;\"/></graph></graphml>";
  static const char plain[] = "<?xml version=\"1.0\"?><graphml><graph>" NODES EDGES TAIL;
  ms_graph *graph = read_text(latin);
  ck_assert_str_eq(ms_graph_name(graph, 0), "\xC3\xA9");
  ck_assert_str_eq(ms_graph_name(graph, 1), "\xC3\xA8");
  ms_graph_free(graph);
  for (int big = 0; big < 2; big++) {
    char wide[2 * sizeof plain] = {big ? '\xFE' : '\xFF', big ? '\xFF' : '\xFE'};
    for (size_t i = 0; i < sizeof plain - 1; i++)
      wide[2 + 2 * i + (size_t)big] = plain[i];
    graph = read_bytes("net.graphml", wide, 2 * sizeof plain);
    same_path(graph);
    ms_graph_free(graph);
  }
}
END_TEST

/* Colours are the lines of a node's data, without blanks around them, CDATA and entities resolved;
 * data of ports, edges and other keys do not count: six vertices. */
START_TEST(colors)
{
  ms_graph *graph = read_text(
      HEAD
      "<key id=\"w\" for=\"edge\" attr.name=\"color\"/>" KEY "<graph>\n"
      "<node id=\"a\"><data key=\"d0\">red</data><data key=\"w\">no</data></node>"
      "<node id=\"b\"><data key=\"d0\">\n    blue, or not \r\n\n  DNA &lt;x&gt;\n </data></node>"
      "<node id=\"c\"><data key=\"d0\"><![CDATA[<&]]>amp;<i>skipped<data key=\"d0\">no</data>"
      "</i>!</data></node>"
      "<node id=\"d\"><data key=\"d0\"/></node><node id=\"e\"/>"
      "<node id=\"f\"><port name=\"p\"><data key=\"d0\">no</data></port></node>"
      "<edge source=\"a\" target=\"b\"><data key=\"d0\">no</data><data key=\"w\">no</data>"
      "</edge>" TAIL);
  has_colors(graph, "a", COLORS("red"));
  has_colors(graph, "b", COLORS("blue, or not", "DNA <x>"));
  has_colors(graph, "c", COLORS("<&amp;!"));
  has_colors(graph, "d", NO_COLORS);
  has_colors(graph, "e", NO_COLORS);
  has_colors(graph, "f", NO_COLORS);
  ms_graph_free(graph);
}
END_TEST

/* The default of the key colours a node without data of its own, and empty data means no colour:
 * three vertices. */
START_TEST(color_defaults)
{
  ms_graph *graph = read_text(
      HEAD
      "<key id=\"k\" attr.name=\"colour\"><desc>x</desc><default>\n green\nred </default></key>"
      "<key id=\"l\" for=\"node\" attr.name=\"label\"><default>no</default></key>"
      "<graph><edge source=\"b\" target=\"a\"/><node id=\"a\"><data key=\"k\">blue</data></node>"
      "<node id=\"b\"><data key=\"l\">x</data></node><node id=\"c\"><data key=\"k\"/></node>" TAIL);
  has_colors(graph, "a", COLORS("blue"));
  has_colors(graph, "b", COLORS("green", "red"));
  has_colors(graph, "c", NO_COLORS);
  ms_graph_free(graph);
}
END_TEST

/* The format is detected by its root element or its ending, and other XML and text is not taken for
 * it: nine files. */
START_TEST(detection)
{
  static const struct {
    const char *name, *text;
    bool is;
  } cases[] = {
      {"net.xml", "<graphml><graph><node id=\"a\"/>" TAIL, true},
      {"net.txt", " \n<?xml version=\"1.0\"?>\n<x:graphml/>\n", true},
      {"net.txt", "\xEF\xBB\xBF<graphml/>", true},
      {"net.graphml", "<svg/>", true},
      {"net.graphml", "\xFF\xFE<", true},
      {"net.txt", "<svg/>", false},
      {"net.txt", "graphml <graphml\n", false},
      {"net.graphml", "a b\n", false},
      {"net.graphml", "", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = NULL;
    const char *path = files_write(cases[i].name, cases[i].text, strlen(cases[i].text));
    ms_status status = ms_graph_read(path, NULL, &graph, &err);
    bool is = graph ? strcmp(ms_graph_format_describe(ms_graph_describe(graph).format).name,
                             "graphml") == 0
                    : (strstr(err.message, "XML") && !strstr(err.message, "other than GraphML")) ||
                          strstr(err.message, "holds no graph with a node") ||
                          strstr(err.message, "<graphml");
    ck_assert_msg(is == cases[i].is, "case %zu: status %d, %s", i, (int)status, err.message);
    ms_graph_free(graph);
  }
}
END_TEST

/* A file of 60,000 vertices, with a tag across each border of the parser's slices, is read
 * whole. */
START_TEST(large_file)
{
  enum { N = 60000 };
  char *text = malloc((size_t)N * 90 + 1000), *to = stpcpy(text, HEAD "<graph>\n");
  for (int v = 0; v < N; v++)
    to += sprintf(to, "<node id=\"n%d\"/>\n<edge source=\"n%d\" target=\"n%d\"/>\n", v, v,
                  (v + 1) % N);
  strcpy(to, TAIL);
  ms_graph *graph = read_text(text);
  ck_assert_uint_eq(ms_graph_vertex_count(graph), N);
  ck_assert_uint_eq(ms_graph_edge_count(graph), N);
  ck_assert_uint_eq(ms_graph_describe(graph).max_degree, 2);
  ck_assert_uint_eq(ms_graph_describe(graph).lines, 2 * N + 3);
  ms_graph_free(graph);
  free(text);
}
END_TEST

/* ---- damage ---------------------------------------------------------------- */

/* Any mechanical damage (malform.h) of a file with keys, defaults and entities is refused or gives
 * a valid graph. */
START_TEST(survives_damage)
{
  static const char good[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" HEAD
      "<key id=\"d0\" for=\"node\" attr.name=\"color\">\n<default>red</default></key>\n"
      "<graph edgedefault=\"undirected\">\n<node id=\"a\"><data "
      "key=\"d0\">blue\nred</data></node>\n"
      "<node id=\"&amp;\"/>\n<edge source=\"a\" target=\"&#38;\"/>\n"
      "<!-- x --><edge source=\"b\" target=\"a\"/><node id=\"b\"/>\n" TAIL;
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_GRAPHML, .run.memory = SMALL};
  malform_damage("net.graphml", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

#define LAUGHS                                                                                     \
  "<?xml version=\"1.0\"?>\n<!DOCTYPE graphml [\n<!ENTITY a \"ha\">\n<!ENTITY b \"&a;&a;&a;\">\n"  \
  "<!ENTITY c \"&b;&b;&b;\">]>\n"

/* Each of 46 malformed files, entity bombs and external entities among them, is refused with its
 * line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 1, "not well-formed XML (no element found)"),
      MALFORM("a b\n", 1, "not well-formed XML (syntax error)"),
      MALFORM("<html/>", 1, "the outermost element is not <graphml>"),
      MALFORM("\n<x:graphml xmlns:x=\"http://x/\"/>", 2, "the outermost element is not <graphml>"),
      MALFORM("<x:graphml/>", 1, "unbound prefix"),
      MALFORM(HEAD "</graphml>\n", 2, "holds no graph with a node"),
      MALFORM(HEAD "<graph>\n" TAIL, 3, "holds no graph with a node"),
      MALFORM(HEAD "<graph>\n<node id=\"a\">\n", 4, "no element found"),
      MALFORM(HEAD "<graph>\n<node id=\"a\"></edge>" TAIL, 3, "mismatched tag"),
      MALFORM(HEAD "<graph>\n<node id=\"a\" id=\"b\"/>" TAIL, 3, "duplicate attribute"),
      MALFORM(HEAD "<graph>\n<node id=a/>" TAIL, 3, "not well-formed"),
      MALFORM(HEAD "<graph><node id=\"a\"/>" TAIL "<x/>", 3, "junk after document element"),
      MALFORM(HEAD "<graph><node id=\"a\0\"/>" TAIL, 2, "invalid token"),
      MALFORM(HEAD "<graph><node id=\"\xE9\"/>" TAIL, 2, "invalid token"),
      MALFORM("<?xml version=\"1.0\" encoding=\"windows-1252\"?><graphml/>", 1,
              "convert the file to UTF-8"),
      MALFORM("<?xml version=\"1.0\" encoding=\"UTF-16\"?><graphml/>", 1,
              "convert the file to UTF-8"),
      MALFORM("\xFF\xFE<\0g\0", 1, "not well-formed XML"),
      MALFORM(HEAD "<graph>\n<node/>" TAIL, 3, "<node> has no attribute 'id'"),
      MALFORM(HEAD "<graph>\n<node id=\"\"/>" TAIL, 3, "the vertex name is empty"),
      MALFORM(HEAD "<graph>\n<node id=\"a&#10;b\"/>" TAIL, 3, "holds a control character"),
      MALFORM(HEAD "<graph>\n<node id=\"a\"/>\n<node id=\"a\"/>" TAIL, 4,
              "a second node with the id 'a'"),
      MALFORM(HEAD "<graph>\n<node id=\"a\"/><edge source=\"a\"/>" TAIL, 3,
              "<edge> has no attribute 'target'"),
      MALFORM(HEAD "<graph>\n<node id=\"a\"/>\n<edge target=\"a\"/>" TAIL, 4,
              "<edge> has no attribute 'source'"),
      MALFORM(HEAD "<graph>\n<node id=\"a\"/>\n<edge source=\"a\" target=\"b\"/>\n"
                   "<edge source=\"c\" target=\"b\"/>" TAIL,
              4, "names the node 'b', which is not declared"),
      MALFORM(HEAD "<graph>\n<node id=\"a\"><graph/></node>" TAIL, 3, "a graph inside a node"),
      MALFORM(HEAD "<graph>\n<edge source=\"a\" target=\"a\"><graph/></edge>" TAIL, 3,
              "a graph inside a node"),
      MALFORM(HEAD "<graph>\n<hyperedge/>" TAIL, 3, "hyperedges are not read"),
      MALFORM(HEAD "<graph>\n<locator/>" TAIL, 3, "in another file"),
      MALFORM(HEAD "<graph>\n<node id=\"a\"><locator/></node>" TAIL, 3, "in another file"),
      MALFORM(HEAD "<graph><node id=\"a\"/></graph>\n<graph/></graphml>", 3, "a second <graph>"),
      MALFORM(HEAD KEY "<key id=\"d1\" attr.name=\"colour\"/>", 3, "a second <key>"),
      MALFORM(HEAD "<key for=\"node\" attr.name=\"color\"/>", 2, "<key> has no attribute 'id'"),
      MALFORM(HEAD "<key id=\"k\" attr.name=\"color\">\n<default>x</default><default/></key>", 3,
              "a second <default>"),
      MALFORM(HEAD "<graph/>\n" KEY, 3, "follows the graph"),
      MALFORM(HEAD KEY "<graph><node id=\"a\"><data key=\"d0\">x</data>\n<data key=\"d0\"/>", 4,
              "a second <data> with the node's colours"),
      MALFORM(HEAD KEY "<graph>\n<node id=\"a\"><data>x</data></node>" TAIL, 4,
              "<data> has no attribute 'key'"),
      MALFORM(HEAD KEY "<graph>\n<node id=\"a\"><data key=\"d0\">x&#9;y</data></node>" TAIL, 4,
              "the colour holds a control character"),
      MALFORM(LAUGHS "<graphml><graph><node id=\"&c;\"/>" TAIL, 2,
              "the document type contains definitions"),
      MALFORM("<!DOCTYPE graphml [<!ENTITY x SYSTEM \"/etc/passwd\">]>\n<graphml><graph>"
              "<node id=\"a\">&x;</node>" TAIL,
              1, "the document type contains definitions"),
      MALFORM("<!DOCTYPE graphml [<!ENTITY % x SYSTEM \"/etc/passwd\"> %x;]>\n<graphml/>", 1,
              "the document type contains definitions"),
      MALFORM("<!DOCTYPE graphml [<!ATTLIST node id CDATA \"a\">]>\n<graphml/>", 1,
              "the document type contains definitions"),
      MALFORM("<!DOCTYPE graphml [ ]>\n<graphml/>", 1, "the document type contains definitions"),
      MALFORM("<graphml><graph>\n<node id=\"a&x;\"/>" TAIL, 2, "undefined entity"),
      MALFORM("<!DOCTYPE graphml SYSTEM \"g.dtd\">\n<graphml><graph>\n<node id=\"a&x;\"/>" TAIL, 3,
              "an entity that XML does not define"),
      MALFORM("<!DOCTYPE graphml SYSTEM \"g.dtd\">\n<graphml><graph>\n<edge source=\"&lt;\"\n "
              "target=\"&quote;\"/>" TAIL,
              3, "an entity that XML does not define"),
      MALFORM("<!DOCTYPE graphml SYSTEM \"g.dtd\">\n<graphml>" KEY "<graph>\n<node id=\"a\">"
              "<data key=\"d0\">a&x;</data></node>" TAIL,
              4, "an entity that XML does not define"),
  };
  ms_graph_options options = {
      .size = sizeof(ms_graph_options), .format = MS_FORMAT_GRAPHML, .run.memory = SMALL};
  malform_refuses("net.graphml", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* ---- attacks --------------------------------------------------------------- */

static void refuses_repeated(const char *start, const char *part, size_t count, const char *message)
{
  size_t size = strlen(part);
  char *text = malloc(strlen(start) + count * size + 1), *to = stpcpy(text, start);
  ms_graph *graph;
  for (size_t i = 0; i < count; i++)
    to = stpcpy(to, part);
  const char *path = files_write("net.graphml", text, (size_t)(to - text));
  ck_assert_int_eq(ms_graph_read(path, NULL, &graph, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, message), "%s", err.message);
  free(text);
}

/* A million nested elements, and 300 nested graphs, are refused. */
START_TEST(deep_nesting)
{
  refuses_repeated("<graphml>", "<a>", 1000000, "nested more than 256 deep");
  refuses_repeated("<graphml>", "<graph>", 300, "nested more than 256 deep");
}
END_TEST

/* A token of 32 MiB is refused in a comment or a tag; memory_stays_small has one in an attribute,
 * and text, which comes in pieces and may be of any length. */
START_TEST(endless_tokens)
{
  refuses_repeated("<graphml><!--", "0123456789abcdef", (size_t)2 << 20, "longer than 16 MiB");
  refuses_repeated("<graphml", "                ", (size_t)2 << 20, "longer than 16 MiB");
}
END_TEST

/* Three hostile files of up to 64 MiB take less than 128 MiB, and leave no block. */
START_TEST(memory_stays_small)
{
  meter m = {0};
  meter_start(&m);
  refuses_repeated("<graphml a=\"", "0123456789abcdef", (size_t)4 << 20, "longer than 16 MiB");
  refuses_repeated("<graphml><graph><node id=\"a\"/><desc>", "0123456789abcdef", (size_t)4 << 20,
                   "no element found");
  refuses_repeated("<graphml><graph><node id=\"a\"/>", "<n a='b'><c>d</c></n>", 1000000,
                   "no element found");
  meter_stop();
  ck_assert_uint_eq(m.live, 0);
  ck_assert_msg(m.most_bytes < (size_t)128 << 20, "%zu bytes", (size_t)m.most_bytes);
}
END_TEST

/* Whichever allocation fails while a coloured graph is read, the reader reports it and leaks no
 * block. */
START_TEST(memory_runs_out)
{
  static const char text[] =
      HEAD KEY "<graph><edge source=\"b\" target=\"a\"/><node id=\"a\"><data key=\"d0\">red\n"
               "blue</data></node><node id=\"b\"/>" TAIL;
  failing_graph_reads(files_write("net.graphml", text, sizeof text - 1), NULL);
}
END_TEST

/* ---- writing --------------------------------------------------------------- */

/* A coloured graph of two vertices, with names that need escapes, has exactly the expected bytes
 * and is read back as it was. */
START_TEST(writes)
{
  static const char expected[] =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"" SPACE "\"\n"
      "         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
      "         xsi:schemaLocation=\"" SPACE "\n"
      "                             " SPACE "/1.0/graphml.xsd\">\n"
      "  <key id=\"color\" for=\"node\" attr.name=\"color\" attr.type=\"string\"/>\n"
      "  <graph edgedefault=\"undirected\">\n"
      "    <node id=\"&lt;a&gt; &amp; &quot;b&quot; 'c'\"><data key=\"color\">x &lt; y\n"
      "red</data></node>\n"
      "    <node id=\" \xC3\xA9 \"/>\n"
      "    <edge source=\"&lt;a&gt; &amp; &quot;b&quot; 'c'\" target=\" \xC3\xA9 \"/>\n"
      "  </graph>\n"
      "</graphml>\n";
  static const uint32_t edges[][2] = {{0, 1}}, pairs[][2] = {{0, 1}, {0, 0}};
  static const char *const names[] = {"<a> & \"b\" 'c'", " \xC3\xA9 "};
  static const char *const color_names[] = {"x < y", "red"};
  ms_graph *graph;
  ms_coloring *coloring;
  char bytes[2000] = "";
  ck_assert_int_eq(ms_graph_from_edges(2, 1, edges, names, &graph, &err), MS_OK);
  ck_assert_int_eq(ms_coloring_from_pairs(graph, 2, pairs, 2, color_names, &coloring, &err), MS_OK);
  const char *path = files_path("out.graphml");
  ck_assert_int_eq(ms_graph_write(graph, coloring, MS_FORMAT_GRAPHML, path, &err), MS_OK);
  FILE *in = fopen(path, "rb");
  size_t size = fread(bytes, 1, sizeof bytes, in);
  fclose(in);
  ck_assert_str_eq(bytes, expected);
  ck_assert_uint_eq(size, sizeof expected - 1);
  ms_graph *again = read_bytes("again.graphml", bytes, size);
  ck_assert_str_eq(ms_graph_name(again, 1), names[1]);
  has_colors(again, names[0], COLORS("x < y", "red"));
  ms_graph_free(again);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* Names and colours that XML cannot hold, or that readers would trim, are refused: two names and
 * three colours. */
START_TEST(what_cannot_be_written)
{
  static const uint32_t pairs[][2] = {{0, 0}};
  static const char *const good[] = {"a"};
  static const char *const bad_names[] = {"a\xEF\xBF\xBF", "\xEF\xBF\xBE"};
  static const char *const bad_colors[][1] = {{" red"}, {"red "}, {"\xEF\xBF\xBE"}};
  const char *path = files_path("never.graphml");
  ms_graph *graph;
  for (int i = 0; i < 2; i++) {
    ck_assert_int_eq(ms_graph_from_edges(1, 0, NULL, &bad_names[i], &graph, &err), MS_OK);
    ck_assert_int_eq(ms_graph_write(graph, NULL, MS_FORMAT_GRAPHML, path, &err), MS_ERR_USAGE);
    ck_assert_msg(strstr(err.message, "U+FFFF"), "%s", err.message);
    ms_graph_free(graph);
  }
  ck_assert_int_eq(ms_graph_from_edges(1, 0, NULL, good, &graph, &err), MS_OK);
  for (int i = 0; i < 3; i++) {
    ms_coloring *coloring;
    ck_assert_int_eq(ms_coloring_from_pairs(graph, 1, pairs, 1, bad_colors[i], &coloring, &err),
                     MS_OK);
    ck_assert_int_eq(ms_graph_write(graph, coloring, MS_FORMAT_GRAPHML, path, &err), MS_ERR_USAGE);
    ck_assert_msg(strstr(err.message, i < 2 ? "a blank" : "U+FFFE"), "%s", err.message);
    ms_coloring_free(coloring);
  }
  ms_graph_free(graph);
}
END_TEST

/* A graph with and without colour lists is written and read back as it was: one vertex, and 19
 * random graphs of up to 40. */
START_TEST(round_trips)
{
  static const char *const all[] = {"red", "DNA binding, \"any\"", "<&>", "\xC3\xA9"};
  uint64_t state = (uint64_t)_i + 300;
  adjacency a = {.n = 1};
  ms_coloring *coloring;
  uint32_t pairs[ADJACENCY_MAX * 4][2], count = 0;
  if (_i > 0)
    adjacency_random(&a, &state);
  ms_graph *graph = adjacency_graph(&a);
  for (uint32_t v = 0; v < a.n; v++)
    for (uint32_t c = 0; c < 4; c++)
      if (random_next(&state) % 3 == 0 || (v == 0 && c == 0)) {
        pairs[count][0] = v;
        pairs[count++][1] = c;
      }
  ck_assert_int_eq(
      ms_coloring_from_pairs(graph, count, (const uint32_t(*)[2])pairs, 4, all, &coloring, &err),
      MS_OK);
  malform_round_trip("net.graphml", graph, coloring, MS_FORMAT_GRAPHML);
  malform_round_trip("net.graphml", graph, NULL, MS_FORMAT_GRAPHML);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

/* Six names with blanks, quotes, brackets and other marks of XML are written and read back as they
 * were. */
START_TEST(names_round_trip)
{
  static const uint32_t edges[][2] = {{0, 1}, {1, 2}, {4, 2}, {5, 0}};
  static const char *const names[] = {"a b", "c,d", "\xC3\xA9", "alone", "\"q\" <&> 'r'", "]]>"};
  ms_graph *graph;
  ck_assert_int_eq(ms_graph_from_edges(6, 4, edges, names, &graph, &err), MS_OK);
  malform_round_trip("net.graphml", graph, NULL, MS_FORMAT_GRAPHML);
  ms_graph_free(graph);
}
END_TEST

/* A yeast network with the GO slim terms of its proteins is written and read back as it was. */
START_TEST(real_proteins)
{
  const char *terms = files_data("yeast/go_slim_mapping.tab.gz");
  const char *network = files_data("yeast/Collins2007.txt.gz");
  ms_graph *graph;
  ms_coloring *coloring;
  if (!terms || !network) {
    printf("SKIPPED: format: graphml: no Collins2007.txt.gz and go_slim_mapping.tab.gz\n");
    return;
  }
  ck_assert_int_eq(ms_graph_read(network, NULL, &graph, &err), MS_OK);
  ms_color_options options = {.size = sizeof(ms_color_options), .format = MS_COLORS_GO_SLIM};
  ck_assert_msg(ms_coloring_read(terms, graph, &options, &coloring, &err) == MS_OK, "%s",
                err.message);
  malform_round_trip("yeast.graphml", graph, coloring, MS_FORMAT_GRAPHML);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
}
END_TEST

TEST_MAIN("format: graphml", TEST(forms), TEST(counts), TEST(lines_are_counted), TEST(encodings),
          TEST(colors), TEST(color_defaults), TEST(detection), TEST(large_file),
          TEST(survives_damage), TEST(refuses), TEST(deep_nesting), TEST(endless_tokens),
          TEST(memory_stays_small), TEST(memory_runs_out), TEST(writes),
          TEST(what_cannot_be_written), TEST_TIMES(round_trips, 20), TEST(names_round_trip),
          TEST(real_proteins))
