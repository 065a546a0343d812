/* Writes a drawing as a network in Cytoscape Exchange format, version 2: one JSON
 * array of aspects, written element by element, so that its size does not
 * matter.
 *
 *   [{"CXVersion":"2.0","hasFragments":false},
 *    {"metaData":[{"name":"nodes","elementCount":3},...]},
 *    {"attributeDeclarations":[{"networkAttributes":{..},"nodes":{..},"edges":{..}}]},
 *    {"networkAttributes":[{..}]},
 *    {"nodes":[{"id":0,"v":{..}},...]},
 *    {"edges":[{"id":0,"s":0,"t":1,"v":{..}},...]},
 *    {"visualProperties":[{..}]},
 *    {"status":[{"success":true}]}]
 *
 * The id of a node is the vertex's place in the graph, from 0; the ids of edges
 * follow after the last vertex, since some programs keep both in one table. */
#include "result/drawing.h"
#include "result/json.h"
#include "result/writer.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/float_text.h"
#include "base/text/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A node names at most this many of its matches, the first ones; "matches" holds their number.
 * No reader needs more, and a hub may be in millions of matches. */
#define MAX_NUMBERS 100u

typedef struct cx2 {
  const ms_drawing *drawing;
  ms_outfile *out;
  uint64_t *first;   /* [n + 1] list: numbers[first[v]..first[v + 1]) are v's first matches */
  uint64_t *numbers; /* numbers of matches from 1, ascending within a vertex */
} cx2;

/* ---- the numbers of matches ---------------------------------------------- */

/* Sets first[v] to the end of v's row of numbers. */
static void end_rows(cx2 *x, uint32_t n)
{
  uint64_t all = 0;
  for (uint32_t v = 0; v < n; v++) {
    uint64_t matches = x->drawing->drawn[v] ? x->drawing->matches[v] : 0;
    all += matches < MAX_NUMBERS ? matches : MAX_NUMBERS;
    x->first[v] = all;
  }
  x->first[n] = all;
}

/* Fills the rows from their ends to their beginnings, where first[v] points afterwards.  left[v]:
 * matches of v not yet seen. */
static void fill_rows(cx2 *x, uint64_t *left)
{
  const ms_drawing *d = x->drawing;
  uint32_t k = d->header->k;
  for (uint64_t i = d->count * k; i-- > 0 && !ms_watch_ended(d->watch, i);) {
    uint32_t v = d->rows[i];
    if (d->drawn[v] && left[v]-- <= MAX_NUMBERS)
      x->numbers[--x->first[v]] = i / k + 1;
  }
}

static ms_status find_numbers(cx2 *x, ms_error *err)
{
  const ms_drawing *d = x->drawing;
  if (ms_drawing_is_screen(d))
    return MS_OK;
  uint64_t *left = ms_alloc(d->n, sizeof *left);
  x->first = ms_alloc((size_t)d->n + 1, sizeof *x->first);
  if (left && x->first) {
    memcpy(left, d->matches, d->n * sizeof *left);
    end_rows(x, d->n);
    x->numbers = ms_alloc(x->first[d->n], sizeof *x->numbers);
  }
  if (x->numbers)
    fill_rows(x, left);
  ms_free(left);
  return x->numbers ? ms_watch_report(d->watch, MS_DRAWING_PHASE, err)
                    : ms_fail_memory(err, "the numbers of matches");
}

static json_t *numbers_of(const cx2 *x, uint32_t v)
{
  json_t *numbers = json_array();
  for (uint64_t i = x->first[v]; i < x->first[v + 1]; i++)
    ms_json_append(&numbers, json_integer((json_int_t)x->numbers[i]));
  return numbers;
}

/* ---- attributes ---------------------------------------------------------- */

static const char *description(const ms_drawing *d)
{
  return d->match && d->whole_graph ? "The whole graph, with one match in it."
         : d->match                 ? "One match, and the edges within it."
         : d->whole_graph           ? "The whole graph, with what was found in it."
         : ms_drawing_is_screen(d)
             ? "The vertices that take part in a match, and the edges among them."
         : d->header->family.share > 0
             ? "The vertices of one match of each family, and the edges among them."
         : ms_header_chooses(d->header)
             ? "The vertices of the matches that their measures choose, and the edges among them."
         : d->header->diverse
             ? "The vertices of matches that share no vertex, and the edges among them."
         : d->header->has & MS_HAS_SAMPLE
             ? "The vertices of matches that were drawn at random, and the edges among them."
             : "The vertices of all matches, and the edges among them.";
}

static json_t *add_inputs(json_t *all, const ms_result_header *h)
{
  all = ms_json_add_text(all, "graph", h->graph_path);
  all = ms_json_add(all, "graph_crc32c", ms_json_of_crc32c(h->graph_crc32c));
  all = ms_json_add_text(all, "colors", h->colors_path);
  if (h->colors_path)
    all = ms_json_add(all, "colors_crc32c", ms_json_of_crc32c(h->colors_crc32c));
  all = ms_json_add_text(all, "labels", h->labels.path);
  all = ms_json_add_text(all, "motif", h->motif);
  all = ms_json_add_text(all, "pattern", h->pattern.name ? h->pattern.name : h->pattern.file.path);
  all = ms_json_add(all, "k", json_integer(h->k));
  return h->n_required ? ms_json_add(all, "required", ms_json_of_names(h->n_required, h->required))
                       : all;
}

static json_t *add_sieve(json_t *all, const ms_result_header *h)
{
  bool typed = h->kind == MS_KIND_TYPED;
  all = ms_json_add_text(all, "mode",
                         ms_result_word(typed ? MS_WORDS_TYPED_MODE : MS_WORDS_MODE, h->mode));
  if (h->mode != MS_MODE_SCREENED)
    return all;
  all = ms_json_add(all, "seed", json_integer((json_int_t)h->seed));
  all = ms_json_add(all, "repetitions", json_integer(h->repetitions));
  all = ms_json_add(all, "miss_bound", json_real(h->miss_bound));
  all = ms_json_add(all, "miss_bound_union", json_real(h->miss_bound_union));
  return ms_json_add_text(all, "miss_bound_formula", h->formula);
}

/* Returns the legend, "ROLE: FILL" for each role: CX2 has no legend that Cytoscape would draw. */
static json_t *legend(const ms_drawing *d)
{
  json_t *lines = json_array();
  for (uint32_t i = 0; i < ms_drawing_roles(d); i++) {
    uint32_t role = ms_drawing_role_at(d, i);
    ms_json_append(&lines, json_pack("s++", ms_role_name(d, role), ": ", ms_role_color(role)));
  }
  return lines;
}

static json_t *network_attributes(const ms_drawing *d)
{
  const ms_result_header *h = d->header;
  json_t *all =
      json_pack("{s:s+, s:s, s:s+, s:s, s:s, s:I}", "name", "motifsieve: ", ms_drawing_title(d),
                "description", description(d), "tool", "motifsieve ", ms_version(), "command",
                ms_result_command(h->kind), "status", ms_header_status(h),
                ms_drawing_is_screen(d) ? "flagged" : "matches", (json_int_t)h->found);
  if (d->match)
    all = ms_json_add(all, "match", json_integer((json_int_t)d->match));
  if (h->sort)
    all = ms_json_add_text(all, "sort", ms_result_word(MS_WORDS_MEASURE, h->sort));
  if (h->top > 0)
    all = ms_json_add(all, "top", json_integer((json_int_t)h->top));
  if (h->min_density > 0)
    all = ms_json_add(all, "min_density", json_real(h->min_density));
  if (h->min_mean_score > 0)
    all = ms_json_add(all, "min_mean_score", json_real(h->min_mean_score));
  if (h->diverse)
    all = ms_json_add(all, "diverse", json_true());
  if (h->family.share > 0) {
    all = ms_json_add(all, "family_share", json_real(h->family.share));
    all = ms_json_add(all, "family_matches", json_integer((json_int_t)h->family.matches));
  }
  all = ms_json_add_text(all, "vertex_scores", h->vertex_scores.path);
  if (h->has & MS_HAS_SAMPLE) {
    all = ms_json_add(all, "sampled", json_integer((json_int_t)h->sample.rows));
    all = ms_json_add(all, "sampled_from", json_integer((json_int_t)h->sample.from));
    all = ms_json_add(all, "sample_seed", json_integer((json_int_t)h->sample.seed));
  }
  return ms_json_add(add_sieve(add_inputs(all, h), h), "legend", legend(d));
}

/* Returns {"d":TYPE} for each attribute, by the type of its value. */
static json_t *declare(json_t *attributes)
{
  json_t *declarations = json_object();
  const char *key;
  json_t *value;
  json_object_foreach(attributes, key, value)
  {
    const char *type = json_is_integer(value)   ? "long"
                       : json_is_real(value)    ? "double"
                       : json_is_boolean(value) ? "boolean"
                       : json_is_array(value)   ? "list_of_string"
                                                : "string";
    json_object_set_new(declarations, key, json_pack("{s:s}", "d", type));
  }
  if (json_object_size(declarations) == json_object_size(attributes))
    return declarations;
  json_decref(declarations);
  return NULL;
}

/* Returns the attribute that holds the role of a node. */
static const char *role_key(const ms_drawing *d)
{
  return d->screen && !d->flags ? "motif_color" : "role";
}

static json_t *add_declaration(json_t *all, const char *key, const char *type)
{
  return ms_json_add(all, key, json_pack("{s:s}", "d", type));
}

static json_t *node_declarations(const ms_drawing *d)
{
  json_t *all = add_declaration(json_object(), "name", "string");
  if (d->labels)
    all = add_declaration(all, "label", "string");
  if (d->coloring)
    all = add_declaration(all, "colors", "list_of_string");
  if (!d->graph)
    all = add_declaration(all, "type", "string");
  all = add_declaration(all, role_key(d), "string");
  if (!ms_drawing_is_screen(d)) {
    all = add_declaration(all, "matches", "long");
    return add_declaration(all, "match_numbers", "list_of_long");
  }
  all = add_declaration(all, "flagged", "boolean");
  return d->screen && !d->screen->exact ? add_declaration(all, "hits", "long") : all;
}

static const float *scores_of(const ms_drawing *d)
{
  return d->graph ? d->graph->score : NULL;
}

/* Returns the score of an edge with as few digits as a float needs. */
static double score_between(const ms_graph *graph, uint32_t from, uint32_t to)
{
  char text[MS_FLOAT_BYTES];
  return ms_read_real(ms_float_text(graph->score[ms_graph_find_arc(graph, from, to)], text), NULL);
}

static json_t *edge_declarations(const ms_drawing *d)
{
  json_t *all = add_declaration(json_object(), "interaction", "string");
  if (scores_of(d))
    all = add_declaration(all, "score", "double");
  return add_declaration(all, "directed", "boolean");
}

static json_t *node_attributes(const cx2 *x, uint32_t v)
{
  const ms_drawing *d = x->drawing;
  json_t *all = ms_json_add_text(json_object(), "name", ms_drawing_name(d, v));
  if (d->labels)
    all = ms_json_add_text(all, "label", ms_drawing_label(d, v));
  if (d->coloring)
    all = ms_json_add(all, "colors", ms_json_of_colors(d->coloring, v));
  if (!d->graph)
    all = ms_json_add_text(all, "type",
                           ms_typed_vertex_type_name(d->typed, ms_typed_vertex_type(d->typed, v)));
  if (ms_drawing_is_screen(d)) {
    all = ms_json_add(all, "flagged", json_boolean(ms_drawing_is_flagged(d, v)));
    if (d->screen && !d->screen->exact)
      all = ms_json_add(all, "hits", json_integer(d->screen->hits[v]));
  } else {
    all = ms_json_add(all, "matches", json_integer((json_int_t)d->matches[v]));
    all = ms_json_add(all, "match_numbers", numbers_of(x, v));
  }
  uint32_t role = d->role[v];
  return ms_json_add_text(all, role_key(d), role == MS_NO_ID ? NULL : ms_role_name(d, role));
}

/* ---- style --------------------------------------------------------------- */

/* Returns the map from a node's role to a colour. */
static json_t *color_map(const ms_drawing *drawing, const char *color(uint32_t role))
{
  json_t *map = json_array();
  for (uint32_t role = 0; role < ms_drawing_roles(drawing); role++)
    ms_json_append(&map,
                   json_pack("{s:s, s:s}", "v", ms_role_name(drawing, role), "vp", color(role)));
  return map;
}

/* The least and the greatest score of the edges that are drawn. */
typedef struct score_range {
  const ms_graph *graph;
  double least, greatest;
} score_range;

static bool widen_range(void *user, uint32_t from, uint32_t to, const char *type, bool directed)
{
  score_range *range = user;
  double score = score_between(range->graph, from, to);
  (void)type, (void)directed;
  range->least = score < range->least ? score : range->least;
  range->greatest = score > range->greatest ? score : range->greatest;
  return true;
}

/* Adds a map from the scores of edges to their widths, unless all scores are the same. */
static ms_status add_widths(const ms_drawing *drawing, json_t *style, ms_error *err)
{
  score_range range = {drawing->graph, INFINITY, -INFINITY};
  if (!scores_of(drawing))
    return MS_OK;
  MS_TRY(ms_drawing_edges(drawing, widen_range, &range, err));
  json_t *properties = json_array_get(json_object_get(style, "visualProperties"), 0);
  if (range.least < range.greatest &&
      json_object_set_new(json_object_get(properties, "edgeMapping"), "EDGE_WIDTH",
                          json_pack("{s:s, s:{s:s, s:s, s:[{s:f, s:f, s:i, s:i, s:b, s:b}]}}",
                                    "type", "CONTINUOUS", "definition", "attribute", "score",
                                    "type", "double", "map", "min", range.least, "max",
                                    range.greatest, "minVPValue", 1, "maxVPValue", 6, "includeMin",
                                    1, "includeMax", 1)) != 0)
    return ms_fail_memory(err, "the style of a drawing");
  return MS_OK;
}

static json_t *basic_style(const ms_drawing *drawing)
{
  return json_pack(
      "{s:[{s:{s:{s:s}, s:{s:s, s:s, s:s, s:i, s:i, s:i, s:i}, s:{s:s, s:i}}, "
      "s:{s:{s:s, s:{s:s, s:s}}, s:{s:s, s:{s:s, s:s, s:o}}, "
      "s:{s:s, s:{s:s, s:s, s:o}}}, s:{s:{s:s, s:{s:s, s:s, s:[{s:b, s:s}]}}}}]}",
      "visualProperties", "default", "network", "NETWORK_BACKGROUND_COLOR", "#ffffff", "node",
      "NODE_SHAPE", "ellipse", "NODE_BACKGROUND_COLOR", "#ffffff", "NODE_BORDER_COLOR", "#666666",
      "NODE_BORDER_WIDTH", 1, "NODE_WIDTH", 60, "NODE_HEIGHT", 30, "NODE_LABEL_FONT_SIZE", 10,
      "edge", "EDGE_LINE_COLOR", "#999999", "EDGE_WIDTH", 1, "nodeMapping", "NODE_LABEL", "type",
      "PASSTHROUGH", "definition", "attribute", drawing->labels ? "label" : "name", "type",
      "string", "NODE_BACKGROUND_COLOR", "type", "DISCRETE", "definition", "attribute",
      role_key(drawing), "type", "string", "map", color_map(drawing, ms_role_color),
      "NODE_LABEL_COLOR", "type", "DISCRETE", "definition", "attribute", role_key(drawing), "type",
      "string", "map", color_map(drawing, ms_role_label_color), "edgeMapping",
      "EDGE_TARGET_ARROW_SHAPE", "type", "DISCRETE", "definition", "attribute", "directed", "type",
      "boolean", "map", "v", 1, "vp", "triangle");
}

static ms_status put_style(const cx2 *x, ms_error *err)
{
  json_t *style = basic_style(x->drawing);
  ms_status status = style ? add_widths(x->drawing, style, err) : MS_OK;
  if (status == MS_OK)
    return ms_json_put(x->out, style, ",\n", err);
  json_decref(style);
  return status;
}

/* ---- aspects ------------------------------------------------------------- */

static ms_status put_head(const cx2 *x, ms_error *err)
{
  const ms_drawing *d = x->drawing;
  json_t *attributes = network_attributes(d);
  ms_outfile_puts(x->out, "[{\"CXVersion\":\"2.0\",\"hasFragments\":false},\n");
  ms_status status =
      ms_json_put(x->out,
                  json_pack("{s:[{s:s, s:i}, {s:s, s:i}, {s:s, s:I}, {s:s, s:I}, {s:s, s:i}]}",
                            "metaData", "name", "attributeDeclarations", "elementCount", 1, "name",
                            "networkAttributes", "elementCount", 1, "name", "nodes", "elementCount",
                            (json_int_t)d->vertices, "name", "edges", "elementCount",
                            (json_int_t)d->edges, "name", "visualProperties", "elementCount", 1),
                  ",\n", err);
  if (status == MS_OK)
    status = ms_json_put(x->out,
                         json_pack("{s:[{s:o, s:o, s:o}]}", "attributeDeclarations",
                                   "networkAttributes", declare(attributes), "nodes",
                                   node_declarations(d), "edges", edge_declarations(d)),
                         ",\n", err);
  if (status == MS_OK)
    status = ms_json_put(x->out, json_pack("{s:[O]}", "networkAttributes", attributes), ",\n", err);
  json_decref(attributes);
  return status;
}

static ms_status put_nodes(const cx2 *x, ms_error *err)
{
  uint32_t left = x->drawing->vertices;
  ms_status status = MS_OK;
  ms_outfile_puts(x->out, "{\"nodes\":[\n");
  for (uint32_t v = 0; v < x->drawing->n && status == MS_OK; v++) {
    if (ms_watch_ended(x->drawing->watch, v))
      break;
    if (x->drawing->drawn[v])
      status = ms_json_put(x->out,
                           json_pack("{s:I, s:o}", "id", (json_int_t)v, "v", node_attributes(x, v)),
                           --left ? ",\n" : "\n", err);
  }
  ms_outfile_puts(x->out, "]},\n");
  return status == MS_OK ? ms_watch_report(x->drawing->watch, MS_DRAWING_PHASE, err) : status;
}

typedef struct edge_writer {
  const cx2 *x;
  uint64_t written;
  ms_status status;
  ms_error *err;
} edge_writer;

static bool put_edge(void *user, uint32_t from, uint32_t to, const char *type, bool directed)
{
  edge_writer *w = user;
  const ms_drawing *d = w->x->drawing;
  json_t *all =
      json_pack("{s:s, s:b}", "interaction", type ? type : "interacts with", "directed", directed);
  if (scores_of(d))
    all = ms_json_add(all, "score", json_real(score_between(d->graph, from, to)));
  json_t *edge = json_pack("{s:I, s:I, s:I, s:o}", "id", (json_int_t)(d->n + w->written), "s",
                           (json_int_t)from, "t", (json_int_t)to, "v", all);
  w->status = ms_json_put(w->x->out, edge, ++w->written < d->edges ? ",\n" : "\n", w->err);
  return w->status == MS_OK;
}

static ms_status put_edges(const cx2 *x, ms_error *err)
{
  edge_writer w = {.x = x, .err = err};
  ms_outfile_puts(x->out, "{\"edges\":[\n");
  ms_status status = ms_drawing_edges(x->drawing, put_edge, &w, err);
  ms_outfile_puts(x->out, "]},\n");
  return w.status == MS_OK ? status : w.status;
}

ms_status ms_draw_cx2(ms_outfile *out, const ms_drawing *drawing, ms_error *err)
{
  cx2 x = {.drawing = drawing, .out = out};
  ms_status status = ms_json_check(drawing->header, "`MS_FORM_CX2`", err);
  if (status == MS_OK)
    status = find_numbers(&x, err);
  if (status == MS_OK)
    status = put_head(&x, err);
  if (status == MS_OK)
    status = put_nodes(&x, err);
  if (status == MS_OK)
    status = put_edges(&x, err);
  if (status == MS_OK)
    status = put_style(&x, err);
  ms_outfile_puts(out, "{\"status\":[{\"success\":true}]}]\n");
  ms_free(x.first);
  ms_free(x.numbers);
  return status;
}
