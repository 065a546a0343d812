/* Fills a header from the inputs and the outcome of a run. */
#include "graph/graph.h"
#include "query/pattern.h"
#include "query/query.h"
#include "query/substitutes.h"
#include "result/writer.h"

#include <string.h>

void ms_describe_graph(ms_result_header *h, const ms_graph *graph, const ms_graph_options *reading)
{
  ms_graph_info info = ms_graph_describe(graph);
  h->has |= MS_HAS_PLAIN;
  h->graph_path = info.path;
  h->graph_crc32c = info.crc32c;
  h->vertices = info.vertices;
  h->edges = info.edges;
  h->graph = *reading;
  h->graph.format = info.format;
  /* a motif has the same matches with and without directions, a shape has not */
  h->graph.directed =
      info.directed &&
      (h->has & MS_HAS_SHAPES ||
       !(h->kind & (MS_KIND_SCREEN | MS_KIND_NEAREST | MS_KIND_LIST | MS_KIND_NEAREST_LIST |
                    MS_KIND_PARTICIPATION | MS_KIND_CHANCE | MS_KINDS_OF_MOTIFS | MS_KIND_MINED |
                    MS_KINDS_OF_CENSUSES | MS_KINDS_OF_SAMPLES)));
  h->alias = (ms_result_file){info.alias_path, info.alias_crc32c};
}

void ms_describe_typed_graph(ms_result_header *h, const ms_typed *graph,
                             const ms_typed_options *reading)
{
  ms_typed_info info = ms_typed_describe(graph);
  h->graph_path = info.path;
  h->graph_crc32c = info.crc32c;
  h->vertices = info.vertices;
  h->edges = info.edges;
  h->typed.reading = *reading;
  h->typed.reading.format = info.format;
  h->typed.nodes = (ms_result_file){reading->nodes, info.nodes_crc32c};
  h->typed.relations = (ms_result_file){reading->relations, info.relations_crc32c};
}

void ms_describe_coloring(ms_result_header *h, const ms_coloring *coloring,
                          const ms_color_options *reading)
{
  if (!coloring)
    return;
  ms_coloring_info info = ms_coloring_describe(coloring);
  h->has |= MS_HAS_COLORS;
  h->colors_path = info.path;
  h->colors_crc32c = info.crc32c;
  h->colors = info.colors;
  h->assignments = info.assignments;
  h->coloring = *reading;
  h->coloring.format = info.format;
  h->coloring.aspects = reading->aspects ? reading->aspects : "PFC";
  h->coloring.slim = info.slim_is_file ? NULL : reading->slim;
  h->obo = (ms_result_file){reading->obo, info.obo_crc32c};
  h->slim = (ms_result_file){info.slim_is_file ? reading->slim : NULL, info.slim_crc32c};
}

void ms_describe_query(ms_result_header *h, const ms_query *query)
{
  h->motif = ms_motif_text(query->motif);
  h->k = ms_motif_size(query->motif);
  h->n_required = query->n_required;
  for (uint32_t i = 0; i < query->n_required; i++)
    h->required[i] = ms_graph_name(query->graph, query->required[i]);
}

void ms_describe_substitutes(ms_result_header *h, const ms_substitutes *substitutes,
                             uint32_t max_cost)
{
  if (!substitutes)
    return;
  h->substitutes.path = substitutes->path ? substitutes->path : "(in memory)";
  h->substitutes.crc32c = substitutes->crc32c;
  h->max_cost = max_cost;
}

void ms_describe_pattern(ms_result_header *h, const ms_pattern *pattern)
{
  bool is_file = pattern->source != MS_PATTERN_NAME;
  h->has |= is_file ? MS_HAS_PATTERN_FILE : 0;
  h->has |= pattern->source == MS_PATTERN_TEXT ? MS_HAS_PATTERN_TEXT : 0;
  h->k = pattern->n;
  h->pattern.name = is_file ? NULL : pattern->path;
  h->pattern.file = (ms_result_file){is_file ? pattern->path : NULL, pattern->crc32c};
  h->pattern.format = pattern->format;
  h->pattern.vertices = pattern->n;
  h->pattern.edges = ms_pattern_edge_count(pattern);
  h->pattern.colors = (ms_result_file){pattern->colors_path, pattern->colors_crc32c};
  for (uint32_t i = 0; i < pattern->n; i++)
    h->pattern.names[i] = ms_pattern_vertex_name(pattern, i);
}

void ms_describe_typed_pattern(ms_result_header *h, const ms_typed_pattern *pattern)
{
  const char *given = pattern->text ? pattern->text : pattern->path;
  h->has |= MS_HAS_PATTERN_FILE | (pattern->text ? MS_HAS_PATTERN_TEXT : 0);
  h->pattern.kind = 1;
  h->k = pattern->n;
  h->pattern.file = (ms_result_file){given, pattern->crc32c};
  h->pattern.vertices = pattern->n;
  h->pattern.edges = pattern->edges;
  for (uint32_t i = 0; i < pattern->n; i++)
    h->pattern.names[i] = ms_typed_pattern_vertex_name(pattern, i);
}

uint32_t ms_own_names(const ms_graph *graph, const ms_typed *typed, uint32_t count,
                      const char *const *given, const char **own)
{
  uint32_t n = 0, id[MS_MAX_K];
  for (uint32_t i = 0; i < count && i < MS_MAX_K; i++) {
    uint32_t v = graph ? ms_graph_find(graph, given[i]) : ms_typed_find(typed, given[i]), at = n;
    for (uint32_t j = 0; j < n && v != MS_NO_ID; j++)
      at = id[j] >= v && j < at ? j : at;
    if (at < n && id[at] == v)
      continue;
    memmove(&id[at + 1], &id[at], (n - at) * sizeof *id);
    memmove(&own[at + 1], &own[at], (n - at) * sizeof *own);
    id[at] = v;
    own[at] = v == MS_NO_ID ? given[i] : graph ? ms_graph_name(graph, v) : ms_typed_name(typed, v);
    n++;
  }
  return n;
}

void ms_describe_labels(ms_result_header *h, const ms_labels *labels)
{
  if (!labels)
    return;
  ms_labels_info info = ms_labels_describe(labels);
  h->labels = (ms_result_file){info.of_aliases ? MS_LABELS_OF_ALIASES : info.path, info.crc32c};
}

void ms_describe_screen(ms_result_header *h, const ms_screen_result *screen,
                        const ms_screen_options *options)
{
  if (!screen)
    return;
  if (screen->exact) {
    h->mode = MS_MODE_EXACT;
    return;
  }
  h->has |= MS_HAS_SCREEN;
  h->mode = MS_MODE_SCREENED;
  h->recurrence = options->recurrence;
  h->seed = options->run.seed;
  h->repetitions = screen->repetitions;
  h->repetitions_planned = screen->repetitions_planned;
  h->miss_bound = screen->miss_bound;
  h->miss_bound_union = screen->miss_bound_union;
  h->formula = screen->miss_bound_text;
}

ms_result_status ms_status_of(ms_status stopped, bool at_limit)
{
  if (stopped == MS_ERR_LIMIT)
    return at_limit ? MS_RESULT_LIMIT : MS_RESULT_TIME;
  if (stopped == MS_ERR_MEMORY)
    return MS_RESULT_MEMORY;
  if (stopped == MS_ERR_OUTPUT)
    return MS_RESULT_SPACE;
  return stopped == MS_OK ? MS_RESULT_COMPLETE : MS_RESULT_INTERRUPTED;
}

const char *ms_header_status(const ms_result_header *h)
{
  return ms_result_word(MS_WORDS_STATUS, h->status);
}

uint32_t ms_header_names(const ms_result_header *h, const ms_result_field *field)
{
  return *(const uint32_t *)(const void *)((const char *)h + field->count);
}

static bool is_empty(const ms_result_header *h, const ms_result_field *field)
{
  const void *at = (const char *)h + field->at;
  switch (field->type) {
  case MS_FIELD_U32:
  case MS_FIELD_WORD:
    return *(const uint32_t *)at == 0;
  case MS_FIELD_U64:
    return *(const uint64_t *)at == 0;
  case MS_FIELD_REAL:
    return *(const double *)at == 0;
  case MS_FIELD_TRUTH:
    return !*(const bool *)at;
  case MS_FIELD_NAMES:
    return ms_header_names(h, field) == 0;
  default: /* a path, the path of a file, or a text */
    return *(const char *const *)at == NULL;
  }
}

bool ms_header_shows(const ms_result_header *h, const ms_result_field *field, ms_result_place place)
{
  if (!ms_result_has_field(h, field, place))
    return false;
  return !(field->optional && is_empty(h, field));
}
