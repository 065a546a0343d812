/* ms_pattern_read: reads a graph file as a pattern.  Its vertices accept the
 * colours that are their labels in the file, or those that a table gives
 * instead:
 *
 *   a<TAB>kinase        a vertex with several lines accepts each of their colours
 *   a<TAB>phosphatase
 *   b<TAB>*             any colour, as if b had no line
 *
 * Lines are split in the same way as in other colour files. */
#include "query/pattern_notation.h"

#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/formats/colors/read.h"
#include "graph/formats/format.h"
#include "graph/graph.h"
#include "graph/io/edges/edges.h"
#include "graph/suggest.h"

#include <string.h>

/* ---- shape --------------------------------------------------------------- */

static ms_status check_shape(const ms_graph *graph, ms_error *err)
{
  if (graph->n > MS_MAX_PATTERN)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds %u vertices, but a pattern has at most %u; give a smaller one",
                   graph->path, graph->n, MS_MAX_PATTERN);
  uint64_t alone = 0; /* an edge list and SIF state a vertex without edges as "v v" */
  for (uint32_t v = 0; v < graph->n; v++)
    alone += graph->offset[v] == graph->offset[v + 1];
  if (graph->info.format != MS_FORMAT_EDGE_LIST && graph->info.format != MS_FORMAT_SIF)
    alone = 0;
  if (graph->info.self_loops > alone)
    return ms_fail(
        err, MS_ERR_INPUT,
        "%s: joins a vertex to itself; graphs have no such edges, so nothing could match; "
        "remove that edge",
        graph->path);
  return MS_OK;
}

static void join_all(ms_pattern *pattern, const ms_graph *graph)
{
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t degree;
    const uint32_t *neighbor = ms_graph_neighbors(graph, v, &degree);
    const uint8_t *arcs = ms_graph_arcs(graph, v);
    for (uint32_t i = 0; i < degree; i++)
      if (!arcs || (arcs[i] & MS_ARC_TO))
        ms_pattern_join(pattern, v, neighbor[i]);
  }
}

/* ---- colours ------------------------------------------------------------- */

static bool is_any(ms_field color)
{
  return ms_field_is(color, "*");
}

/* Adds the colours of each vertex that does not accept any colour. */
static ms_status accept_all(ms_pattern *pattern, const bool *any, const ms_names *names,
                            const ms_pairs *pairs, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint64_t i = 0; i < pairs->count && status == MS_OK; i++) {
    uint32_t v = pairs->pair[i][0];
    const char *name = ms_names_get(names, pairs->pair[i][1]);
    if (!any[v])
      status = ms_pattern_accept_text(pattern, v, name, strlen(name), err);
  }
  return status;
}

static ms_status accept_labels(ms_pattern *pattern, const ms_graph *graph, ms_error *err)
{
  bool any[MS_MAX_PATTERN] = {false};
  for (uint64_t i = 0; i < graph->colors.count; i++) {
    const char *name = ms_names_get(graph->color_names, graph->colors.pair[i][1]);
    any[graph->colors.pair[i][0]] |= is_any((ms_field){name, strlen(name)});
  }
  return accept_all(pattern, any, graph->color_names, &graph->colors, err);
}

static ms_status unknown_vertex(const ms_text *text, const ms_pattern *pattern, ms_field name,
                                ms_error *err)
{
  ms_name_list known = {.used = 0};
  for (uint32_t v = 0; v < pattern->n; v++) {
    const char *vertex = ms_names_get(pattern->names, v);
    ms_name_list_add(&known, vertex, strlen(vertex));
  }
  return ms_text_fail(text, err, "the pattern %s has no vertex '%.*s'; use one of %s",
                      pattern->path, ms_name_clip(name.text, name.length), name.text,
                      ms_name_list_text(&known));
}

typedef struct accepted {
  bool any[MS_MAX_PATTERN];
  ms_names *names;
  ms_pairs pairs; /* (vertex, colour), with repeats */
} accepted;

static ms_status read_row(ms_text *text, ms_delimiter delimiter, const ms_pattern *pattern,
                          accepted *rows, ms_error *err)
{
  ms_field fields[3];
  bool extra;
  uint32_t color;
  ms_status status = ms_color_row(text, delimiter, fields, &extra, err);
  if (status == MS_OK)
    status = ms_text_check_name(text, fields[1], "colour", err);
  if (status != MS_OK)
    return status;
  uint32_t v = ms_names_find(pattern->names, fields[0].text, fields[0].length);
  if (v == MS_NO_ID)
    return unknown_vertex(text, pattern, fields[0], err);
  if (is_any(fields[1])) {
    rows->any[v] = true;
    return MS_OK;
  }
  status = ms_names_add(rows->names, fields[1].text, fields[1].length, &color, err);
  return status == MS_OK ? ms_pairs_add(&rows->pairs, v, color, err) : status;
}

static ms_status read_rows(ms_text *text, const ms_pattern *pattern, accepted *rows, ms_error *err)
{
  ms_status status = ms_text_next_data(text, err);
  if (status == MS_OK && !text->line)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds no colours; give lines of pattern vertex and colour, or leave the "
                   "file out",
                   text->label);
  ms_delimiter delimiter = status == MS_OK ? ms_color_delimiter(text) : MS_TAB;
  while (status == MS_OK && text->line) {
    status = read_row(text, delimiter, pattern, rows, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status;
}

ms_status ms_pattern_read_colors(ms_pattern *pattern, const char *path, ms_error *err)
{
  MS_REQUIRE(pattern, err);
  MS_REQUIRE(path, err);
  accepted rows = {.names = NULL};
  ms_text *text = NULL;
  ms_status status = ms_names_new(&rows.names, err);
  if (status == MS_OK)
    status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = read_rows(text, pattern, &rows, err);
  if (status == MS_OK)
    status = accept_all(pattern, rows.any, rows.names, &rows.pairs, err);
  if (status == MS_OK) {
    pattern->colors_crc32c = text->crc32c;
    ms_free(pattern->colors_path); /* of colours that were read before */
    pattern->colors_path = ms_strdup(path);
    status = pattern->colors_path ? MS_OK : ms_fail_memory(err, "a path");
  }
  ms_text_close(text);
  ms_names_free(rows.names);
  ms_free(rows.pairs.pair);
  return status;
}

/* ---- entry point --------------------------------------------------------- */

ms_status ms_pattern_from_graph(ms_graph *graph, const char *path, const char *colors_path,
                                ms_pattern **out, ms_error *err)
{
  *out = NULL;
  MS_TRY(check_shape(graph, err));
  if (graph->info.layout.unread_words > 0)
    return ms_fail(
        err, MS_ERR_INPUT,
        "%s: column %u holds words, such as '%s', which the pattern would ignore; if they "
        "are types of edges, write a first line 'from to type', otherwise remove them",
        path, graph->info.layout.unread_words, graph->info.layout.unread_word);
  MS_TRY(ms_pattern_new(graph->n, ms_graph_directed(graph), graph->names, path, out, err));
  ms_pattern *pattern = *out;
  join_all(pattern, graph);
  pattern->source = MS_PATTERN_FILE;
  pattern->crc32c = graph->info.crc32c;
  pattern->format = graph->info.format;
  pattern->edge_labels = graph->edge_labels;
  pattern->some_unlabelled = graph->some_unlabelled;
  graph->edge_labels = NULL;
  ms_status status = colors_path          ? ms_pattern_read_colors(pattern, colors_path, err)
                     : graph->color_names ? accept_labels(pattern, graph, err)
                                          : MS_OK;
  if (status != MS_OK) {
    ms_pattern_free(pattern);
    *out = NULL;
  }
  return status;
}

static ms_status read_graph(const char *path, ms_text *text, const ms_graph_options *options,
                            const char *colors_path, ms_pattern **out, ms_error *err)
{
  ms_graph *graph = NULL;
  ms_status status = ms_graph_read_text(path, text, options, &graph, err);
  if (status == MS_OK)
    status = ms_pattern_from_graph(graph, path, colors_path, out, err);
  ms_graph_free(graph);
  return status;
}

static ms_status read_notation(const char *path, ms_text *text, bool directed,
                               const char *colors_path, ms_pattern **out, ms_error *err)
{
  ms_typed_pattern *pattern = NULL;
  if (colors_path)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: a pattern in Cypher's notation already states its colours, as in (a:red); "
                   "leave the table of its colours out",
                   text->label);
  ms_status status = ms_typed_pattern_read_text(text, path, &pattern, err);
  if (status == MS_OK)
    status = ms_pattern_of_notation(pattern, directed, path, MS_PATTERN_FILE, out, err);
  ms_typed_pattern_free(pattern);
  return status;
}

ms_status ms_pattern_read(const char *path, const ms_graph_options *options,
                          const char *colors_path, ms_pattern **out, ms_error *err)
{
  ms_text *text = NULL;
  bool is_text = false;
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  ms_graph_options o;
  MS_TRY(ms_options_take(&ms_graph_options_kind, options, &o, err));
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK && o.format == MS_FORMAT_AUTO)
    status = ms_is_pattern_text(path, text, &is_text, err);
  if (status == MS_OK)
    status = is_text ? read_notation(path, text, o.directed, colors_path, out, err)
                     : read_graph(path, text, &o, colors_path, out, err);
  ms_text_close(text);
  return status;
}
