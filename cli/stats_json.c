/* Writes the counts of stats as one JSON object. */
#include "cli/stats.h"
#include "result/json.h"
#include "result/writer.h"

static json_t *graph_object(const ms_stats_work *w)
{
  ms_graph_info g = ms_graph_describe(w->graph);
  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:{s:I, s:I, s:I, s:I}}", "path", g.path, "format",
                   ms_graph_format_describe(g.format).name, "vertices", (json_int_t)g.vertices,
                   "edges", (json_int_t)g.edges, "lines", (json_int_t)g.lines, "dropped",
                   "self_loops", (json_int_t)g.self_loops, "duplicates", (json_int_t)g.duplicates,
                   "below_score", (json_int_t)g.below_score, "filtered", (json_int_t)g.filtered);
}

static json_t *degrees_object(const ms_graph_stats *s)
{
  json_t *classes = json_array();
  for (uint32_t c = 0; c < MS_DEGREE_CLASSES; c++) {
    json_int_t from = c ? (json_int_t)1 << (c - 1) : 0;
    if (s->degrees[c] > 0)
      ms_json_append(&classes, json_pack("{s:I, s:I, s:I}", "from", from, "to",
                                         c ? 2 * from - 1 : (json_int_t)0, "vertices",
                                         (json_int_t)s->degrees[c]));
  }
  return json_pack("{s:I, s:I, s:f, s:f, s:I, s:o}", "isolated", (json_int_t)s->isolated, "min",
                   (json_int_t)s->min_degree, "median", s->median_degree, "mean", s->mean_degree,
                   "max", (json_int_t)s->max_degree, "histogram", classes);
}

static json_t *components_object(const ms_graph_stats *s)
{
  return json_pack("{s:I, s:I, s:I}", "count", (json_int_t)s->components, "largest_vertices",
                   (json_int_t)s->largest, "largest_edges", (json_int_t)s->largest_edges);
}

static json_t *colors_object(const ms_stats_work *w)
{
  ms_coloring_info c = ms_coloring_describe(w->coloring);
  json_t *rows = json_array();
  for (uint32_t i = 0; i < ms_stats_shown(w); i++) {
    uint32_t color = w->colors.order[i];
    ms_json_append(&rows, json_pack("{s:s, s:I}", "color", ms_coloring_name(w->coloring, color),
                                    "vertices", (json_int_t)w->colors.vertices[color]));
  }
  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "path", c.path, "format",
                   ms_color_format_name(c.format), "colors", (json_int_t)c.colors, "assignments",
                   (json_int_t)c.assignments, "duplicates", (json_int_t)c.duplicates,
                   "unknown_vertices", (json_int_t)c.unknown_vertices, "uncolored",
                   (json_int_t)w->colors.uncolored, "most", (json_int_t)w->colors.most,
                   "frequencies", rows);
}

static json_t *motif_object(const ms_stats_work *w)
{
  const ms_motif_stats *s = &w->left;
  json_t *classes = json_array();
  for (uint32_t c = 0; c < s->classes; c++)
    ms_json_append(&classes, json_pack("{s:s, s:I, s:I, s:b}", "color", ms_stats_class_name(w, c),
                                       "slots", (json_int_t)w->motif->class_[c].count, "vertices",
                                       (json_int_t)s->have[c], "missing",
                                       s->have[c] < w->motif->class_[c].count));
  return json_pack("{s:s, s:I, s:o, s:{s:I, s:I, s:I, s:I}, s:{s:I, s:I, s:I}}", "text",
                   ms_motif_text(w->motif), "slots", (json_int_t)ms_motif_size(w->motif), "colors",
                   classes, "pruned", "no_slot", (json_int_t)s->pruned.no_slot, "edges_one_slot",
                   (json_int_t)s->pruned.edges_one_slot, "poor_component",
                   (json_int_t)s->pruned.poor_component, "too_far", (json_int_t)s->pruned.too_far,
                   "left", "vertices", (json_int_t)s->vertices, "edges", (json_int_t)s->edges,
                   "components", (json_int_t)s->components);
}

static json_t *stats_object(const ms_stats_work *w)
{
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o}", "tool", "motifsieve", "version",
                ms_version(), "command", "stats", "schema", 1, "graph", graph_object(w), "degrees",
                degrees_object(&w->counted), "components", components_object(&w->counted));
  bool whole = object != NULL;
  if (whole && w->coloring)
    whole = json_object_set_new(object, "colors", colors_object(w)) == 0;
  if (whole && w->motif)
    whole = json_object_set_new(object, "motif", motif_object(w)) == 0;
  if (whole)
    return object;
  json_decref(object);
  return NULL;
}

ms_status ms_stats_json(ms_outfile *out, const ms_stats_work *w, ms_error *err)
{
  ms_result_header inputs = {.kind = MS_KIND_SCREEN}; /* a screen has the same inputs */
  ms_describe_graph(&inputs, w->graph, &w->options->graph);
  ms_describe_coloring(&inputs, w->coloring, &w->options->coloring);
  ms_status status = ms_json_check(&inputs, "--json", err);
  return status == MS_OK ? ms_json_put(out, stats_object(w), "\n", err) : status;
}
