/* The header of typed matches in JSON. */
#include "verify/result_json.h"

#include "graph/io/typed_read.h"

#include <string.h>

static bool read_graph(ms_result_header *h, json_t *graph)
{
  ms_result_typed *typed = &h->typed;
  ms_typed_options *o = &typed->reading;
  const char *text;
  return ms_get_text(graph, "path", &text) && ms_get_crc32c(graph, "crc32c", &h->graph_crc32c) &&
         ms_get_uint32(graph, "vertices", &h->vertices) &&
         ms_get_count(graph, "edges", INT64_MAX, &h->edges) &&
         ms_get_text(graph, "format", &text) && ms_typed_format_find(text, &o->format) &&
         ms_get_file(graph, "nodes", &typed->nodes) &&
         ms_get_file(graph, "relations", &typed->relations) &&
         ms_get_directed(graph, &o->directed) &&
         ms_get_setting(graph, "node_name_column", &o->node_name_column) &&
         ms_get_setting(graph, "node_type_column", &o->node_type_column) &&
         ms_get_setting(graph, "source_column", &o->source_column) &&
         ms_get_setting(graph, "target_column", &o->target_column) &&
         ms_get_setting(graph, "type_column", &o->type_column) &&
         ms_get_setting(graph, "source_type_column", &o->source_type_column) &&
         ms_get_setting(graph, "target_type_column", &o->target_type_column) &&
         ms_has_only_keys(graph,
                          "path crc32c vertices edges format nodes relations directed "
                          "node_name_column node_type_column source_column target_column "
                          "type_column source_type_column target_type_column ",
                          &text);
}

/* What is wrong, or NULL.  A plain graph's object tells more. */
static const char *read_inputs(ms_result_header *h, json_t *object)
{
  json_t *graph = json_object_get(object, "graph"), *colors = json_object_get(object, "colors");
  h->typed.plain = json_object_get(graph, "min_score") != NULL;
  if (h->typed.plain ? !ms_read_json_graph(h, graph) : !read_graph(h, graph)) {
    return "graph";
  }
  return colors && (!h->typed.plain || !ms_read_json_colors(h, colors)) ? "colors" : NULL;
}

static bool read_pattern(ms_result_pattern *pattern, json_t *object)
{
  const char *text;
  const json_t *names = json_object_get(object, "names");
  const char *origin = json_object_get(object, "text") ? "text" : "path";
  bool ok = ms_get_text(object, origin, &pattern->file.path) &&
            ms_get_crc32c(object, "crc32c", &pattern->file.crc32c) &&
            ms_get_uint32(object, "vertices", &pattern->vertices) && pattern->vertices > 0 &&
            pattern->vertices <= MS_MAX_PATTERN &&
            ms_get_count(object, "edges", INT64_MAX, &pattern->edges) &&
            json_array_size(names) == pattern->vertices && json_object_size(object) == 5 &&
            ms_has_only_keys(object, "text path crc32c vertices edges names ", &text);
  for (uint32_t i = 0; ok && i < pattern->vertices; i++) {
    pattern->names[i] = json_string_value(json_array_get(names, i));
    ok = pattern->names[i] != NULL;
  }
  return ok;
}

const char *ms_read_json_typed(ms_result_header *h, json_t *object)
{
  const char *text, *wrong = ms_read_json_tool(object, "typed-match");
  if (!wrong) {
    wrong = read_inputs(h, object);
  }
  if (wrong) {
    return wrong;
  }
  if (!read_pattern(&h->pattern, json_object_get(object, "pattern"))) {
    return "pattern";
  }
  h->k = h->pattern.vertices;
  if (!ms_get_text(object, "mode", &text)) {
    return "mode";
  }
  h->typed.inexact = strcmp(text, "inexact") == 0;
  if (h->typed.inexact) {
    return NULL;
  }
  h->exact = strcmp(text, "exact") == 0;
  if (!h->exact) {
    return "mode";
  }
  if (!ms_get_text(object, "semantics", &text) ||
      (strcmp(text, "subgraphs") != 0 && strcmp(text, "embeddings") != 0)) {
    return "semantics";
  }
  h->pattern.embeddings = strcmp(text, "embeddings") == 0;
  return ms_get_text(object, "automorphisms", &h->pattern.automorphisms) ? NULL : "automorphisms";
}
