#include "query/labels.h"

#include "base/status.h"
#include "graph/formats/detect.h"
#include "graph/formats/typed/typed_read.h"
#include "graph/graph.h"
#include "graph/suggest.h"

#include <string.h>

/* ---- plain patterns -------------------------------------------------------- */

/* The label that all edges have; NULL: they differ, or there are none. */
static const char *only_label(const ms_names *labels, bool some_unlabelled)
{
  return labels && ms_names_count(labels) == 1 && !some_unlabelled ? ms_names_get(labels, 0) : NULL;
}

ms_label_use ms_pattern_label_use(const ms_pattern *pattern, const ms_graph *graph)
{
  if (!pattern->edge_labels)
    return MS_LABELS_UNUSED;
  if (!graph->edge_labels)
    return MS_LABELS_MISSING;
  const char *asked = only_label(pattern->edge_labels, pattern->some_unlabelled);
  const char *found = only_label(graph->edge_labels, graph->some_unlabelled);
  return asked && found && strcmp(asked, found) == 0 ? MS_LABELS_EQUAL : MS_LABELS_TYPED;
}

static const char *list_labels(const ms_names *labels, ms_name_list *list)
{
  *list = (ms_name_list){.used = 0};
  for (uint32_t i = 0; i < ms_names_count(labels); i++) {
    const char *name = ms_names_get(labels, i);
    ms_name_list_add(list, name, strlen(name));
  }
  return ms_name_list_text(list);
}

ms_status ms_pattern_check_labels(const ms_pattern *pattern, const ms_graph *graph, ms_error *err)
{
  ms_name_list list;
  switch (ms_pattern_label_use(pattern, graph)) {
  case MS_LABELS_MISSING:
    return ms_fail(
        err, MS_ERR_INPUT,
        "the edges of the pattern %s have labels (%s), and those of %s have none; give a "
        "graph whose edges have labels, or a pattern without",
        pattern->path, list_labels(pattern->edge_labels, &list), graph->path);
  case MS_LABELS_TYPED:
    return ms_fail(
        err, MS_ERR_INPUT,
        "the edges of the pattern %s have labels (%s), which a search for shapes would "
        "ignore; search for it as a typed pattern in a typed graph, or remove the labels",
        pattern->path, list_labels(pattern->edge_labels, &list));
  default:
    return MS_OK;
  }
}

/* ---- typed patterns -------------------------------------------------------- */

/* True if the pattern edge asks for types of which the graph has none. */
static bool asks_in_vain(const ms_typed_query *query, const ms_typed_pattern_edge *edge)
{
  for (uint32_t t = 0; t < edge->types; t++)
    if (ms_typed_find_arc_type(query->graph,
                               ms_names_get(query->pattern->type_names, edge->type[t])) != MS_NO_ID)
      return false;
  return edge->types > 0;
}

ms_status ms_typed_query_check_labels(const ms_typed_query *query, ms_error *err)
{
  const ms_typed_pattern *pattern = query->pattern;
  if (pattern->lone_relation || ms_typed_has_labels(query->graph))
    return MS_OK;
  for (uint32_t e = 0; e < pattern->edges; e++)
    if (asks_in_vain(query, &pattern->edge[e]))
      return ms_fail(err, MS_ERR_INPUT,
                     "%s%s asks for edges of the type '%s', and the edges of %s have no types or "
                     "labels; give a graph that has them, choose the column that holds them "
                     "(`type_column`), or give a pattern whose edges accept any",
                     strcmp(pattern->path, "the pattern") == 0 ? "" : "the pattern ", pattern->path,
                     ms_names_get(pattern->type_names, pattern->edge[e].type[0]),
                     query->graph->path);
  return MS_OK;
}

/* ---- files ----------------------------------------------------------------- */

static ms_status refuse_colors(const char *path, const char *colors_path, ms_error *err)
{
  if (!colors_path)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "%s: a table of the pattern's colours is given, but the pattern has types of its "
                 "own; leave the table out",
                 path);
}

static ms_status read_graph_file(const char *path, ms_text *text, const ms_graph_options *plain,
                                 const ms_typed_options *given, const char *colors_path,
                                 ms_any_pattern *out, ms_error *err)
{
  ms_typed_options typed = *given;
  ms_typed *typed_graph = NULL;
  ms_graph *graph = NULL;
  if (typed.format == MS_TYPED_AUTO)
    typed.format = ms_typed_format_of(plain->format);
  bool only_plain = plain->format != MS_FORMAT_AUTO && typed.format == MS_TYPED_AUTO;
  ms_status status = only_plain ? ms_graph_read_text(path, text, plain, &graph, err)
                                : ms_typed_read_or_plain_text(path, text, &typed, plain,
                                                              &typed_graph, &graph, err);
  if (status == MS_OK && typed_graph) {
    status = refuse_colors(path, colors_path, err);
    if (status == MS_OK)
      status = ms_typed_pattern_from_graph(typed_graph, path, &out->typed, err);
  } else if (status == MS_OK) {
    status = ms_pattern_from_graph(graph, path, colors_path, &out->plain, err);
  }
  ms_typed_free(typed_graph);
  ms_graph_free(graph);
  return status;
}

ms_status ms_any_pattern_read(const char *path, const ms_graph_options *plain,
                              const ms_typed_options *typed, const char *colors_path,
                              ms_any_pattern *out, ms_error *err)
{
  ms_text *text = NULL;
  bool is_text = false;
  *out = (ms_any_pattern){NULL, NULL, false};
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_is_pattern_text(path, text, &is_text, err);
  if (status == MS_OK && is_text) {
    out->is_notation = true;
    status = refuse_colors(path, colors_path, err);
    if (status == MS_OK)
      status = ms_typed_pattern_read_text(text, path, &out->typed, err);
  } else if (status == MS_OK) {
    status = read_graph_file(path, text, plain, typed, colors_path, out, err);
  }
  ms_text_close(text);
  if (status != MS_OK)
    ms_any_pattern_free(out);
  return status;
}

void ms_any_pattern_free(ms_any_pattern *pattern)
{
  ms_pattern_free(pattern->plain);
  ms_typed_pattern_free(pattern->typed);
  *pattern = (ms_any_pattern){NULL, NULL, false};
}
