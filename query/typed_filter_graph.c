/* ms_typed_filter: makes a graph of the edges that the filter keeps. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "query/typed_filter.h"

#include <string.h>

#define PHASE "the graph is filtered"

/* Copies the names of vertex[count], or the first `count` names if vertex is NULL. */
static ms_status copy_names(const ms_names *from, uint32_t count, const uint32_t *vertex,
                            ms_names **out, ms_error *err)
{
  ms_status status = ms_names_new(out, err);
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t i = 0; i < count && status == MS_OK && !ms_watch_ended(&watch, i); i++) {
    uint32_t id;
    const char *name = ms_names_get(from, vertex ? vertex[i] : i);
    status = ms_names_add(*out, name, strlen(name), &id, err);
  }
  return status == MS_OK ? ms_watch_report(&watch, PHASE, err) : status;
}

static void *copy_block(const void *from, size_t count, size_t size)
{
  void *copy = ms_alloc(count, size);
  if (copy)
    memcpy(copy, from, count * size);
  return copy;
}

/* Lists each edge once, from its end with the smaller number. */
static ms_status list_edges(const ms_typed_rows *rows, ms_typed_parts *parts, ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < rows->n && !ms_watch_ended(&watch, v); v++)
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++)
      if (rows->neighbor[a] >= v)
        ms_typed_parts_add(parts, v, rows->neighbor[a], rows->type[a]);
  return ms_watch_report(&watch, PHASE, err);
}

static ms_status copy_tables(const ms_typed *graph, const ms_typed_part *part,
                             ms_typed_parts *parts, ms_error *err)
{
  uint32_t types = ms_names_count(graph->arc_types), kinds = ms_names_count(graph->vertex_types);
  ms_status status = copy_names(graph->names, part->rows.n, part->vertex, &parts->names, err);
  if (status == MS_OK)
    status = copy_names(graph->vertex_types, kinds, NULL, &parts->vertex_types, err);
  if (status == MS_OK)
    status = copy_names(graph->arc_types, types, NULL, &parts->arc_types, err);
  parts->vertex_type = copy_block(part->rows.vertex_type, part->rows.n, sizeof *parts->vertex_type);
  parts->inverse = copy_block(graph->inverse, types, sizeof *parts->inverse);
  parts->is_inverse = copy_block(graph->is_inverse, types, sizeof *parts->is_inverse);
  if (status == MS_OK && (!parts->vertex_type || !parts->inverse || !parts->is_inverse))
    status = ms_fail_memory(err, "a filtered graph");
  return status;
}

ms_status ms_typed_filter(const ms_typed_query *query, int threads, ms_typed **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(query, err);
  MS_TRY(ms_check_threads(threads, err));
  ms_type_filter *filter = NULL;
  ms_typed_part *part = NULL;
  ms_typed_parts parts = {0};
  ms_status status = ms_type_filter_new(query, &filter, err);
  if (status == MS_OK)
    status = ms_typed_filter_part(&query->graph->rows, filter, threads, &part, err);
  if (status == MS_OK)
    status = ms_typed_parts_reserve(&parts, part->rows.arcs, err);
  if (status == MS_OK)
    status = copy_tables(query->graph, part, &parts, err);
  if (status == MS_OK)
    status = list_edges(&part->rows, &parts, err);
  if (status == MS_OK)
    status = ms_typed_build(&parts, threads, out, err);
  ms_typed_parts_free(&parts);
  ms_typed_part_free(part);
  ms_type_filter_free(filter);
  return status;
}
