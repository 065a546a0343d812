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
 * The id of a node is its name, or an attribute names it (node_names.h).  Edges may come before
 * their nodes, but every node must be declared.  Directed edges are edges; a port of a node is the
 * node.  In a directed graph an edge points from source to target, and an edge that the file
 * declares undirected points both ways: the edge declares it (directed="false"), or the graph does
 * for all edges that do not (edgedefault).
 *
 * The node attribute named "color" or alike, or the one that the options choose, holds colours, one
 * in each line (names hold no line ends, so no quotes are needed; a program that knows one colour
 * for each vertex writes and reads the same form).  An edge attribute named "interaction", "type",
 * "label" or alike holds labels of edges, or the one that the options choose.  All other
 * attributes, and all elements of other namespaces, are skipped.
 *
 * The reader refuses what it cannot skip without losing vertices or edges: nested graphs,
 * hyperedges, locators (parts in other files), a second graph.
 *
 * U. Brandes, M. Eiglsperger, J. Lerner: GraphML primer; the schema
 * graphml.graphdrawing.org/xmlns/1.0/graphml.xsd. */
#include "graph/formats/graphml.h"
#include "graph/formats/attributes.h"
#include "graph/formats/node_ids.h"
#include "graph/formats/node_names.h"
#include "graph/io/edges/edge_columns.h"
#include "graph/io/xml.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

/* The innermost open element that the reader knows.  Each has one parent and one depth, so no
 * stack is needed; deeper elements are skipped. */
typedef enum place {
  OUTSIDE,
  ROOT,
  KEY,
  DEFAULT,
  GRAPH,
  NODE,
  EDGE,
  DATA,
  EDGE_DATA,
  DRAWING,      /* yEd's <data> of how the node is drawn */
  SHAPE,        /* the one element in it, whose name is that of the shape */
  DRAWING_LABEL /* the text on the node */
} place;

static const struct place_fact {
  place parent;
  uint32_t depth;
} places[] = {
    [OUTSIDE] = {OUTSIDE, 0}, [ROOT] = {OUTSIDE, 1},  [KEY] = {ROOT, 2},
    [DEFAULT] = {KEY, 3},     [GRAPH] = {ROOT, 2},    [NODE] = {GRAPH, 3},
    [EDGE] = {GRAPH, 3},      [DATA] = {NODE, 4},     [EDGE_DATA] = {EDGE, 4},
    [DRAWING] = {NODE, 4},    [SHAPE] = {DRAWING, 5}, [DRAWING_LABEL] = {SHAPE, 6},
};

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
  bool undirected;   /* edges without their own direction */
  property color;    /* of nodes */
  bool literal;      /* colours are never signs for missing values */
  property label;    /* of edges */
  property score;    /* of edges, if the graph keeps scores */
  size_t score_rank; /* of its name */
  bool keeps_scores;
  size_t label_rank;             /* of its name */
  const char *chosen;            /* name of the attribute of labels; NULL: a usual one */
  const char *chosen_color;      /* name of the attribute of colours; NULL: a usual one */
  property *key;                 /* that is open */
  ms_chars data;                 /* of the <data> that is open */
  bool holds_colors, holds_name; /* what that <data> is */
  ms_node_ids ids;
  ms_node_names names;
  struct {
    uint32_t v[2];
    bool undirected, labelled, scored; /* labelled, scored: its <data> was read */
    bool holds_score;                  /* what the <data> that is open is */
    ms_chars label, score;
  } edge;        /* that is open */
  uint32_t node; /* that is open */
  bool node_has_colors;
} graphml;

/* Gives the vertex the colours of the key. */
static ms_status give_default_colors(graphml *g, uint32_t v, ms_error *err)
{
  if (g->color.default_value.length > 0) { /* the first such node */
    MS_TRY(ms_give_colors(g->edges, g->text, MS_NO_ID, ms_chars_all(&g->color.default_value),
                          g->literal, err));
    g->color.default_value.length = 0;
  }
  return ms_edges_color_by_default(g->edges, v, err);
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
  if (ms_is_color_attribute(name, g->chosen_color) && is_for(key, "node")) {
    *found = &g->color;
    return g->color.id ? ms_text_fail(g->text, err,
                                      "a second <key> for the colours of nodes; choose one "
                                      "(`color_attribute`), or put the colours into one <data>, "
                                      "one colour per line")
                       : MS_OK;
  }
  size_t of_score = g->keeps_scores && is_for(key, "edge") ? ms_score_rank(name) : SIZE_MAX;
  if (of_score != SIZE_MAX && (!g->score.id || of_score < g->score_rank)) {
    g->score_rank = of_score;
    g->score.default_value.length = 0;
    ms_free(g->score.id);
    g->score.id = NULL;
    *found = &g->score;
    return MS_OK;
  }
  size_t rank = ms_label_rank(name, g->chosen);
  if (rank != SIZE_MAX && !is_for(key, "edge"))
    rank += MS_LABEL_RANKS; /* Cytoscape says "node" of all keys */
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
  const char *drawn = ms_xml_attribute(element, "yfiles.type");
  if (!name && drawn && strcmp(drawn, "nodegraphics") == 0)
    name = MS_YED_LABEL;
  if (id && name && is_for(element, "node") && !g->had_graph)
    MS_TRY(ms_node_names_key(&g->names, id, name, err));
  MS_TRY(find_attribute(g, element, &found, err));
  if (!found)
    return MS_OK;
  MS_TRY(need(g, element, "id", &id, err));
  if (g->had_graph)
    return ms_text_fail(g->text, err,
                        "the <key> of the %s follows the graph; move it in front of the graph",
                        found == &g->color   ? "colours"
                        : found == &g->score ? "scores of edges"
                                             : "labels of edges");
  g->literal |= found == &g->color && strcmp(id, MS_LITERAL_COLORS) == 0;
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
  MS_TRY(need(g, element, "id", &id, err));
  MS_TRY(
      ms_node_ids_declare(&g->ids, g->edges, g->text, (ms_field){id, strlen(id)}, &g->node, err));
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
    MS_TRY(need(g, element, ends[i], &id, err));
    MS_TRY(ms_node_ids_use(&g->ids, g->edges, g->text, (ms_field){id, strlen(id)}, &g->edge.v[i],
                           err));
  }
  g->place = EDGE;
  g->edge.undirected = g->undirected;
  g->edge.labelled = g->edge.scored = false;
  g->edge.label.length = g->edge.score.length = 0;
  return take_direction(g, element, "directed", words, &g->edge.undirected, err);
}

/* Enters labels and scores only. */
static ms_status start_edge_data(graphml *g, const ms_xml_element *element, ms_error *err)
{
  const char *key;
  MS_TRY(need(g, element, "key", &key, err));
  g->edge.holds_score = g->score.id && strcmp(key, g->score.id) == 0;
  if (g->edge.holds_score && g->edge.scored)
    return ms_text_fail(g->text, err, "a second <data> with the edge's score; remove one");
  if (g->edge.holds_score) {
    g->edge.scored = true;
    g->place = EDGE_DATA;
    return MS_OK;
  }
  if (!g->label.id || strcmp(key, g->label.id) != 0)
    return MS_OK;
  if (g->edge.labelled)
    return ms_text_fail(g->text, err, "a second <data> with the edge's label; remove one");
  g->edge.labelled = true;
  g->place = EDGE_DATA;
  return MS_OK;
}

/* The text on a node is inside the element of its shape, whose children are of another namespace.
 */
static ms_status start_shape(graphml *g, const ms_xml_element *element, ms_error *err)
{
  (void)element;
  (void)err;
  g->place = SHAPE;
  return MS_OK;
}

/* Enters the first text on the node that is not empty. */
static ms_status start_drawing_label(graphml *g, const ms_xml_element *element, ms_error *err)
{
  (void)element;
  (void)err;
  if (ms_node_names_has(&g->names, g->node))
    return MS_OK;
  g->data.length = 0;
  g->place = DRAWING_LABEL;
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
  g->place = g->holds_name && ms_node_names_drawn(&g->names) ? DRAWING : DATA;
  return MS_OK;
}

#define NESTED                                                                                     \
  "a graph inside a node or edge is not read; move its nodes and edges to the outer graph "        \
  "(ungroup them)"
#define LOCATOR                                                                                    \
  "a <locator> refers to a part in another file, which is not read; put that part here"

static const struct rule {
  place in;
  const char *name; /* NULL: any */
  ms_status (*start)(graphml *g, const ms_xml_element *element, ms_error *err);
  const char *refusal; /* in place of `start` */
} rules[] = {
    {OUTSIDE, "graphml", start_root, NULL},
    {ROOT, "key", start_key, NULL},
    {ROOT, "graph", start_graph, NULL},
    {KEY, "default", start_default, NULL},
    {GRAPH, "node", start_node, NULL},
    {GRAPH, "edge", start_edge, NULL},
    {NODE, "data", start_data, NULL},
    {DRAWING, NULL, start_shape, NULL},
    {SHAPE, "NodeLabel", start_drawing_label, NULL},
    {EDGE, "data", start_edge_data, NULL},
    {GRAPH, "hyperedge", NULL,
     "hyperedges are not read; replace each by a node and edges to it, or by edges between its "
     "ends"},
    {NODE, "graph", NULL, NESTED},
    {EDGE, "graph", NULL, NESTED},
    {GRAPH, "locator", NULL, LOCATOR},
    {NODE, "locator", NULL, LOCATOR},
};

static ms_status on_start(void *user, const ms_xml_element *element, ms_error *err)
{
  graphml *g = user;
  bool foreign = element->space[0] &&
                 strncmp(element->space, MS_GRAPHML_SPACE, sizeof MS_GRAPHML_SPACE - 1) != 0;
  if (element->depth != places[g->place].depth + 1)
    return MS_OK;
  bool drawing = g->place == DRAWING || g->place == SHAPE; /* in the namespace of yEd */
  for (size_t i = 0; i < sizeof rules / sizeof *rules && foreign == drawing; i++)
    if (rules[i].in == g->place && (!rules[i].name || strcmp(rules[i].name, element->name) == 0))
      return rules[i].start ? rules[i].start(g, element, err)
                            : ms_text_fail(g->text, err, "%s", rules[i].refusal);
  return g->place != OUTSIDE
             ? MS_OK
             : ms_text_fail(g->text, err,
                            "the outermost element is not <graphml> of " MS_GRAPHML_SPACE
                            "xmlns; give a "
                            "GraphML file");
}

/* Keeps the score of the edge that ends. */
static ms_status take_score(graphml *g, ms_error *err)
{
  double value;
  ms_field text = ms_chars_trim(g->edge.scored ? &g->edge.score : &g->score.default_value);
  if (!g->keeps_scores)
    return MS_OK;
  if (!g->score.id)
    return ms_refuse_no_scores(g->text, err);
  if (!ms_field_real(text, &value))
    return ms_refuse_unscored(g->text, err);
  return ms_keep_score(g->edges, g->text, value, err);
}

static ms_status on_end(void *user, uint32_t depth, ms_error *err)
{
  graphml *g = user;
  ms_status status = MS_OK;
  if (depth != places[g->place].depth)
    return MS_OK;
  if (g->place == DATA && g->holds_colors)
    status = ms_give_colors(g->edges, g->text, g->node, ms_chars_all(&g->data), g->literal, err);
  if (g->place == DATA && g->holds_name && status == MS_OK)
    status = ms_node_names_add(&g->names, g->node, ms_chars_trim(&g->data), err);
  if (g->place == DRAWING_LABEL)
    status = ms_node_names_add(&g->names, g->node, ms_chars_join_words(&g->data), err);
  if (g->place == NODE && !g->node_has_colors)
    status = give_default_colors(g, g->node, err);
  if (g->place == EDGE)
    status = ms_join_attributed(
        g->edges, g->text, g->edge.v,
        ms_chars_trim(g->edge.labelled ? &g->edge.label : &g->label.default_value),
        g->edge.undirected, err);
  if (g->place == EDGE && status == MS_OK)
    status = take_score(g, err);
  g->place = places[g->place].parent;
  return status;
}

static ms_status on_text(void *user, uint32_t depth, const char *bytes, size_t length,
                         ms_error *err)
{
  graphml *g = user;
  if (depth != places[g->place].depth)
    return MS_OK;
  ms_chars *to = g->place == DATA || g->place == DRAWING_LABEL  ? &g->data
                 : g->place == EDGE_DATA && g->edge.holds_score ? &g->edge.score
                 : g->place == EDGE_DATA                        ? &g->edge.label
                 : g->place == DEFAULT                          ? &g->key->default_value
                                                                : NULL;
  return to ? ms_chars_append(to, bytes, length, err) : MS_OK;
}

/* ---- reading ------------------------------------------------------------- */

static ms_status read_graphml(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                              ms_error *err)
{
  static const ms_xml_handler handler = {on_start, on_end, on_text};
  graphml g = {.text = text, .edges = edges, .names.chosen = options->names};
  g.chosen_color = options->color_attribute;
  g.keeps_scores = options->keep_scores;
  g.chosen = edges->types ? edges->types->options->type_column : NULL;
  ms_status status = ms_xml_read(text, &handler, &g, err);
  if (status == MS_OK)
    status = ms_node_ids_check(&g.ids, edges, text, err);
  if (status == MS_OK)
    status = ms_node_names_settle(&g.names, text, edges, err);
  if (status == MS_OK && g.chosen && !g.label.id && strcmp(g.chosen, MS_NO_TYPES) != 0)
    status = ms_refuse_attribute(text, "edges", g.chosen, "another (`type_column`)", err);
  if (status == MS_OK && g.chosen_color && !g.color.id && strcmp(g.chosen_color, MS_NO_TYPES) != 0)
    status = ms_refuse_attribute(text, "nodes", g.chosen_color, "another (`color_attribute`)", err);
  ms_free(g.color.id);
  ms_free(g.color.default_value.text);
  ms_free(g.label.id);
  ms_free(g.label.default_value.text);
  ms_free(g.score.id);
  ms_free(g.score.default_value.text);
  ms_free(g.edge.score.text);
  ms_free(g.edge.label.text);
  ms_free(g.data.text);
  ms_node_names_free(&g.names);
  ms_node_ids_free(&g.ids);
  return status;
}

const ms_format ms_format_graphml = {
    .info = {.name = "graphml",
             .about = "GraphML: nodes and edges as XML; the node attribute 'color' holds colours, "
                      "one per line",
             .example = "<graphml xmlns=\"" MS_GRAPHML_SPACE "xmlns\">\n"
                        "  <key id=\"c\" for=\"node\" attr.name=\"color\" attr.type=\"string\"/>\n"
                        "  <graph edgedefault=\"undirected\">\n"
                        "    <node id=\"YAL001C\"><data key=\"c\">kinase</data></node>\n"
                        "    <node id=\"YBR123C\"/>\n"
                        "    <edge source=\"YAL001C\" target=\"YBR123C\"/>\n"
                        "  </graph>\n"
                        "</graphml>\n",
             .suffix = ".graphml",
             .writable = true,
             .holds_colors = true,
             .holds_scores = true},
    .typed = {.name = "graphml",
              .about = "the same with an edge attribute such as 'interaction', 'type' or 'label', "
                       "or the one that is chosen",
              .example = "<graphml xmlns=\"" MS_GRAPHML_SPACE "xmlns\">\n"
                         "  <key id=\"i\" for=\"edge\" attr.name=\"interaction\" "
                         "attr.type=\"string\"/>\n"
                         "  <graph edgedefault=\"undirected\">\n"
                         "    <node id=\"TP53\"/><node id=\"MDM2\"/>\n"
                         "    <edge source=\"TP53\" target=\"MDM2\"><data "
                         "key=\"i\">activates</data></edge>\n"
                         "  </graph>\n"
                         "</graphml>\n"},
    .options = MS_HAS_DIRECTION | MS_HAS_NAMES | MS_HAS_COLOR_ATTRIBUTE | MS_HAS_KEPT_SCORES,
    .read = read_graphml,
    .write = ms_graphml_write,
    .writes_directions = true};
