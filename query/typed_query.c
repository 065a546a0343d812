#include "query/typed_query.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

static uint32_t words_for(uint32_t types)
{
  return types / 64 + (types % 64 != 0);
}

static void put(uint64_t *bits, uint32_t type)
{
  bits[type >> 6] |= UINT64_C(1) << (type & 63);
}

/* Notes an unknown type once, even if a vertex and an edge name it. */
static void note_unknown(ms_typed_query *query, uint32_t type)
{
  const char *name = ms_names_get(query->pattern->type_names, type);
  for (uint32_t i = 0; i < query->unknown; i++)
    if (query->unknown_name[i] == name)
      return;
  query->unknown_name[query->unknown++] = name;
}

/* Accepts each type that is a set of colours with this one in it; returns false if there is none.
 */
static bool put_color(const ms_typed *graph, const char *color, uint64_t *bits)
{
  size_t length = strlen(color);
  bool found = false;
  for (uint32_t t = 0; t < ms_names_count(graph->vertex_types); t++) {
    const char *at = ms_names_get(graph->vertex_types, t);
    for (const char *part = at; part; part = strchr(part, '|') ? strchr(part, '|') + 1 : NULL)
      if (strncmp(part, color, length) == 0 && (part[length] == '|' || part[length] == '\0')) {
        put(bits, t);
        found = true;
      }
  }
  return found;
}

static void bind_vertex(ms_typed_query *query, uint32_t i)
{
  const ms_typed_pattern *pattern = query->pattern;
  const ms_names *known = query->graph->vertex_types;
  if (pattern->types[i] == 0) {
    for (uint32_t t = 0; t < ms_names_count(known); t++)
      put(query->vertex_types[i], t);
  }
  for (uint32_t t = 0; t < pattern->types[i]; t++) {
    const char *name = ms_names_get(pattern->type_names, pattern->type[i][t]);
    uint32_t type = ms_names_find(known, name, strlen(name));
    if (type != MS_NO_ID)
      put(query->vertex_types[i], type);
    bool in_set =
        query->graph->joins_colors && put_color(query->graph, name, query->vertex_types[i]);
    if (type == MS_NO_ID && !in_set)
      note_unknown(query, pattern->type[i][t]);
  }
}

/* Accepts all relations in their direction, and all symmetric ones: the meaning of an arrow without
 * types. */
static void put_forward(const ms_typed *graph, uint64_t *bits)
{
  for (uint32_t t = 0; t < ms_names_count(graph->arc_types); t++)
    if (!ms_typed_is_second(graph, (ms_type)t))
      put(bits, t);
}

static void bind_edge(ms_typed_query *query, uint32_t e)
{
  const ms_typed_pattern_edge *from = &query->pattern->edge[e];
  ms_typed_query_edge *edge = &query->edge[e];
  const ms_typed *graph = query->graph;
  edge->from = from->from;
  edge->to = from->to;
  bool any = from->types == 0 || (query->pattern->lone_relation && !ms_typed_has_labels(graph));
  if (any)
    put_forward(graph, edge->on);
  for (uint32_t t = 0; t < from->types && !any; t++) {
    uint32_t type =
        ms_typed_find_arc_type(graph, ms_names_get(query->pattern->type_names, from->type[t]));
    if (type == MS_NO_ID)
      note_unknown(query, from->type[t]);
    else
      put(edge->on, type);
  }
  for (uint32_t t = 0; t < ms_names_count(graph->arc_types); t++)
    if (ms_type_in(edge->on, (ms_type)t))
      put(edge->back, graph->inverse[t]);
  if (from->way == MS_WAY_ON && edge->from != edge->to)
    return;
  for (uint32_t w = 0; w < query->arc_words; w++)
    edge->on[w] = edge->back[w] |= edge->on[w];
}

/* Allocates all sets of types as parts of one block. */
static ms_status make_room(ms_typed_query *query, ms_error *err)
{
  query->type_words = words_for(ms_names_count(query->graph->vertex_types));
  query->arc_words = words_for(ms_names_count(query->graph->arc_types));
  size_t words = (size_t)query->n * query->type_words + 2 * (size_t)query->edges * query->arc_words;
  query->bits = ms_calloc(words, sizeof *query->bits);
  query->edge = ms_calloc(query->edges, sizeof *query->edge);
  query->unknown_name =
      ms_calloc(ms_names_count(query->pattern->type_names), sizeof *query->unknown_name);
  if (!query->bits || !query->edge || !query->unknown_name)
    return ms_fail_memory(err, "a typed query");
  uint64_t *next = query->bits;
  for (uint32_t i = 0; i < query->n; i++, next += query->type_words)
    query->vertex_types[i] = next;
  for (uint32_t e = 0; e < query->edges; e++, next += 2 * query->arc_words) {
    query->edge[e].on = next;
    query->edge[e].back = next + query->arc_words;
  }
  return MS_OK;
}

ms_status ms_typed_query_new(const ms_typed *graph, const ms_typed_pattern *pattern,
                             ms_typed_query **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(pattern, err);
  if (pattern->n == 0)
    return ms_fail(err, MS_ERR_USAGE, "%s: the pattern has no vertex; give one", pattern->path);
  ms_typed_query *query = ms_calloc(1, sizeof *query);
  if (!query)
    return ms_fail_memory(err, "a typed query");
  query->graph = graph;
  query->pattern = pattern;
  query->n = pattern->n;
  query->edges = pattern->edges;
  ms_status status = make_room(query, err);
  if (status != MS_OK) {
    ms_typed_query_free(query);
    return status;
  }
  for (uint32_t i = 0; i < query->n; i++)
    bind_vertex(query, i);
  for (uint32_t e = 0; e < query->edges; e++)
    bind_edge(query, e);
  *out = query;
  return MS_OK;
}

void ms_typed_query_free(ms_typed_query *query)
{
  if (!query)
    return;
  ms_free(query->bits);
  ms_free(query->edge);
  ms_free(query->unknown_name);
  ms_free(query);
}

const char *ms_typed_query_unknown(const ms_typed_query *query, uint32_t i)
{
  if (!query)
    return NULL;
  return i < query->unknown ? query->unknown_name[i] : NULL;
}
