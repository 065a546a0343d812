/* motifsieve stats: counts vertices, edges, degrees, components, and colours or types; prints
 * KEY<TAB>VALUE on each line, or one JSON object. */
#include "run/stats.h"
#include "base/status.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/options/option_table.h"
#include "result/header.h"
#include "result/json.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

#define FEW_COLORS 20u /* colours, or types, shown without --all */

typedef struct stats_work {
  const ms_cli_options *options;
  ms_typed *typed;       /* NULL: the edges have no types */
  ms_graph *graph;       /* of a typed graph, the pairs of adjacent vertices */
  ms_coloring *coloring; /* NULL: none; of a typed graph, the types of vertices */
  ms_motif *motif;       /* NULL: none */
  ms_graph_stats counted;
  ms_color_stats colors;
  ms_type_stats types;
  ms_motif_stats left;
} stats_work;

/* Returns how many of `all` colours, or types, are shown. */
static uint32_t number_shown(const stats_work *w, uint32_t all)
{
  return w->options->all || all < FEW_COLORS ? all : FEW_COLORS;
}

static bool has_direction(const stats_work *w, uint32_t type)
{
  return ms_typed_inverse(w->typed, type) != type;
}

static const char *class_name(const stats_work *w, uint32_t c)
{
  return ms_class_name(&w->motif->class_[c], w->coloring);
}

/* ---- TSV ----------------------------------------------------------------- */

static void put_count(ms_outfile *out, const char *key, uint64_t value)
{
  ms_outfile_printf(out, "%s\t%" PRIu64 "\n", key, value);
}

static void put_path(ms_outfile *out, const char *key, const char *path)
{
  ms_outfile_printf(out, "%s\t", key);
  ms_put_path(out, path);
  ms_outfile_puts(out, "\n");
}

static void put_degrees(ms_outfile *out, const ms_graph_stats *s)
{
  put_count(out, "isolated vertices", s->isolated);
  put_count(out, "least degree", s->min_degree);
  ms_outfile_printf(out, "median degree\t%g\nmean degree\t%.6g\n", s->median_degree,
                    s->mean_degree);
  put_count(out, "highest degree", s->max_degree);
  for (uint32_t c = 0; c < MS_DEGREE_CLASSES; c++) {
    char key[64];
    uint64_t from = c ? UINT64_C(1) << (c - 1) : 0, to = c ? 2 * from - 1 : 0;
    if (s->degrees[c] == 0)
      continue;
    snprintf(key, sizeof key,
             from == to ? "vertices of degree %" PRIu64 : "vertices of degree %" PRIu64 "-%" PRIu64,
             from, to);
    put_count(out, key, s->degrees[c]);
  }
}

/* Writes the numbers of edges.  A typed graph keeps its self-loops and parallel edges. */
static void put_typed(ms_outfile *out, const stats_work *w)
{
  ms_typed_info g = ms_typed_describe(w->typed);
  put_path(out, "graph", g.path);
  ms_outfile_printf(out, "format\t%s\n", ms_result_word(MS_WORDS_PATH_FORMAT, g.format));
  put_count(out, "vertices", g.vertices);
  put_count(out, "edges", g.edges);
  put_count(out, "lines read", g.lines);
  put_count(out, "self-loops", g.self_loops);
  put_count(out, "repeated lines", g.repeats);
  put_count(out, "dropped below the score", g.below_score);
  put_count(out, "pairs of adjacent vertices", w->counted.edges);
}

static void put_plain(ms_outfile *out, const stats_work *w)
{
  ms_graph_info g = ms_graph_describe(w->graph);
  put_path(out, "graph", g.path);
  ms_outfile_printf(out, "format\t%s\n", ms_graph_format_describe(g.format).name);
  put_count(out, "vertices", g.vertices);
  put_count(out, "edges", g.edges);
  put_count(out, "lines read", g.lines);
  put_count(out, "dropped self-loops", g.self_loops);
  put_count(out, "repeated lines", g.duplicates);
  put_count(out, "dropped below the score", g.below_score);
  put_count(out, "dropped by taxon or system", g.filtered);
}

static void put_graph(ms_outfile *out, const stats_work *w)
{
  if (w->typed)
    put_typed(out, w);
  else
    put_plain(out, w);
  put_degrees(out, &w->counted);
  put_count(out, "components", w->counted.components);
  put_count(out, "vertices of the largest component", w->counted.largest);
  put_count(out, "edges of the largest component", w->counted.largest_edges);
}

static void put_colors(ms_outfile *out, const stats_work *w)
{
  ms_coloring_info c = ms_coloring_describe(w->coloring);
  put_path(out, "color file", c.path);
  ms_outfile_printf(out, "color format\t%s\n", ms_color_format_name(c.format));
  put_count(out, "colors", c.colors);
  put_count(out, "assignments", c.assignments);
  put_count(out, "repeated assignments", c.duplicates);
  put_count(out, "lines of unknown vertices", c.unknown_vertices);
  put_count(out, "lines without color", c.colorless);
  put_count(out, "vertices without color", w->colors.uncolored);
  put_count(out, "most colors of a vertex", w->colors.most);
  put_count(out, "colors shown", number_shown(w, w->colors.colors));
  for (uint32_t i = 0; i < number_shown(w, w->colors.colors); i++) {
    uint32_t color = w->colors.order[i];
    ms_outfile_printf(out, "color\t%s\t%" PRIu32 "\n", ms_coloring_name(w->coloring, color),
                      w->colors.vertices[color]);
  }
}

/* Writes lines "vertex type<TAB>NAME<TAB>vertices" and "edge type<TAB>NAME<TAB>edges", with
 * "directed" at the end of the line of a type whose edges have a direction. */
static void put_types(ms_outfile *out, const stats_work *w)
{
  const ms_type_stats *s = &w->types;
  put_count(out, "vertex types", s->vertex_types);
  put_count(out, "vertex types shown", number_shown(w, s->vertex_types));
  for (uint32_t i = 0; i < number_shown(w, s->vertex_types); i++) {
    uint32_t type = s->vertex_order[i];
    ms_outfile_printf(out, "vertex type\t%s\t%" PRIu32 "\n",
                      ms_typed_vertex_type_name(w->typed, type), s->vertices[type]);
  }
  put_count(out, "edge types", s->edge_types);
  put_count(out, "edge types shown", number_shown(w, s->edge_types));
  for (uint32_t i = 0; i < number_shown(w, s->edge_types); i++) {
    uint32_t type = s->edge_order[i];
    ms_outfile_printf(out, "edge type\t%s\t%" PRIu64 "%s\n", ms_typed_arc_type_name(w->typed, type),
                      s->edges[type], has_direction(w, type) ? "\tdirected" : "");
  }
}

/* Writes lines "motif color<TAB>NAME<TAB>slots<TAB>vertices", with "missing" where the vertices are
 * too few. */
static void put_motif(ms_outfile *out, const stats_work *w)
{
  const ms_motif_stats *s = &w->left;
  ms_outfile_printf(out, "motif\t%s\n", ms_motif_text(w->motif));
  put_count(out, "motif slots", ms_motif_size(w->motif));
  for (uint32_t c = 0; c < s->classes; c++)
    ms_outfile_printf(out, "motif color\t%s\t%" PRIu32 "\t%" PRIu32 "%s\n", class_name(w, c),
                      w->motif->class_[c].count, s->have[c],
                      s->have[c] < w->motif->class_[c].count ? "\tmissing" : "");
  put_count(out, "pruned vertices without slot", s->pruned.no_slot);
  put_count(out, "pruned edges within one slot", s->pruned.edges_one_slot);
  put_count(out, "pruned vertices of poor components", s->pruned.poor_component);
  put_count(out, "pruned vertices too far from a slot", s->pruned.too_far);
  put_count(out, "vertices left", s->vertices);
  put_count(out, "edges left", s->edges);
  put_count(out, "components left", s->components);
}

/* ---- JSON ---------------------------------------------------------------- */

static json_t *typed_object(const stats_work *w)
{
  ms_typed_info g = ms_typed_describe(w->typed);
  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:{s:I}}", "path", g.path, "format",
                   ms_result_word(MS_WORDS_PATH_FORMAT, g.format), "vertices",
                   (json_int_t)g.vertices, "edges", (json_int_t)g.edges, "lines",
                   (json_int_t)g.lines, "self_loops", (json_int_t)g.self_loops, "duplicates",
                   (json_int_t)g.repeats, "pairs", (json_int_t)w->counted.edges, "dropped",
                   "below_score", (json_int_t)g.below_score);
}

static json_t *graph_object(const stats_work *w)
{
  if (w->typed)
    return typed_object(w);
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

static json_t *colors_object(const stats_work *w)
{
  ms_coloring_info c = ms_coloring_describe(w->coloring);
  json_t *rows = json_array();
  for (uint32_t i = 0; i < number_shown(w, w->colors.colors); i++) {
    uint32_t color = w->colors.order[i];
    ms_json_append(&rows, json_pack("{s:s, s:I}", "color", ms_coloring_name(w->coloring, color),
                                    "vertices", (json_int_t)w->colors.vertices[color]));
  }
  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "path", c.path, "format",
                   ms_color_format_name(c.format), "colors", (json_int_t)c.colors, "assignments",
                   (json_int_t)c.assignments, "duplicates", (json_int_t)c.duplicates,
                   "unknown_vertices", (json_int_t)c.unknown_vertices, "colorless_lines",
                   (json_int_t)c.colorless, "uncolored", (json_int_t)w->colors.uncolored, "most",
                   (json_int_t)w->colors.most, "frequencies", rows);
}

static json_t *types_object(const stats_work *w)
{
  const ms_type_stats *s = &w->types;
  json_t *vertices = json_array(), *edges = json_array();
  for (uint32_t i = 0; i < number_shown(w, s->vertex_types); i++) {
    uint32_t type = s->vertex_order[i];
    ms_json_append(&vertices,
                   json_pack("{s:s, s:I}", "type", ms_typed_vertex_type_name(w->typed, type),
                             "vertices", (json_int_t)s->vertices[type]));
  }
  for (uint32_t i = 0; i < number_shown(w, s->edge_types); i++) {
    uint32_t type = s->edge_order[i];
    ms_json_append(
        &edges, json_pack("{s:s, s:I, s:b}", "type", ms_typed_arc_type_name(w->typed, type),
                          "edges", (json_int_t)s->edges[type], "directed", has_direction(w, type)));
  }
  return json_pack("{s:I, s:I, s:o, s:o}", "vertex_types", (json_int_t)s->vertex_types,
                   "edge_types", (json_int_t)s->edge_types, "vertices", vertices, "edges", edges);
}

static json_t *motif_object(const stats_work *w)
{
  const ms_motif_stats *s = &w->left;
  json_t *classes = json_array();
  for (uint32_t c = 0; c < s->classes; c++)
    ms_json_append(&classes, json_pack("{s:s, s:I, s:I, s:b}", "color", class_name(w, c), "slots",
                                       (json_int_t)w->motif->class_[c].count, "vertices",
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

static json_t *stats_object(const stats_work *w)
{
  json_t *object =
      json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o}", "tool", "motifsieve", "version",
                ms_version(), "command", "stats", "schema", 1, "graph", graph_object(w), "degrees",
                degrees_object(&w->counted), "components", components_object(&w->counted));
  if (w->typed)
    object = ms_json_add(object, "types", types_object(w));
  else if (w->coloring)
    object = ms_json_add(object, "colors", colors_object(w));
  return w->motif ? ms_json_add(object, "motif", motif_object(w)) : object;
}

static ms_status write_json(ms_outfile *out, const stats_work *w, ms_error *err)
{
  ms_result_header inputs = {.kind = MS_KIND_SCREEN}; /* a screen has the same inputs */
  ms_describe_graph(&inputs, w->graph, &w->options->graph);
  ms_describe_coloring(&inputs, w->coloring, &w->options->coloring);
  ms_status status = ms_json_check(&inputs, "--json", err);
  return status == MS_OK ? ms_json_put(out, stats_object(w), "\n", err) : status;
}

/* ---- counting ------------------------------------------------------------ */

static ms_status count_motif(stats_work *w, ms_error *err)
{
  ms_query *query = NULL;
  ms_status status = ms_query_new(w->graph, w->coloring, w->motif, 0, NULL, &query, err);
  if (status == MS_OK)
    status = ms_query_measure(query, &w->left, err);
  ms_query_free(query);
  return status;
}

/* Reads the graph and its colours.  Options of plain graphs, such as --colors, leave types of edges
 * out. */
static ms_status read_graph(stats_work *w, bool motif, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_job job = {.options = o};
  if (ms_option_given_of(o, MS_OPTIONS_OF_PLAIN_GRAPH) && !ms_has_typed_options(o)) {
    MS_TRY(ms_read_graph(o, &w->graph, err));
  } else {
    ms_status status = ms_read_typed_or_plain(&job, err);
    w->typed = job.typed;
    w->graph = job.graph;
    MS_TRY(status);
    if (w->typed)
      return ms_typed_plain(w->typed, o->typed.run.threads, &w->graph, &w->coloring, err);
    MS_TRY(ms_read_aliases(o, w->graph, err));
  }
  motif |= ms_graph_describe(w->graph).motif_size > 0;
  MS_TRY(ms_read_colors(o, w->graph, motif, &w->coloring, err));
  if (w->coloring && !o->quiet)
    ms_warn_of_colors(w->coloring, NULL);
  return MS_OK;
}

static ms_status count_all(stats_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  bool motif = ms_motif_is_given(o);
  ms_limit_memory(o->list.screen.run.memory);
  ms_status status = read_graph(w, motif, err);
  if (status == MS_OK)
    motif |= ms_graph_describe(w->graph).motif_size > 0;
  if (status == MS_OK && motif)
    status = ms_read_motif(o, w->graph, w->coloring, &w->motif, err);
  ms_limit_memory(0);
  if (status == MS_OK && o->verbose) {
    if (w->typed)
      ms_print_typed(w->typed);
    else
      ms_print_inputs(w->graph, w->coloring);
  }
  if (status == MS_OK)
    status = ms_graph_measure(w->graph, &w->counted, err);
  if (status == MS_OK && w->typed)
    status = ms_typed_measure(w->typed, &w->types, err);
  else if (status == MS_OK && w->coloring)
    status = ms_coloring_measure(w->coloring, &w->colors, err);
  return status == MS_OK && motif ? count_motif(w, err) : status;
}

/* ---- the command ---------------------------------------------------------- */

static ms_status write_stats(const stats_work *w, ms_error *err)
{
  ms_outfile *out;
  ms_status status = ms_outfile_open(w->options->output, &out, err);
  if (status != MS_OK)
    return status;
  if (w->options->json) {
    status = write_json(out, w, err);
  } else {
    put_graph(out, w);
    if (w->typed)
      put_types(out, w);
    else if (w->coloring)
      put_colors(out, w);
    if (w->motif)
      put_motif(out, w);
  }
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}

int ms_run_stats(const ms_cli_options *o)
{
  ms_error err;
  stats_work work = {.options = o};
  ms_status status = count_all(&work, &err);
  if (status == MS_OK)
    status = write_stats(&work, &err);
  ms_color_stats_clear(&work.colors);
  ms_type_stats_clear(&work.types);
  ms_motif_free(work.motif);
  ms_coloring_free(work.coloring);
  ms_graph_free(work.graph);
  ms_typed_free(work.typed);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
