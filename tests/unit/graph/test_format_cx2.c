/* CX2 (graph/formats/cx2.c, graph/io/json.c): what is read and refused. */
#include "tests/support/allocations.h"
#include "tests/support/files.h"
#include "tests/support/graphs/adjacency.h"
#include "tests/support/random.h"
#include "tests/support/results/malform.h"
#include "tests/support/test_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "[{\"CXVersion\":\"2.0\",\"hasFragments\":false},\n"
#define NAMES "{\"attributeDeclarations\":[{\"nodes\":{\"name\":{\"d\":\"string\"}}}]},\n"
#define TAIL "{\"status\":[{\"success\":true}]}]\n"

static ms_error err;

static ms_graph *read_with(const char *text, const ms_graph_options *options)
{
  ms_graph *graph;
  ck_assert_msg(ms_graph_read(files_write_text("net.cx2", text), options, &graph, &err) == MS_OK,
                "%s in %.300s", err.message, text);
  ck_assert_str_eq(ms_graph_format_describe(ms_graph_describe(graph).format).name, "cx2");
  return graph;
}

/* Returns the colours of all vertices, "NAME:COLOUR,COLOUR;" in the order of the graph. */
static const char *colors_of(const ms_graph *graph)
{
  static char text[400];
  ms_coloring *coloring;
  char *to = text;
  *to = '\0';
  if (!ms_graph_describe(graph).colored)
    return "none";
  ck_assert_int_eq(ms_coloring_from_graph(graph, &coloring, &err), MS_OK);
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    to += sprintf(to, "%s:", ms_graph_name(graph, v));
    for (uint32_t i = 0; i < count; i++)
      to += sprintf(to, "%s%s", i ? "," : "", ms_coloring_name(coloring, color[i]));
    to = stpcpy(to, ";");
  }
  ms_coloring_free(coloring);
  return text;
}

/* ---- reading --------------------------------------------------------------- */

/* The path a - b - c is read from each of eight spellings: aspects in pieces and in other orders,
 * white space, a byte order mark, an alias of the name, other aspects with brackets in strings. */
START_TEST(forms)
{
#define NODES                                                                                      \
  "{\"nodes\":[{\"id\":7,\"v\":{\"name\":\"a\"}},{\"id\":-1,\"v\":{\"name\":\"b\"}},"              \
  "{\"id\":0,\"v\":{\"name\":\"c\"}}]},\n"
#define EDGES "{\"edges\":[{\"id\":0,\"s\":7,\"t\":-1},{\"id\":1,\"s\":0,\"t\":-1}]},\n"
  static const char *const texts[] = {
      HEAD NAMES NODES EDGES TAIL,
      HEAD NAMES EDGES NODES TAIL,
      HEAD NAMES NODES EDGES "{}]",
      "\xEF\xBB\xBF \n" HEAD NAMES NODES EDGES TAIL "\n\n",
      HEAD NAMES
      "{\"visualProperties\":[{\"a\":\"]}{[\\\"\\\\\",\"b\":[[1,-2.5e3],{}]}], \"x\" : 1,"
      "\"y\":null , \"z\":\"\" }," NODES EDGES TAIL,
      "[ { \"CXVersion\" : \"2.1\" } , { \"attributeDeclarations\" : [ { \"nodes\" : { \"name\" : {"
      "\"a\" : \"n\" } } } ] } , { \"nodes\" : [ { \"id\" : 1 , \"v\" : { \"n\" : \"a\" } } ] , "
      "\"edges\" : [ ] } , { \"nodes\" : [ { \"v\" : { \"n\" : \"b\" } , \"id\" : 2 } , "
      "{\"id\":3,\"v\":{\"n\":\"c\"}} ] } , { \"edges\":[{\"s\":1,\"t\":2}] },"
      "{\"edges\":[{\"s\":2,\"t\":3}]}]",
      HEAD "{\"attributeDeclarations\":[{\"nodes\":{\"shared name\":{}}},{\"edges\":{}},{}]},"
           "{\"nodes\":[{\"id\":1,\"v\":{\"shared name\":\"\\u0061\"}},"
           "{\"id\":2,\"v\":{\"shared name\":\"b\"}},{\"id\":3,\"v\":{\"shared name\":\" c \"}}]},"
           "{\"edges\":[{\"s\":3,\"t\":2},{\"s\":2,\"t\":3},{\"s\":2,\"t\":2},{\"s\":1,\"t\":2}]}]",
      HEAD "{\"attributeDeclarations\":[{\"nodes\":{\"name\":{\"d\":\"integer\"},\"id\":{}}}]},"
           "{\"nodes\":[{\"id\":0,\"v\":{\"name\":1,\"id\":\"a\"}},{\"id\":1,\"v\":{\"name\":1,"
           "\"id\":\"b\"}},{\"id\":2,\"v\":{\"id\":\"c\"}}]},"
           "{\"edges\":[{\"s\":0,\"t\":1},{\"s\":1,\"t\":2}]}," TAIL,
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    bool ids = i == 7; /* of the names, two are alike and one is missing: the ids remain */
    uint32_t degree;
    ms_graph *graph = read_with(texts[i], NULL);
    ck_assert_uint_eq(ms_graph_vertex_count(graph), 3);
    ck_assert_uint_eq(ms_graph_edge_count(graph), 2);
    uint32_t b = ms_graph_find(graph, ids ? "1" : "b");
    ck_assert_msg(b != UINT32_MAX && ms_graph_find(graph, ids ? "0" : "a") != UINT32_MAX &&
                      ms_graph_find(graph, ids ? "2" : "c") != UINT32_MAX,
                  "case %zu", i);
    ms_graph_neighbors(graph, b, &degree);
    ck_assert_uint_eq(degree, 2);
    ck_assert_int_eq(ms_graph_describe(graph).layout.ids_kept, ids);
    ms_graph_free(graph);
  }
}
END_TEST

#define COLORED                                                                                    \
  HEAD "{\"attributeDeclarations\":[{\"nodes\":{\"colors\":{\"d\":\"list_of_string\",\"a\":\"c\"," \
       "\"v\":[\"x\",\"y\"]},\"cluster\":{\"d\":\"integer\"},\"go\":{\"v\":\"P\"},\"on\":{}}}]},"  \
       "{\"nodes\":[{\"id\":1,\"v\":{\"c\":[\"red\",\"dark blue\"],\"cluster\":3,\"on\":true}},"   \
       "{\"id\":2,\"v\":{\"c\":[],\"go\":\"F\\nC\\n\"}},{\"id\":3,\"v\":{\"cluster\":-3}}]}]"

/* Colours come from a list, a text of lines, a number or a default, by an alias of the attribute;
 * `color_attribute` chooses another attribute, or none: five choices. */
START_TEST(colors)
{
  static const char *const cases[][2] = {{NULL, "1:red,dark blue;2:;3:x,y;"},
                                         {"cluster", "1:3;2:;3:-3;"},
                                         {"go", "1:P;2:F,C;3:P;"},
                                         {"on", "1:true;2:;3:;"},
                                         {"none", "none"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph_options options = {.size = sizeof(ms_graph_options), .color_attribute = cases[i][0]};
    ms_graph *graph = read_with(COLORED, &options);
    ck_assert_str_eq(colors_of(graph), cases[i][1]);
    ms_graph_free(graph);
  }
}
END_TEST

#define TYPED                                                                                      \
  HEAD "{\"attributeDeclarations\":[{\"nodes\":{\"name\":{},\"type\":{}},\"edges\":{\"weight\":{}" \
       ",\"interaction\":{\"a\":\"i\",\"v\":\"%s\"},\"directed\":{\"d\":\"boolean\"}}}]},"         \
       "{\"nodes\":[{\"id\":1,\"v\":{\"name\":\"a\",\"type\":\"Gene\"}},"                          \
       "{\"id\":2,\"v\":{\"name\":\"b\",\"type\":\"Disease\"}},{\"id\":3,\"v\":{\"name\":\"c\"}}"  \
       "]},{\"edges\":[{\"s\":1,\"t\":2,\"v\":{\"i\":\"%s\",\"weight\":0.5}},"                     \
       "{\"s\":2,\"t\":3,\"v\":{\"directed\":false}}]}]"

/* Labels of edges and the types of vertices make a typed graph, in which an edge points from s to t
 * or, where it says so, both ways.  "interacts with" alone is no label. */
START_TEST(types)
{
  char text[2000];
  ms_typed *typed;
  ms_typed_options options = {.size = sizeof(ms_typed_options), .directed = true};
  snprintf(text, sizeof text, TYPED, "interacts with", "binds");
  const char *path = files_write_text("net.cx2", text);
  ck_assert_msg(ms_typed_read(path, &options, &typed, &err) == MS_OK, "%s", err.message);
  ms_typed_info info = ms_typed_describe(typed);
  ck_assert_int_eq(info.format, MS_TYPED_CX2);
  ck_assert_uint_eq(info.edges, 3); /* of them one pair that points both ways */
  ck_assert_uint_eq(info.untyped, 1);
  ck_assert_str_eq(ms_typed_vertex_type_name(typed, ms_typed_vertex_type(typed, 0)), "Gene");
  ck_assert_uint_ne(ms_typed_find_arc_type(typed, "binds"), UINT32_MAX);
  ck_assert_uint_ne(ms_typed_find_arc_type(typed, "interacts with"), UINT32_MAX);
  ms_typed_free(typed);
  options.type_column = "weight";
  ck_assert_int_eq(ms_typed_read(path, &options, &typed, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "'weight' is neither a text"), "%s", err.message);
  snprintf(text, sizeof text, TYPED, "interacts with", "interacts with");
  files_write_text("net.cx2", text);
  options.type_column = NULL;
  ck_assert_msg(ms_typed_read(path, &options, &typed, &err) == MS_OK, "%s", err.message);
  ck_assert_int_eq(ms_typed_describe(typed).format, MS_TYPED_AUTO); /* from a plain graph */
  ms_typed_free(typed);
  options.type_column = "interaction";
  ck_assert_msg(ms_typed_read(path, &options, &typed, &err) == MS_OK, "%s", err.message);
  ck_assert_uint_ne(ms_typed_find_arc_type(typed, "interacts with"), UINT32_MAX);
  ms_typed_free(typed);
}
END_TEST

/* Twenty random graphs of up to 40 vertices, written here with white space at random and in pieces,
 * are read as they are. */
START_TEST(random_graphs)
{
  static char text[200000];
  static const char *const blanks[] = {"", " ", "\n", "\t\r\n "};
  uint64_t state = (uint64_t)_i + 500;
  adjacency a;
  adjacency_random(&a, &state);
  char *to = stpcpy(text, "[{\"CXVersion\":\"2.0\"}");
  for (uint32_t v = 0; v < a.n; v++)
    to += sprintf(to, "%s%s{\"id\":%u%s}",
                  v % 5 ? ","
                  : v   ? "]},{\"nodes\":["
                        : ",{\"nodes\":[",
                  blanks[random_next(&state) % 4], v, blanks[random_next(&state) % 4]);
  to = stpcpy(to, "]},{\"edges\":[");
  uint64_t edges = 0;
  for (uint32_t u = 0; u < a.n; u++)
    for (uint32_t v = 0; v < u; v++)
      if (a.edge[u][v])
        to += sprintf(to, "%s%s{\"s\":%u,%s\"t\":%u}", edges++ ? "," : "",
                      blanks[random_next(&state) % 4], u, blanks[random_next(&state) % 4], v);
  strcpy(to, "]}]");
  ms_graph *graph = read_with(text, NULL);
  adjacency_same(&a, graph, 0);
  ms_graph_free(graph);
}
END_TEST

/* ---- damage ---------------------------------------------------------------- */

/* Any mechanical damage (malform.h) of a file with aliases, defaults, colours and labels is refused
 * or gives a valid graph. */
START_TEST(survives_damage)
{
  static const char good[] = HEAD
      "{\"attributeDeclarations\":[{\"nodes\":{\"name\":{\"a\":\"n\"},\"color\":\n"
      "{\"v\":\"red\"}},\"edges\":{\"type\":{}}}]},\n{\"nodes\":[{\"id\":1,\"v\":{\"n\":\"a\"}},\n"
      "{\"id\":2,\"v\":{\"n\":\"b\",\"color\":[\"x\",true]}}]},\n"
      "{\"edges\":[{\"s\":1,\"t\":2,\"v\":{\"type\":\"r\"}}]},\n" TAIL;
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_CX2};
  malform_damage("net.cx2", good, sizeof good - 1, malform_read_graph, &options);
}
END_TEST

/* Each of 31 malformed files is refused with its line and reason. */
START_TEST(refuses)
{
  static const malform_case cases[] = {
      MALFORM("", 1, "the file ends inside its JSON"),
      MALFORM("{}", 1, "'{' is not what an array of objects has here"),
      MALFORM("[", 1, "the file ends inside its JSON"),
      MALFORM("[]", 1, "holds no graph with a node"),
      MALFORM(HEAD "]", 2, "']' is not what an array of objects has here"),
      MALFORM("[{} {}]", 1, "'{' is not what"),
      MALFORM("[{1:2}]", 1, "'1' is not what"),
      MALFORM("[{\"a\" 2}]", 1, "'2' is not what"),
      MALFORM("[{\"a\":}]", 1, "'}' is not what"),
      MALFORM("[{\"a\":[1,]}]", 1, "']' is not what"),
      MALFORM("[{\"a\":[1 2]}]", 1, "'2' is not what"),
      MALFORM("[{\"a\":1,}]", 1, "'}' is not what"),
      MALFORM("[]\n[", 2, "something follows the end of the JSON"),
      MALFORM("[{\"a\":[\0]}]", 1, "holds a NUL byte"),
      MALFORM("[{\"\\x\":1}]", 1, "no JSON: invalid escape"),
      MALFORM("[{\"\xFF\":1}]", 1, "no JSON: "),
      MALFORM("[{\"nodes\":[{\"id\":1}]}]", 1, "'nodes' comes before the version of CX"),
      MALFORM("[{\"CXVersion\":\"1.0\"}]", 1, "the version of CX is not 2"),
      MALFORM("[{\"CXVersion\":2}]", 1, "the version of CX is not 2"),
      MALFORM(HEAD "{\"nodes\":[\n{\"id\":\n1,}]}]", 4, "no JSON: string or '}' expected near '}'"),
      MALFORM(HEAD "{\"nodes\":[\n{\"id\":1,\"id\":2}]}]", 3, "no JSON: duplicate object key"),
      MALFORM(HEAD "{\"nodes\":[7]}]", 2, "an element of 'nodes' is no object"),
      MALFORM(HEAD "{\"nodes\":[{\"name\":\"a\"}]}]", 2, "a node has no whole number 'id'"),
      MALFORM(HEAD "{\"nodes\":[{\"id\":\"1\"}]}]", 2, "a node has no whole number 'id'"),
      MALFORM(HEAD "{\"nodes\":[{\"id\":1},\n{\"id\":1}]}]", 3, "a second node with the id '1'"),
      MALFORM(HEAD "{\"nodes\":[{\"id\":1}]},{\"edges\":[\n{\"s\":1}]}]", 3,
              "an edge has no whole number 't'"),
      MALFORM(HEAD "{\"nodes\":[{\"id\":1}]},{\"edges\":[\n{\"s\":1,\"t\":2}]}]", 3,
              "the edge names the node '2', which is not declared"),
      MALFORM(HEAD "{\"nodes\":[{\"id\":1}]},\n" NAMES "{}]", 3,
              "the declarations of attributes follow nodes"),
      MALFORM(HEAD "{\"attributeDeclarations\":[{\"nodes\":{\"color\":{},\n\"colors\":{}}}]}]", 2,
              "'color' and 'colors' of nodes may both hold colours"),
      MALFORM(HEAD
              "{\"attributeDeclarations\":[{\"nodes\":{\"color\":{}}}]},\n{\"nodes\":[{\"id\":1,"
              "\"v\":{\"color\":0.5}}]}]",
              3, "'color' is neither a text nor a whole number"),
      MALFORM(HEAD
              "{\"nodes\":[{\"id\":1}]},\n{\"status\":[{\"success\":false,\"error\":\"disk\"}]}]",
              3, "says that it failed: disk; export it again"),
  };
  ms_graph_options options = {.size = sizeof(ms_graph_options), .format = MS_FORMAT_CX2};
  malform_refuses("net.cx2", cases, sizeof cases / sizeof *cases, malform_read_graph, &options);
}
END_TEST

/* Attributes that are chosen and missing are refused, and so is their choice for a format without
 * attributes. */
START_TEST(missing_attributes)
{
  ms_graph *graph;
  ms_graph_options options = {.size = sizeof(ms_graph_options), .color_attribute = "nix"};
  const char *path = files_write_text("net.cx2", COLORED);
  ck_assert_int_eq(ms_graph_read(path, &options, &graph, &err), MS_ERR_INPUT);
  ck_assert_msg(strstr(err.message, "no attribute of nodes is called 'nix'"), "%s", err.message);
  path = files_write_text("net.txt", "a b\n");
  ck_assert_int_eq(ms_graph_read(path, &options, &graph, &err), MS_ERR_USAGE);
  ck_assert_msg(strstr(err.message, "this is not a GraphML or CX2 file"), "%s", err.message);
}
END_TEST

/* ---- limits -------------------------------------------------------------------- */

/* Elements that are longer than 4 MiB or nested a million deep are refused, in little memory; an
 * aspect that is not read may be of any size. */
START_TEST(hostile_files)
{
  enum { SIZE = 8 << 20 };
  static const struct {
    const char *begin, *part, *end, *message;
  } cases[] = {
      {HEAD "{\"nodes\":[{\"v\":[", "1,", "1]}]}]", "longer than 4 MiB"},
      {HEAD "{\"nodes\":[{\"v\":\"", "ab", "\"}]}]", "longer than 4 MiB"},
      {HEAD "{\"", "ab", "\":1}]", "longer than 4 MiB"},
      {HEAD "{\"nodes\":[", "[[", "", "longer than 4 MiB"},
      {HEAD "{\"other\":[", "[],", "", "the file ends inside its JSON"},
      {HEAD "{\"other\":[{\"v\":[", "1,", "1]}]}, {\"nodes\":[{\"id\":1}]}]", NULL},
  };
  char *text = malloc(2 * (size_t)SIZE);
  meter m = {0};
  meter_start(&m);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = NULL;
    char *to = stpcpy(text, cases[i].begin);
    for (int n = 0; n < SIZE / 2; n++)
      to = stpcpy(to, cases[i].part);
    to = stpcpy(to, cases[i].end);
    ms_status status =
        ms_graph_read(files_write("net.cx2", text, (size_t)(to - text)), NULL, &graph, &err);
    ck_assert_msg(status == (cases[i].message ? MS_ERR_INPUT : MS_OK), "case %zu: %s", i,
                  err.message);
    ck_assert_msg(!cases[i].message || strstr(err.message, cases[i].message), "case %zu: %s", i,
                  err.message);
    ms_graph_free(graph);
  }
  meter_stop();
  free(text);
  ck_assert_int_eq(m.live, 0);
  ck_assert_msg(m.most_bytes < (size_t)32 << 20, "%zu bytes", (size_t)m.most_bytes);
}
END_TEST

/* Whichever allocation fails while a coloured graph is read, the reader reports it and leaks no
 * block. */
START_TEST(memory_runs_out)
{
  failing_graph_reads(files_write_text("net.cx2", COLORED), NULL);
}
END_TEST

TEST_MAIN("format: cx2", TEST(forms), TEST(colors), TEST(types), TEST_TIMES(random_graphs, 20),
          TEST(survives_damage), TEST(refuses), TEST(missing_attributes), TEST(hostile_files),
          TEST(memory_runs_out))
