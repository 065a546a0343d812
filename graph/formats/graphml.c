/* GraphML:
 *
 *   <graphml xmlns="http://graphml.graphdrawing.org/xmlns">
 *     <key id="d0" for="node" attr.name="color" attr.type="string"/>
 *     <graph edgedefault="undirected">
 *       <node id="a"><data key="d0">red</data></node>
 *       <node id="b"/>
 *       <edge source="a" target="b"/>
 *     </graph>
 *   </graphml>
 *
 * The id of a node is its name, or an attribute names it (graphml_names.h).  Edges may come before
 * their nodes, but every node must be declared.  Directed edges are edges; a port of a node is the
 * node.  In a directed graph an edge points from source to target, and an edge that the file
 * declares undirected points both ways: the edge declares it (directed="false"), or the graph does
 * for all edges that do not (edgedefault).
 *
 * The node attribute named "color" or "colour" holds colours, one in each line (names hold no line
 * ends, so no quotes are needed; a program that knows one colour for each vertex writes and reads
 * the same form).  An edge attribute named "interaction", "type", "label" or alike holds labels of
 * edges, or the one that the options choose.  All other attributes, and all elements of other
 * namespaces, are skipped.
 *
 * The reader refuses what it cannot skip without losing vertices or edges: nested graphs,
 * hyperedges, locators (parts in other files), a second graph.
 *
 * U. Brandes, M. Eiglsperger, J. Lerner: GraphML primer; the schema
 * graphml.graphdrawing.org/xmlns/1.0/graphml.xsd. */
#include "graph/formats/format.h"
#include "graph/formats/graphml_names.h"
#include "graph/io/edge_columns.h"
#include "graph/io/xml.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <string.h>

#define SPACE "http://graphml.graphdrawing.org/"

/* The innermost open element that the reader knows.  Each has one parent and one depth, so no
 * stack is needed; deeper elements are skipped. */
typedef enum place { OUTSIDE, ROOT, KEY, DEFAULT, GRAPH, NODE, EDGE, DATA, EDGE_DATA } place;

static const struct place_fact {
  place parent;
  uint32_t depth;
} places[] = {
    [OUTSIDE] = {OUTSIDE, 0}, [ROOT] = {OUTSIDE, 1}, [KEY] = {ROOT, 2},
    [DEFAULT] = {KEY, 3},     [GRAPH] = {ROOT, 2},   [NODE] = {GRAPH, 3},
    [EDGE] = {GRAPH, 3},      [DATA] = {NODE, 4},    [EDGE_DATA] = {EDGE, 4},
};

/* Names of edge attributes that are labels of edges, the surest first.  A label may also be a text
 * to draw. */
static const char *const label_names[] = {
    "interaction", "type",     "relation",           "relationship", "edge_type", "relation_type",
    "predicate",   "metaedge", "shared interaction", "kind",         "label",     "Edge Label",
    "labels",      NULL};

/* An attribute that is read. */
typedef struct property {
  char *id;               /* of its <key>; NULL: none so far */
  ms_chars default_value; /* of elements without the attribute */
} property;

typedef struct graphml {
  ms_text *text;
  ms_edges *edges;
  place place;
  bool had_graph;
  bool undirected;               /* edges without their own direction */
  property color;                /* of nodes */
  property label;                /* of edges */
  size_t label_rank;             /* place of its name in label_names */
  const char *chosen;            /* name of the attribute of labels; NULL: one of label_names */
  property *key;                 /* that is open */
  ms_chars data;                 /* of the <data> that is open */
  bool holds_colors, holds_name; /* what that <data> is */
  ms_node_names names;
  struct {
    uint32_t v[2];
    bool undirected, labelled; /* labelled: its <data> was read */
    ms_chars label;
  } edge;        /* that is open */
  uint32_t node; /* that is open */
  bool node_has_colors;
  uint64_t *waiting; /* [room]; waiting[v]: line of the first edge that names v, 0: declared */
  uint32_t room;
} graphml;

/* ---- vertices ------------------------------------------------------------ */

/* Finds or adds the vertex of that id, which is new if *known is false. */
static ms_status find_vertex(graphml *g, const char *id, uint32_t *v, bool *known, ms_error *err)
{
  uint32_t count = ms_names_count(g->edges->names);
  ms_status status = ms_edges_vertex(g->edges, g->text, (ms_field){id, strlen(id)}, v, err);
  *known = *v < count;
  if (status != MS_OK || *known || *v < g->room)
    return status;
  uint32_t room = g->room < UINT32_MAX / 2 ? g->room * 2 + 64 : UINT32_MAX;
  uint64_t *larger = ms_resize(g->waiting, g->room, room, sizeof *larger);
  if (!larger)
    return ms_fail_memory(err, "the nodes of a graph");
  g->waiting = larger;
  g->room = room;
  return MS_OK;
}

/* Gives the vertex the colours of the run; every line is a colour. */
static ms_status give_colors(const graphml *g, uint32_t v, const ms_chars *colors, ms_error *err)
{
  if (colors->length == 0)
    return MS_OK; /* the text may be NULL */
  const char *at = colors->text, *end = at + colors->length;
  ms_status status = MS_OK;
  while (status == MS_OK && at < end) {
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    ms_field color = ms_field_trim((ms_field){at, (size_t)((lf ? lf : end) - at)});
    if (color.length > 0)
      status = ms_edges_color(g->edges, g->text, v, color, err);
    at = lf ? lf + 1 : end;
  }
  return status;
}

/* ---- elements ------------------------------------------------------------ */

static ms_status need(const graphml *g, const ms_xml_element *element, const char *attribute,
                      const char **value, ms_error *err)
{
  *value = ms_xml_attribute(element, attribute);
  return *value ? MS_OK
                : ms_text_fail(g->text, err, "<%s> has no attribute '%s'; add it", element->name,
                               attribute);
}

static ms_status start_root(graphml *g, const ms_xml_element *element, ms_error *err)
{
  (void)element;
  (void)err;
  g->place = ROOT;
  return MS_OK;
}

/* Returns the place of the name among those of labels; SIZE_MAX: it is none. */
static size_t rank_of(const graphml *g, const char *name)
{
  if (g->chosen)
    return strcmp(name, g->chosen) == 0 ? 0 : SIZE_MAX;
  for (size_t i = 0; label_names[i]; i++)
    if (strcmp(name, label_names[i]) == 0)
      return i;
  return SIZE_MAX;
}

static bool is_for(const ms_xml_element *key, const char *element)
{
  const char *domain = ms_xml_attribute(key, "for");
  return !domain || strcmp(domain, element) == 0 || strcmp(domain, "all") == 0;
}

/* Finds which attribute the key declares that is read; NULL: none. */
static ms_status find_attribute(graphml *g, const ms_xml_element *key, property **found,
                                ms_error *err)
{
  const char *name = ms_xml_attribute(key, "attr.name");
  *found = NULL;
  if (!name)
    return MS_OK;
  if ((strcmp(name, "color") == 0 || strcmp(name, "colour") == 0) && is_for(key, "node")) {
    *found = &g->color;
    return g->color.id ? ms_text_fail(g->text, err,
                                      "a second <key> for the colours of nodes; rename one, or put "
                                      "the colours into one <data>, one colour per line")
                       : MS_OK;
  }
  size_t rank = rank_of(g, name);
  if (rank != SIZE_MAX && !is_for(key, "edge"))
    rank += sizeof label_names; /* Cytoscape says "node" of all keys */
  if (rank == SIZE_MAX || (g->label.id && rank >= g->label_rank))
    return MS_OK;
  g->label_rank = rank;
  g->label.default_value.length = 0;
  ms_free(g->label.id);
  g->label.id = NULL;
  *found = &g->label;
  return MS_OK;
}

/* Enters the keys of colours and labels only.  Those of names have no use for a default. */
static ms_status start_key(graphml *g, const ms_xml_element *element, ms_error *err)
{
  const char *id = ms_xml_attribute(element, "id"), *name = ms_xml_attribute(element, "attr.name");
  property *found;
  if (id && name && is_for(element, "node") && !g->had_graph)
    MS_TRY(ms_node_names_key(&g->names, id, name, err));
  MS_TRY(find_attribute(g, element, &found, err));
  if (!found)
    return MS_OK;
  MS_TRY(need(g, element, "id", &id, err));
  if (g->had_graph)
    return ms_text_fail(g->text, err,
                        "the <key> of the %s follows the graph; move it in front of the graph",
                        found == &g->color ? "colours" : "labels of edges");
  found->id = ms_strdup(id);
  g->key = found;
  g->place = KEY;
  return found->id ? MS_OK : ms_fail_memory(err, "a key");
}

static ms_status start_default(graphml *g, const ms_xml_element *element, ms_error *err)
{
  (void)element;
  g->place = DEFAULT;
  return g->key->default_value.length == 0
             ? MS_OK
             : ms_text_fail(g->text, err, "a second <default>; remove one");
}

/* Sets *no where the attribute's value is a word for an undirected edge.  A graph that is not
 * read as directed ignores these attributes; without the attribute *no is unchanged. */
static ms_status take_direction(const graphml *g, const ms_xml_element *element,
                                const char *attribute, const char *const *words, bool *no,
                                ms_error *err)
{
  const char *value = ms_xml_attribute(element, attribute);
  if (!value || !g->edges->directed)
    return MS_OK;
  for (int i = 0; i < 4; i++)
    if (strcmp(value, words[i]) == 0) {
      *no = i % 2 == 1;
      return MS_OK;
    }
  return ms_text_fail(g->text, err, "the attribute '%s' is neither '%s' nor '%s'; correct it",
                      attribute, words[0], words[1]);
}

static ms_status start_graph(graphml *g, const ms_xml_element *element, ms_error *err)
{
  static const char *const words[] = {"directed", "undirected", "directed", "undirected"};
  if (g->had_graph)
    return ms_text_fail(g->text, err, "a second <graph>; give one graph per file");
  g->had_graph = true;
  g->place = GRAPH;
  return take_direction(g, element, "edgedefault", words, &g->undirected, err);
}

static ms_status start_node(graphml *g, const ms_xml_element *element, ms_error *err)
{
  const char *id;
  bool known;
  ms_status status = need(g, element, "id", &id, err);
  if (status == MS_OK)
    status = find_vertex(g, id, &g->node, &known, err);
  if (status != MS_OK)
    return status;
  if (known && g->waiting[g->node] == 0)
    return ms_text_fail(g->text, err, "a second <node> with the id '%.*s'; rename or remove one",
                        ms_name_clip(id, strlen(id)), id);
  g->waiting[g->node] = 0;
  ms_node_names_id(&g->names, id);
  g->node_has_colors = false;
  g->place = NODE;
  return MS_OK;
}

static ms_status start_edge(graphml *g, const ms_xml_element *element, ms_error *err)
{
  static const char *const ends[] = {"source", "target"};
  static const char *const words[] = {"true", "false", "1", "0"};
  for (int i = 0; i < 2; i++) {
    const char *id;
    bool known;
    ms_status status = need(g, element, ends[i], &id, err);
    if (status == MS_OK)
      status = find_vertex(g, id, &g->edge.v[i], &known, err);
    if (status != MS_OK)
      return status;
    if (!known)
      g->waiting[g->edge.v[i]] = g->text->number;
  }
  g->place = EDGE;
  g->edge.undirected = g->undirected;
  g->edge.labelled = false;
  g->edge.label.length = 0;
  return take_direction(g, element, "directed", words, &g->edge.undirected, err);
}

/* Adds the edge.  In a typed graph, an edge without a direction is one of each. */
static ms_status end_edge(graphml *g, ms_error *err)
{
  const uint32_t *v = g->edge.v;
  ms_field label = ms_chars_trim(g->edge.labelled ? &g->edge.label : &g->label.default_value);
  bool both = g->edge.undirected && g->edges->directed;
  if (label.length == 0)
    label.text = NULL;
  if (!g->edges->types && both) {
    MS_TRY(ms_edges_join_both(g->edges, v[0], v[1], err));
    return label.text ? ms_edges_note_label(g->edges, g->text, label, err) : MS_OK;
  }
  MS_TRY(ms_edges_join_labelled(g->edges, g->text, v[0], v[1], label, err));
  return both && v[0] != v[1] ? ms_edges_join_labelled(g->edges, g->text, v[1], v[0], label, err)
                              : MS_OK;
}

/* Enters labels only. */
static ms_status start_edge_data(graphml *g, const ms_xml_element *element, ms_error *err)
{
  const char *key;
  MS_TRY(need(g, element, "key", &key, err));
  if (!g->label.id || strcmp(key, g->label.id) != 0)
    return MS_OK;
  if (g->edge.labelled)
    return ms_text_fail(g->text, err, "a second <data> with the edge's label; remove one");
  g->edge.labelled = true;
  g->place = EDGE_DATA;
  return MS_OK;
}

/* Enters colours and names only. */
static ms_status start_data(graphml *g, const ms_xml_element *element, ms_error *err)
{
  const char *key;
  MS_TRY(need(g, element, "key", &key, err));
  g->holds_colors = g->color.id && strcmp(key, g->color.id) == 0;
  g->holds_name = ms_node_names_wants(&g->names, key);
  if (!g->holds_colors && !g->holds_name)
    return MS_OK;
  if (g->holds_colors && g->node_has_colors)
    return ms_text_fail(
        g->text, err,
        "a second <data> with the node's colours; put them into one, one colour per "
        "line");
  g->node_has_colors |= g->holds_colors;
  g->data.length = 0;
  g->place = DATA;
  return MS_OK;
}

static ms_status refuse_hyperedge(graphml *g, const ms_xml_element *element, ms_error *err)
{
  (void)element;
  return ms_text_fail(
      g->text, err,
      "hyperedges are not read; replace each by a node and edges to it, or by edges "
      "between its ends");
}

static ms_status refuse_nested(graphml *g, const ms_xml_element *element, ms_error *err)
{
  (void)element;
  return ms_text_fail(g->text, err,
                      "a graph inside a node or edge is not read; move its nodes and edges to the "
                      "outer graph (ungroup them)");
}

static ms_status refuse_locator(graphml *g, const ms_xml_element *element, ms_error *err)
{
  (void)element;
  return ms_text_fail(g->text, err,
                      "a <locator> refers to a part in another file, which is not read; put that "
                      "part here");
}

static const struct rule {
  place in;
  const char *name;
  ms_status (*start)(graphml *g, const ms_xml_element *element, ms_error *err);
} rules[] = {
    {OUTSIDE, "graphml", start_root},
    {ROOT, "key", start_key},
    {ROOT, "graph", start_graph},
    {KEY, "default", start_default},
    {GRAPH, "node", start_node},
    {GRAPH, "edge", start_edge},
    {NODE, "data", start_data},
    {EDGE, "data", start_edge_data},
    {GRAPH, "hyperedge", refuse_hyperedge},
    {NODE, "graph", refuse_nested},
    {EDGE, "graph", refuse_nested},
    {GRAPH, "locator", refuse_locator},
    {NODE, "locator", refuse_locator},
};

static ms_status on_start(void *user, const ms_xml_element *element, ms_error *err)
{
  graphml *g = user;
  bool foreign = element->space[0] && strncmp(element->space, SPACE, sizeof SPACE - 1) != 0;
  if (element->depth != places[g->place].depth + 1)
    return MS_OK;
  for (size_t i = 0; i < sizeof rules / sizeof *rules && !foreign; i++)
    if (rules[i].in == g->place && strcmp(rules[i].name, element->name) == 0)
      return rules[i].start(g, element, err);
  return g->place != OUTSIDE
             ? MS_OK
             : ms_text_fail(g->text, err,
                            "the outermost element is not <graphml> of " SPACE "xmlns; give a "
                            "GraphML file");
}

static ms_status on_end(void *user, uint32_t depth, ms_error *err)
{
  graphml *g = user;
  ms_status status = MS_OK;
  if (depth != places[g->place].depth)
    return MS_OK;
  if (g->place == DATA && g->holds_colors)
    status = give_colors(g, g->node, &g->data, err);
  if (g->place == DATA && g->holds_name && status == MS_OK)
    status = ms_node_names_add(&g->names, g->node, ms_chars_trim(&g->data), err);
  if (g->place == NODE && !g->node_has_colors)
    status = give_colors(g, g->node, &g->color.default_value, err);
  if (g->place == EDGE)
    status = end_edge(g, err);
  g->place = places[g->place].parent;
  return status;
}

static ms_status on_text(void *user, uint32_t depth, const char *bytes, size_t length,
                         ms_error *err)
{
  graphml *g = user;
  if (depth != places[g->place].depth)
    return MS_OK;
  ms_chars *to = g->place == DATA        ? &g->data
                 : g->place == EDGE_DATA ? &g->edge.label
                 : g->place == DEFAULT   ? &g->key->default_value
                                         : NULL;
  return to ? ms_chars_append(to, bytes, length, err) : MS_OK;
}

/* ---- reading ------------------------------------------------------------- */

static ms_status check_nodes(const graphml *g, ms_error *err)
{
  uint32_t n = ms_names_count(g->edges->names), missing = MS_NO_ID;
  if (n == 0)
    return ms_text_fail(g->text, err, "holds no <graph> with a <node>; give a graph");
  for (uint32_t v = 0; v < n; v++)
    if (g->waiting[v] && (missing == MS_NO_ID || g->waiting[v] < g->waiting[missing]))
      missing = v;
  if (missing == MS_NO_ID)
    return MS_OK;
  const char *name = ms_names_get(g->edges->names, missing);
  g->text->number = g->waiting[missing];
  return ms_text_fail(g->text, err,
                      "the edge names the node '%.*s', which is not declared; add a <node>",
                      ms_name_clip(name, strlen(name)), name);
}

static ms_status read_graphml(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                              ms_error *err)
{
  static const ms_xml_handler handler = {on_start, on_end, on_text};
  graphml g = {.text = text, .edges = edges, .names.chosen = options->names};
  g.chosen = edges->types ? edges->types->options->type_column : NULL;
  ms_status status = ms_xml_read(text, &handler, &g, err);
  if (status == MS_OK)
    status = check_nodes(&g, err);
  if (status == MS_OK)
    status = ms_node_names_settle(&g.names, text, edges, err);
  if (status == MS_OK && g.chosen && !g.label.id && strcmp(g.chosen, MS_NO_TYPES) != 0)
    status = ms_fail(err, MS_ERR_INPUT,
                     "%s: no <key> for edges has the attr.name '%.*s'; choose another "
                     "(`type_column`)",
                     text->label, ms_name_clip(g.chosen, strlen(g.chosen)), g.chosen);
  ms_free(g.color.id);
  ms_free(g.color.default_value.text);
  ms_free(g.label.id);
  ms_free(g.label.default_value.text);
  ms_free(g.edge.label.text);
  ms_free(g.data.text);
  ms_node_names_free(&g.names);
  ms_free(g.waiting);
  return status;
}

/* ---- writing ------------------------------------------------------------- */

/* U+FFFE and U+FFFF are no characters of XML. */
static bool is_xml_text(const char *name)
{
  return !strstr(name, "\xEF\xBF\xBE") && !strstr(name, "\xEF\xBF\xBF");
}

static ms_status check_vertices(const ms_graph *graph, ms_error *err)
{
  for (uint32_t v = 0; v < graph->n; v++)
    if (!is_xml_text(ms_names_get(graph->names, v)))
      return ms_fail(err, MS_ERR_USAGE,
                     "the name of vertex %" PRIu32 " holds a character that GraphML cannot express "
                     "(U+FFFE or U+FFFF); choose another format, or rename the vertex",
                     v);
  return MS_OK;
}

/* A reader cannot tell blanks around a colour from blanks of the layout. */
static ms_status check_colors(const ms_coloring *coloring, ms_error *err)
{
  for (uint32_t c = 0; coloring && c < ms_names_count(coloring->names); c++) {
    const char *name = ms_names_get(coloring->names, c);
    size_t length = strlen(name);
    if (!is_xml_text(name) || name[0] == ' ' || name[length - 1] == ' ')
      return ms_fail(
          err, MS_ERR_USAGE,
          "the colour '%.*s' %s, which GraphML cannot express; choose another format, or "
          "rename the colour",
          ms_name_clip(name, length), name,
          is_xml_text(name) ? "begins or ends with a blank" : "holds U+FFFE or U+FFFF");
  }
  return MS_OK;
}

static void put_escaped(ms_outfile *out, const char *name)
{
  for (;;) {
    size_t plain = strcspn(name, "&<>\"");
    ms_outfile_write(out, name, plain);
    name += plain;
    if (!*name)
      return;
    ms_outfile_puts(out, *name == '&'   ? "&amp;"
                         : *name == '<' ? "&lt;"
                         : *name == '>' ? "&gt;"
                                        : "&quot;");
    name++;
  }
}

static void put_node(ms_outfile *out, const ms_graph *graph, const ms_coloring *coloring,
                     uint32_t v)
{
  uint64_t begin = coloring ? coloring->offset[v] : 0, end = coloring ? coloring->offset[v + 1] : 0;
  ms_outfile_puts(out, "    <node id=\"");
  put_escaped(out, ms_names_get(graph->names, v));
  ms_outfile_puts(out, begin < end ? "\"><data key=\"color\">" : "\"/>\n");
  for (uint64_t i = begin; i < end; i++) {
    if (i > begin)
      ms_outfile_puts(out, "\n");
    put_escaped(out, ms_names_get(coloring->names, coloring->color[i]));
  }
  if (begin < end)
    ms_outfile_puts(out, "</data></node>\n");
}

static void put_edge(ms_outfile *out, const ms_graph *graph, uint32_t u, uint32_t v)
{
  ms_outfile_puts(out, "    <edge source=\"");
  put_escaped(out, ms_names_get(graph->names, u));
  ms_outfile_puts(out, "\" target=\"");
  put_escaped(out, ms_names_get(graph->names, v));
  ms_outfile_puts(out, "\"/>\n");
}

static ms_status write_graphml(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                               ms_error *err)
{
  ms_status status = check_vertices(graph, err);
  if (status == MS_OK)
    status = check_colors(coloring, err);
  if (status != MS_OK)
    return status;
  ms_outfile_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<graphml xmlns=\"" SPACE "xmlns\"\n"
                       "         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
                       "         xsi:schemaLocation=\"" SPACE "xmlns\n"
                       "                             " SPACE "xmlns/1.0/graphml.xsd\">\n");
  if (coloring)
    ms_outfile_puts(out, "  <key id=\"color\" for=\"node\" attr.name=\"color\" "
                         "attr.type=\"string\"/>\n");
  ms_outfile_puts(out, "  <graph edgedefault=\"undirected\">\n");
  for (uint32_t v = 0; v < graph->n; v++)
    put_node(out, graph, coloring, v);
  for (uint32_t v = 0; v < graph->n; v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (graph->neighbor[a] > v)
        put_edge(out, graph, v, graph->neighbor[a]);
  ms_outfile_puts(out, "  </graph>\n</graphml>\n");
  return MS_OK;
}

const ms_format ms_format_graphml = {
    .info = {.name = "graphml",
             .about = "GraphML: nodes and edges as XML; the node attribute 'color' holds colours, "
                      "one per line",
             .example = "<graphml xmlns=\"" SPACE "xmlns\">\n"
                        "  <key id=\"c\" for=\"node\" attr.name=\"color\" attr.type=\"string\"/>\n"
                        "  <graph edgedefault=\"undirected\">\n"
                        "    <node id=\"YAL001C\"><data key=\"c\">kinase</data></node>\n"
                        "    <node id=\"YBR123C\"/>\n"
                        "    <edge source=\"YAL001C\" target=\"YBR123C\"/>\n"
                        "  </graph>\n"
                        "</graphml>\n",
             .suffix = ".graphml",
             .writable = true,
             .holds_colors = true},
    .typed = {.name = "graphml",
              .about = "the same with an edge attribute such as 'interaction', 'type' or 'label', "
                       "or the one that is chosen",
              .example = "<graphml xmlns=\"" SPACE "xmlns\">\n"
                         "  <key id=\"i\" for=\"edge\" attr.name=\"interaction\" "
                         "attr.type=\"string\"/>\n"
                         "  <graph edgedefault=\"undirected\">\n"
                         "    <node id=\"TP53\"/><node id=\"MDM2\"/>\n"
                         "    <edge source=\"TP53\" target=\"MDM2\"><data "
                         "key=\"i\">activates</data></edge>\n"
                         "  </graph>\n"
                         "</graphml>\n"},
    .options = MS_HAS_DIRECTION | MS_HAS_NAMES,
    .read = read_graphml,
    .write = write_graphml};
