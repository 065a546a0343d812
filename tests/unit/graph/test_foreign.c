/* Files in known forms that no reader reads (graph/formats/foreign.c) are refused by name. */
#include "tests/support/files.h"
#include "tests/support/graphs/graph_text.h"
#include "tests/support/test_main.h"

#include <string.h>

static ms_error err;

/* Each of 24 texts is refused with the name of its form and a remedy, as a plain graph and as a
 * typed one; read in a format that is given, it is not. */
START_TEST(refused)
{
  static const struct {
    const char *text, *what;
  } cases[] = {
      {"# motifsieve 0.1.0 list\n# k: 2\nmatch\tvertices\n1\ta,b\n", "a result of motifsieve"},
      {"// motifsieve 0.1.0 list --dot\ngraph {\n}\n", "a result of motifsieve"},
      {"MSMATCH1\x04\x01", "a result of motifsieve"},
      {"{\"type\":\"header\",\"tool\":\"motifsieve\",\"version\":\"0.1.0\"}\n",
       "a result of motifsieve"},
      {"graph [\n  node [\n    id 1\n  ]\n]\n", "GML"},
      {"Creator \"igraph\"\nVersion 1\ngraph\n[\n  directed 0\n", "GML"},
      {"\n# x\ngraph[ node [ id 0 ] ]\n", "GML"},
      {"<?xml version=\"1.0\"?>\n<gexf xmlns=\"x\">\n", "GEXF"},
      {"\xEF\xBB\xBF<gexf version=\"1.2\">\n", "GEXF"},
      {"[{\"numberVerification\":[{\"longNumber\":1}]}]", "a network in CX, version 1"},
      {"<!DOCTYPE html>\n<html><body>Not found</body></html>\n", "markup"},
      {"<html>\n", "markup"},
      {"<?xml version=\"1.0\"?>\n<sbml/>\n", "markup"},
      {"{\n \"nodes\": [1]}\n", "JSON"},
      {"[{\"source\":\"a\",\"target\":\"b\"}]\n", "JSON"},
      {"graph {\n a -- b\n}\n", "DOT"},
      {"/* x */\ndigraph G {\n", "DOT"},
      {"digraph G {\n a -> b\n}\n", "DOT"},
      {"strict graph \"x\" {\n", "DOT"},
      {"*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n", "Pajek"},
      {"*Network x\n*vertices 2\n", "Pajek"},
      {"% bip unweighted\n% 1 1 1\n1 1\n1 2\n", "a bipartite network of KONECT"},
      {"c x\np sp 2 1\na 1 2 3\n", "a DIMACS format other than"},
      {"p cnf 3 2\n1 -3 0\n", "a DIMACS format other than"},
      {"% sym unweighted\n1 2\n", NULL},
      {"% asym weighted\n1 2 3\n", NULL},
      {"graph\tnode\nnode\tedge\n", NULL},
      {"p max\nmax min\n", NULL},
      {"p sp 0.5\n", NULL},
      {"Creator\tx\nVersion\ty\n", NULL},
      {"{a} b\n[c] {a}\n", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ms_graph *graph = NULL;
    ms_typed *typed = NULL;
    ms_graph_options edge_list = MS_GRAPH_OPTIONS_DEFAULT;
    const char *path = files_write_text("net", cases[i].text);
    edge_list.format = MS_FORMAT_EDGE_LIST;
    for (int t = 0; t < 2; t++) {
      err.message[0] = '\0';
      ms_status status =
          t ? ms_typed_read(path, NULL, &typed, &err) : ms_graph_read(path, NULL, &graph, &err);
      bool named = strstr(err.message, ": this is ") && cases[i].what &&
                   strstr(err.message, cases[i].what) && strchr(err.message, ';');
      ck_assert_msg(cases[i].what ? status == MS_ERR_INPUT && named
                                  : !strstr(err.message, ": this is "),
                    "case %zu: %s", i, err.message);
      ms_graph_free(graph);
      ms_typed_free(typed);
      graph = NULL;
      typed = NULL;
    }
    ms_status status = ms_graph_read(path, &edge_list, &graph, &err);
    ck_assert(status == MS_OK || !strstr(err.message, ": this is "));
    ms_graph_free(graph);
  }
}
END_TEST

/* GraphML, also under a prefix, is still read. */
START_TEST(graphml_is_read)
{
  static const char *const texts[] = {
      "<?xml version=\"1.0\"?>\n<graphml><graph><node id=\"a\"/></graph></graphml>",
      "<!-- x --><g:graphml xmlns:g=\"http://graphml.graphdrawing.org/xmlns\"><g:graph>"
      "<g:node id=\"a\"/></g:graph></g:graphml>",
  };
  for (size_t i = 0; i < 2; i++) {
    ms_graph *graph = graph_text_read("net", texts[i], MS_FORMAT_AUTO);
    ck_assert_str_eq(graph_text_format_of(graph), "graphml");
    ms_graph_free(graph);
  }
}
END_TEST

TEST_MAIN("files of other programs", TEST(refused), TEST(graphml_is_read))
