#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "query/typed_query.h"

#include <string.h>

_Static_assert(MS_MAX_CUT_EDGES == MS_MAX_TYPED_EDGES, "a pattern that is cut may be too large");

ms_status ms_typed_pattern_new(const char *path, ms_typed_pattern **out, ms_error *err)
{
  *out = NULL;
  ms_typed_pattern *pattern = ms_calloc(1, sizeof *pattern);
  if (!pattern)
    return ms_fail_memory(err, "a typed pattern");
  ms_status status = ms_names_new(&pattern->names, err);
  if (status == MS_OK)
    status = ms_names_new(&pattern->type_names, err);
  pattern->path = ms_strdup(path);
  if (status == MS_OK && !pattern->path)
    status = ms_fail_memory(err, "a typed pattern");
  if (status != MS_OK) {
    ms_typed_pattern_free(pattern);
    return status;
  }
  *out = pattern;
  return MS_OK;
}

void ms_typed_pattern_free(ms_typed_pattern *pattern)
{
  if (!pattern)
    return;
  for (uint32_t i = 0; i < pattern->n; i++)
    ms_free(pattern->type[i]);
  for (uint32_t e = 0; e < pattern->edges; e++)
    ms_free(pattern->edge[e].type);
  ms_free(pattern->edge);
  ms_names_free(pattern->names);
  ms_names_free(pattern->type_names);
  ms_free(pattern->path);
  ms_free(pattern->text);
  ms_free(pattern);
}

uint32_t ms_typed_pattern_size(const ms_typed_pattern *pattern)
{
  if (!pattern)
    return 0;
  return pattern->n;
}

const char *ms_typed_pattern_vertex_name(const ms_typed_pattern *pattern, uint32_t i)
{
  if (!pattern)
    return NULL;
  return ms_names_get(pattern->names, i);
}

ms_status ms_typed_pattern_vertex(ms_typed_pattern *pattern, const char *name, size_t length,
                                  uint32_t *v, ms_error *err)
{
  *v = ms_names_find(pattern->names, name, length);
  if (*v != MS_NO_ID)
    return MS_OK;
  if (pattern->n == MS_MAX_PATTERN)
    return ms_fail(err, MS_ERR_USAGE, "%s: more than %u vertices are too many for a pattern",
                   pattern->path, MS_MAX_PATTERN);
  ms_status status = ms_names_add(pattern->names, name, length, v, err);
  if (status == MS_OK)
    pattern->n++;
  return status;
}

/* Adds the type's id to list[*count] unless it is already there. */
static ms_status add_type(ms_typed_pattern *pattern, uint32_t **list, uint32_t *count,
                          const char *type, size_t length, ms_error *err)
{
  uint32_t id;
  ms_status status = ms_names_add(pattern->type_names, type, length, &id, err);
  for (uint32_t i = 0; i < *count && status == MS_OK; i++)
    if ((*list)[i] == id)
      return MS_OK;
  if (status != MS_OK)
    return status;
  if (!ms_enlarge(list, *count, *count + 1, sizeof **list))
    return ms_fail_memory(err, "a typed pattern");
  (*list)[(*count)++] = id;
  return MS_OK;
}

ms_status ms_typed_pattern_accept(ms_typed_pattern *pattern, uint32_t v, const char *type,
                                  size_t length, ms_error *err)
{
  return add_type(pattern, &pattern->type[v], &pattern->types[v], type, length, err);
}

ms_status ms_typed_pattern_join(ms_typed_pattern *pattern, uint32_t from, uint32_t to,
                                ms_typed_way way, ms_error *err)
{
  uint32_t m = pattern->edges;
  if (m == MS_MAX_TYPED_EDGES)
    return ms_fail(err, MS_ERR_USAGE, "%s: more than %u edges are too many for a pattern",
                   pattern->path, MS_MAX_TYPED_EDGES);
  if (!ms_enlarge(&pattern->edge, m, m + 1, sizeof *pattern->edge))
    return ms_fail_memory(err, "a typed pattern");
  pattern->edge[pattern->edges++] = (ms_typed_pattern_edge){.from = from, .to = to, .way = way};
  return MS_OK;
}

ms_status ms_typed_pattern_accept_edge(ms_typed_pattern *pattern, const char *type, size_t length,
                                       ms_error *err)
{
  ms_typed_pattern_edge *edge = &pattern->edge[pattern->edges - 1];
  return add_type(pattern, &edge->type, &edge->types, type, length, err);
}
