/* CX2, the Cytoscape Exchange format 2: an array of aspects, each an array of elements.
 *
 *   [{"CXVersion":"2.0","hasFragments":false},
 *    {"attributeDeclarations":[{"nodes":{"name":{"d":"string","a":"n"}}}]},
 *    {"nodes":[{"id":0,"v":{"n":"TP53"}},{"id":1,"v":{"n":"MDM2"}}]},
 *    {"edges":[{"id":2,"s":0,"t":1,"v":{"interaction":"activates"}}]},
 *    {"status":[{"success":true}]}]
 *
 * The id of a node, a number, is its name, or an attribute names it (node_names.h).  Attributes are
 * declared in front of the nodes; a declaration may give an attribute a shorter key ("a") and a
 * default ("v").  The node attribute named "color", "colors" or alike holds colours: a list, or a
 * text with one in each line.  In a typed graph, an attribute "type" holds the types of vertices if
 * there is no such attribute.  An edge attribute named "interaction", "type" or alike holds labels
 * of edges.  "interacts with", which Cytoscape writes for edges without an interaction, is no label
 * if all edges have it.
 *
 * In a directed graph an edge points from s to t, and both ways if it has a boolean attribute
 * "directed" that is false.  All other attributes and aspects are skipped.
 *
 * The specification: cytoscape.org/cx/cx2/specification/cytoscape-exchange-format-specification-
 * (version-2). */
#include "graph/formats/attributes.h"
#include "graph/formats/format.h"
#include "graph/formats/node_ids.h"
#include "graph/formats/node_names.h"
#include "graph/io/edges/edge_columns.h"
#include "graph/io/json.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NO_INTERACTION "interacts with" /* Cytoscape's word for an edge without an interaction */
#define UNDIRECTED "directed"           /* attribute of edges, false: without a direction */

/* An attribute that is read. */
typedef struct property {
  char *name, *key; /* key: in the elements; NULL: it is not declared */
  /* The default value: a copy, since that of the reader lasts no longer than the declaration. */
  bool has_default, default_is_false, default_is_list;
  bool default_is_text;   /* or a number, or a list of these */
  ms_chars default_value; /* its lines */
} property;

typedef struct cx2 {
  ms_text *text;
  ms_edges *edges;
  const char *chosen_color, *chosen_label;
  bool had_version, had_nodes;
  bool literal; /* a result of this program: its colours are never signs for missing values */
  property color, type, label, directed; /* type: of vertices */
  size_t label_rank;
  property score; /* of edges, if the graph keeps scores */
  size_t score_rank;
  double default_score; /* NaN: none */
  bool keeps_scores;
  ms_node_ids ids;
  ms_node_names names;
} cx2;

static void property_free(property *p)
{
  ms_free(p->name);
  ms_free(p->key);
  ms_free(p->default_value.text);
  *p = (property){.name = NULL};
}

/* ---- values ------------------------------------------------------------------------ */

#define NUMBER_BYTES 32

/* Returns the value as a text, in `number` if it is no string; text NULL: it has none. */
static ms_field text_of(const json_t *value, char number[NUMBER_BYTES])
{
  if (json_is_string(value))
    return ms_field_trim((ms_field){json_string_value(value), json_string_length(value)});
  if (json_is_integer(value))
    snprintf(number, NUMBER_BYTES, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  else if (json_is_boolean(value))
    snprintf(number, NUMBER_BYTES, "%s", json_is_true(value) ? "true" : "false");
  else
    return (ms_field){NULL, 0};
  return (ms_field){number, strlen(number)};
}

/* Returns the value of the attribute in an element; NULL: its default holds. */
static const json_t *value_of(const json_t *element, const property *p)
{
  const json_t *value = p->key ? json_object_get(json_object_get(element, "v"), p->key) : NULL;
  return value && !json_is_null(value) ? value : NULL;
}

static ms_status refuse_value(const cx2 *x, const property *p, ms_error *err)
{
  return ms_text_fail(
      x->text, err,
      "the attribute '%.*s' is neither a text nor a whole number nor true or false; "
      "choose another",
      ms_name_clip(p->name, strlen(p->name)), p->name);
}

/* ---- declarations ------------------------------------------------------------------- */

/* Copies the default value: the items of a list, or the value itself. */
static ms_status copy_default(property *p, const json_t *value, ms_error *err)
{
  char number[NUMBER_BYTES];
  size_t count = json_is_array(value) ? json_array_size(value) : 1;
  p->has_default = value && !json_is_null(value);
  p->default_is_false = json_is_false(value);
  p->default_is_list = json_is_array(value);
  p->default_is_text = p->has_default;
  for (size_t i = 0; i < count && p->default_is_text; i++) {
    ms_field text = text_of(json_is_array(value) ? json_array_get(value, i) : value, number);
    p->default_is_text = text.text != NULL;
    if (i > 0)
      MS_TRY(ms_chars_append(&p->default_value, "\n", 1, err));
    MS_TRY(ms_chars_append(&p->default_value, text.text ? text.text : "", text.length, err));
  }
  return MS_OK;
}

static ms_status declare(property *p, const char *name, const json_t *declaration, ms_error *err)
{
  const char *alias = json_string_value(json_object_get(declaration, "a"));
  property_free(p);
  p->name = ms_strdup(name);
  p->key = ms_strdup(alias ? alias : name);
  if (!p->name || !p->key)
    return ms_fail_memory(err, "an attribute");
  return copy_default(p, json_object_get(declaration, "v"), err);
}

static ms_status declare_of_node(cx2 *x, const char *name, const json_t *declaration, ms_error *err)
{
  const char *alias = json_string_value(json_object_get(declaration, "a"));
  if (ms_is_color_attribute(name, x->chosen_color)) {
    if (x->color.key && strcmp(x->color.name, name) != 0)
      return ms_text_fail(x->text, err,
                          "the attributes '%s' and '%s' of nodes may both hold colours; choose one "
                          "(`color_attribute`)",
                          x->color.name, name);
    MS_TRY(declare(&x->color, name, declaration, err));
  }
  x->literal |= strcmp(name, "match_numbers") == 0 || strcmp(name, "flagged") == 0;
  if (strcmp(name, "type") == 0)
    MS_TRY(declare(&x->type, name, declaration, err));
  return ms_node_names_key(&x->names, alias ? alias : name, name, err);
}

static ms_status declare_of_edge(cx2 *x, const char *name, const json_t *declaration, ms_error *err)
{
  size_t rank = ms_label_rank(name, x->chosen_label);
  size_t of_score = x->keeps_scores ? ms_score_rank(name) : SIZE_MAX;
  if (of_score != SIZE_MAX && (!x->score.key || of_score < x->score_rank)) {
    const json_t *value = json_object_get(declaration, "v");
    x->score_rank = of_score;
    x->default_score = json_is_number(value) ? json_number_value(value) : (double)NAN;
    return declare(&x->score, name, declaration, err);
  }
  if (strcmp(name, UNDIRECTED) == 0)
    MS_TRY(declare(&x->directed, name, declaration, err));
  if (rank == SIZE_MAX || (x->label.key && rank >= x->label_rank))
    return MS_OK;
  x->label_rank = rank;
  return declare(&x->label, name, declaration, err);
}

static ms_status take_declarations(cx2 *x, const json_t *element, ms_error *err)
{
  const char *name;
  json_t *declaration;
  if (x->had_nodes)
    return ms_text_fail(x->text, err,
                        "the declarations of attributes follow nodes or edges; move them in front");
  json_object_foreach(json_object_get(element, "nodes"), name, declaration)
  {
    MS_TRY(declare_of_node(x, name, declaration, err));
  }
  json_object_foreach(json_object_get(element, "edges"), name, declaration)
  {
    MS_TRY(declare_of_edge(x, name, declaration, err));
  }
  return MS_OK;
}

/* ---- nodes and edges ------------------------------------------------------------------ */

/* Writes the number at the key, an id of a node, as a text. */
static ms_status take_id(const cx2 *x, const json_t *element, const char *what, const char *key,
                         char id[NUMBER_BYTES], ms_error *err)
{
  const json_t *value = json_object_get(element, key);
  if (!json_is_integer(value))
    return ms_text_fail(x->text, err, "%s has no whole number '%s'; add it", what, key);
  snprintf(id, NUMBER_BYTES, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
  return MS_OK;
}

static ms_status give_colors(cx2 *x, uint32_t v, const property *p, const json_t *value,
                             ms_error *err)
{
  char number[NUMBER_BYTES];
  size_t count = json_is_array(value) ? json_array_size(value) : 1;
  for (size_t i = 0; i < count; i++) {
    ms_field text = text_of(json_is_array(value) ? json_array_get(value, i) : value, number);
    if (!text.text)
      return refuse_value(x, p, err);
    MS_TRY(ms_give_colors(x->edges, x->text, v, text, x->literal, err));
  }
  return MS_OK;
}

/* Gives the vertex the default colours of the attribute, which are stored once. */
static ms_status give_default_colors(cx2 *x, uint32_t v, property *p, ms_error *err)
{
  if (p->has_default && !p->default_is_text)
    return refuse_value(x, p, err);
  if (p->default_value.length > 0) { /* the first such node */
    MS_TRY(ms_give_colors(x->edges, x->text, MS_NO_ID, ms_chars_all(&p->default_value), x->literal,
                          err));
    p->default_value.length = 0;
  }
  return ms_edges_color_by_default(x->edges, v, err);
}

static ms_status take_node(cx2 *x, const json_t *element, ms_error *err)
{
  char id[NUMBER_BYTES], number[NUMBER_BYTES];
  uint32_t v;
  MS_TRY(take_id(x, element, "a node", "id", id, err));
  MS_TRY(ms_node_ids_declare(&x->ids, x->edges, x->text, (ms_field){id, strlen(id)}, &v, err));
  x->had_nodes = true;
  bool typed = x->edges->types && !x->color.key && !x->chosen_color;
  property *colors = typed ? &x->type : &x->color;
  const json_t *value = value_of(element, colors);
  MS_TRY(value ? give_colors(x, v, colors, value, err) : give_default_colors(x, v, colors, err));
  if (!x->names.key || !ms_node_names_wants(&x->names, x->names.key))
    return MS_OK;
  ms_field name = text_of(json_object_get(json_object_get(element, "v"), x->names.key), number);
  return name.text ? ms_node_names_add(&x->names, v, name, err) : MS_OK;
}

static ms_status take_score(cx2 *x, const json_t *element, ms_error *err)
{
  if (!x->score.key)
    return ms_refuse_no_scores(x->text, err);
  const json_t *value = value_of(element, &x->score);
  double score = json_is_number(value) ? json_number_value(value) : x->default_score;
  if ((value && !json_is_number(value)) || isnan(score))
    return ms_refuse_unscored(x->text, err);
  return ms_keep_score(x->edges, x->text, score, err);
}

static ms_status take_edge(cx2 *x, const json_t *element, ms_error *err)
{
  static const char *const ends[] = {"s", "t"};
  char id[NUMBER_BYTES], number[NUMBER_BYTES];
  uint32_t v[2];
  for (int i = 0; i < 2; i++) {
    MS_TRY(take_id(x, element, "an edge", ends[i], id, err));
    MS_TRY(ms_node_ids_use(&x->ids, x->edges, x->text, (ms_field){id, strlen(id)}, &v[i], err));
  }
  x->had_nodes = true;
  const property *p = &x->label;
  const json_t *value = value_of(element, p);
  bool is_default = !value && p->has_default;
  ms_field label = value        ? text_of(value, number)
                   : is_default ? ms_chars_trim(&p->default_value)
                                : (ms_field){NULL, 0};
  if ((value && !label.text) || (is_default && (!p->default_is_text || p->default_is_list)))
    return refuse_value(x, p, err);
  value = value_of(element, &x->directed);
  bool undirected = value ? json_is_false(value) : x->directed.default_is_false;
  MS_TRY(ms_join_attributed(x->edges, x->text, v, label, undirected, err));
  return x->keeps_scores ? take_score(x, element, err) : MS_OK;
}

/* ---- the file --------------------------------------------------------------------------- */

static ms_status take_status(const cx2 *x, const json_t *element, ms_error *err)
{
  const char *problem = json_string_value(json_object_get(element, "error"));
  if (!json_is_false(json_object_get(element, "success")))
    return MS_OK;
  return ms_text_fail(x->text, err,
                      "the program that wrote the file says that it failed%s%s; export it again",
                      problem ? ": " : "", problem ? problem : "");
}

static ms_status take_version(cx2 *x, const json_t *version, ms_error *err)
{
  const char *text = json_string_value(version);
  if (!text || strncmp(text, "2.", 2) != 0)
    return ms_text_fail(x->text, err, "the version of CX is not 2; export CX2");
  x->had_version = true;
  return MS_OK;
}

static ms_status take_element(void *user, const char *name, const json_t *element, ms_error *err)
{
  cx2 *x = user;
  if (strcmp(name, "CXVersion") == 0)
    return take_version(x, element, err);
  if (!x->had_version)
    return ms_text_fail(x->text, err, "'%s' comes before the version of CX; is this CX2?", name);
  if (!json_is_object(element))
    return ms_text_fail(x->text, err, "an element of '%s' is no object; correct it", name);
  if (strcmp(name, "attributeDeclarations") == 0)
    return take_declarations(x, element, err);
  if (strcmp(name, "status") == 0)
    return take_status(x, element, err);
  return strcmp(name, "nodes") == 0 ? take_node(x, element, err) : take_edge(x, element, err);
}

/* Refuses chosen attributes that are not declared. */
static ms_status check_choices(const cx2 *x, ms_error *err)
{
  const char *color = x->chosen_color, *label = x->chosen_label;
  if (color && !x->color.key && strcmp(color, MS_NO_TYPES) != 0)
    return ms_refuse_attribute(x->text, "nodes", color, "another (`color_attribute`)", err);
  if (label && !x->label.key && strcmp(label, MS_NO_TYPES) != 0)
    return ms_refuse_attribute(x->text, "edges", label, "another (`type_column`)", err);
  return MS_OK;
}

/* Forgets the labels if they only say that the edges have none. */
static void drop_default_label(const cx2 *x)
{
  ms_edges *edges = x->edges;
  if (x->chosen_label || !edges->labels || ms_names_count(edges->labels) != 1 ||
      strcmp(ms_names_get(edges->labels, 0), NO_INTERACTION) != 0)
    return;
  ms_names_free(edges->labels);
  edges->labels = NULL;
  edges->labelled = 0;
}

static ms_status read_cx2(ms_text *text, const ms_graph_options *options, ms_edges *edges,
                          ms_error *err)
{
  static const char *const names[] = {
      "CXVersion", "attributeDeclarations", "nodes", "edges", "status", NULL};
  static const ms_json_handler handler = {names, take_element};
  cx2 x = {.text = text,
           .edges = edges,
           .names.chosen = options->names,
           .chosen_color = options->color_attribute,
           .keeps_scores = options->keep_scores,
           .default_score = (double)NAN,
           .chosen_label = edges->types ? edges->types->options->type_column : NULL};
  ms_status status = ms_json_read(text, &handler, &x, err);
  if (status == MS_OK)
    status = ms_node_ids_check(&x.ids, edges, text, err);
  if (status == MS_OK)
    status = ms_node_names_settle(&x.names, text, edges, err);
  if (status == MS_OK)
    status = check_choices(&x, err);
  if (status == MS_OK)
    drop_default_label(&x);
  property_free(&x.color);
  property_free(&x.type);
  property_free(&x.label);
  property_free(&x.score);
  property_free(&x.directed);
  ms_node_names_free(&x.names);
  ms_node_ids_free(&x.ids);
  return status;
}

const ms_format ms_format_cx2 = {
    .info = {.name = "cx2",
             .about = "Cytoscape Exchange 2: nodes and edges as JSON; the node attribute 'color' "
                      "or 'colors' holds colours",
             .example =
                 "[{\"CXVersion\":\"2.0\",\"hasFragments\":false},\n"
                 " {\"attributeDeclarations\":[{\"nodes\":{\"name\":{\"d\":\"string\"},\n"
                 "   \"color\":{\"d\":\"string\"}}}]},\n"
                 " {\"nodes\":[{\"id\":0,\"v\":{\"name\":\"YAL001C\",\"color\":\"kinase\"}},\n"
                 "           {\"id\":1,\"v\":{\"name\":\"YBR123C\"}}]},\n"
                 " {\"edges\":[{\"id\":2,\"s\":0,\"t\":1}]},\n"
                 " {\"status\":[{\"success\":true}]}]\n",
             .suffix = ".cx2"},
    .typed =
        {.name = "cx2",
         .about = "the same with an edge attribute such as 'interaction', 'type' or 'label', "
                  "or the one that is chosen",
         .example =
             "[{\"CXVersion\":\"2.0\"},\n"
             " {\"attributeDeclarations\":[{\"nodes\":{\"name\":{}},\n"
             "   \"edges\":{\"interaction\":{\"d\":\"string\"}}}]},\n"
             " {\"nodes\":[{\"id\":0,\"v\":{\"name\":\"TP53\"}},"
             "{\"id\":1,\"v\":{\"name\":\"MDM2\"}}]},\n"
             " {\"edges\":[{\"id\":2,\"s\":0,\"t\":1,\"v\":{\"interaction\":\"activates\"}}]},\n"
             " {\"status\":[{\"success\":true}]}]\n"},
    .options = MS_HAS_DIRECTION | MS_HAS_NAMES | MS_HAS_COLOR_ATTRIBUTE | MS_HAS_KEPT_SCORES,
    .read = read_cx2};
