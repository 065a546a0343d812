#include "graph/typed.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

ms_status ms_typed_rows_alloc(uint32_t n, uint64_t arcs, ms_typed_rows *rows, ms_error *err)
{
  *rows = (ms_typed_rows){.n = n, .arcs = arcs};
  rows->offset = ms_calloc((size_t)n + 1, sizeof *rows->offset);
  rows->neighbor = ms_alloc_lines(arcs, sizeof *rows->neighbor);
  rows->type = ms_alloc_lines(arcs, sizeof *rows->type);
  rows->vertex_type = ms_alloc_lines(n, sizeof *rows->vertex_type);
  if (rows->offset && rows->neighbor && rows->type && rows->vertex_type)
    return MS_OK;
  ms_typed_rows_free(rows);
  return ms_fail_memory(err, "rows of a typed graph");
}

void ms_typed_rows_free(ms_typed_rows *rows)
{
  ms_free(rows->offset);
  ms_free(rows->neighbor);
  ms_free(rows->type);
  ms_free(rows->vertex_type);
  *rows = (ms_typed_rows){0};
}

void ms_typed_part_free(ms_typed_part *part)
{
  if (!part)
    return;
  ms_typed_rows_free(&part->rows);
  ms_free(part->vertex);
  ms_free(part);
}

void ms_typed_parts_free(ms_typed_parts *parts)
{
  ms_names_free(parts->names);
  ms_names_free(parts->vertex_types);
  ms_names_free(parts->arc_types);
  ms_free(parts->vertex_type);
  ms_free(parts->inverse);
  ms_free(parts->is_inverse);
  ms_free(parts->edge);
  ms_free(parts->edge_type);
  *parts = (ms_typed_parts){0};
}

ms_status ms_typed_parts_reserve(ms_typed_parts *parts, uint64_t edges, ms_error *err)
{
  parts->edge = ms_alloc(edges, sizeof *parts->edge);
  parts->edge_type = ms_alloc(edges, sizeof *parts->edge_type);
  return parts->edge && parts->edge_type ? MS_OK : ms_fail_memory(err, "edges");
}

void ms_typed_free(ms_typed *graph)
{
  if (!graph)
    return;
  if (!graph->image.bytes) {
    ms_typed_rows_free(&graph->rows);
    ms_free(graph->inverse);
    ms_free(graph->is_inverse);
  }
  ms_names_free(graph->names);
  ms_names_free(graph->vertex_types);
  ms_names_free(graph->arc_types);
  ms_image_free(&graph->image);
  ms_free(graph->path);
  ms_free(graph->nodes_path);
  ms_free(graph);
}

ms_typed_info ms_typed_describe(const ms_typed *graph)
{
  if (!graph)
    return (ms_typed_info){0};
  return graph->info;
}

const char *ms_typed_name(const ms_typed *graph, uint32_t v)
{
  if (!graph)
    return NULL;
  return ms_names_get(graph->names, v);
}

uint32_t ms_typed_find(const ms_typed *graph, const char *name)
{
  if (!graph || !name)
    return UINT32_MAX;
  return ms_names_find(graph->names, name, strlen(name));
}

uint32_t ms_typed_vertex_type(const ms_typed *graph, uint32_t v)
{
  if (!graph || v >= graph->rows.n)
    return UINT32_MAX;
  return graph->rows.vertex_type[v];
}

const char *ms_typed_vertex_type_name(const ms_typed *graph, uint32_t type)
{
  if (!graph)
    return NULL;
  return ms_names_get(graph->vertex_types, type);
}

const char *ms_typed_arc_type_name(const ms_typed *graph, uint32_t type)
{
  if (!graph)
    return NULL;
  return ms_names_get(graph->arc_types, type);
}

uint32_t ms_typed_inverse(const ms_typed *graph, uint32_t arc_type)
{
  if (!graph || arc_type >= ms_names_count(graph->arc_types))
    return UINT32_MAX;
  return graph->inverse[arc_type];
}

bool ms_typed_is_second(const ms_typed *graph, ms_type type)
{
  ms_type inverse = graph->inverse[type];
  if (graph->is_inverse[type] || graph->is_inverse[inverse])
    return graph->is_inverse[type];
  return inverse < type;
}

uint32_t ms_typed_find_arc_type(const ms_typed *graph, const char *name)
{
  if (!graph || !name)
    return UINT32_MAX;
  size_t length = strlen(name);
  uint32_t type = ms_names_find(graph->arc_types, name, length);
  if (type == MS_NO_ID && length > 1 && name[0] == '^') {
    type = ms_names_find(graph->arc_types, name + 1, length - 1);
    type = type == MS_NO_ID ? MS_NO_ID : graph->inverse[type];
  }
  return type;
}

/* An arc's place in its row: first by the neighbour, then by the type. */
static uint64_t arc_key(uint32_t w, ms_type t)
{
  return (uint64_t)w << 32 | t;
}

/* Returns the first arc of the row whose key is `key` or larger. */
static uint64_t lower_bound(const ms_typed_rows *rows, uint32_t v, uint64_t key)
{
  uint64_t low = rows->offset[v], high = rows->offset[v + 1];
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (arc_key(rows->neighbor[middle], rows->type[middle]) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint64_t ms_typed_arcs_between(const ms_typed_rows *rows, uint32_t v, uint32_t w, uint64_t *first)
{
  uint64_t end = *first = lower_bound(rows, v, arc_key(w, 0));
  while (end < rows->offset[v + 1] && rows->neighbor[end] == w)
    end++;
  return end - *first;
}
