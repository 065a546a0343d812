/* ms_typed_from_edges: a typed graph from arrays. */
#include "base/alloc.h"
#include "base/meter.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/graph.h"
#include "graph/relations.h"
#include "graph/typed.h"

#include <string.h>

#define PHASE "the typed graph is built"

static ms_status add_vertex_type(ms_names *types, uint32_t v, const char *name, ms_type *type,
                                 ms_error *err)
{
  uint32_t id;
  const char *problem = ms_name_problem(name, strlen(name));
  if (problem)
    return ms_fail(err, MS_ERR_USAGE, "the type of vertex %u %s", v, problem);
  ms_status status = ms_names_add(types, name, strlen(name), &id, err);
  if (status == MS_OK && id >= MS_MAX_TYPES)
    return ms_fail(err, MS_ERR_USAGE, "more than %u types of vertices; give fewer", MS_MAX_TYPES);
  *type = (ms_type)id;
  return status;
}

static ms_status make_vertices(const ms_typed_source *source, ms_typed_parts *parts, ms_error *err)
{
  if (source->n > MS_MAX_NAMES)
    return ms_fail(err, MS_ERR_USAGE, "%u vertices are more than a graph can hold; give fewer",
                   source->n);
  ms_status status = ms_names_new(&parts->names, err);
  if (status == MS_OK)
    status = ms_graph_make_names(source->n, source->names, parts->names, err);
  if (status == MS_OK)
    status = ms_names_new(&parts->vertex_types, err);
  if (status != MS_OK)
    return status;
  parts->vertex_type = ms_alloc(source->n, sizeof *parts->vertex_type);
  if (!parts->vertex_type)
    return ms_fail_memory(err, "types of vertices");
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < source->n && status == MS_OK && !ms_watch_ended(&watch, v); v++)
    status = add_vertex_type(parts->vertex_types, v,
                             source->vertex_type ? source->vertex_type[v] : "untyped",
                             &parts->vertex_type[v], err);
  return status == MS_OK ? ms_watch_report(&watch, PHASE, err) : status;
}

static ms_field field_of(const char *text)
{
  return (ms_field){text, strlen(text)};
}

/* Sets type_of[relation] to its type of arcs. */
static ms_status make_types(const ms_typed_source *source, ms_typed_parts *parts, ms_type *type_of,
                            ms_error *err)
{
  ms_relations relations;
  ms_type *type = NULL;
  ms_status status = ms_relations_new(&relations, err);
  for (uint32_t r = 0; r < source->n_relations && status == MS_OK; r++) {
    const char *name = source->relation[r], *inverse = source->inverse ? source->inverse[r] : NULL;
    status = ms_relations_set_inverse(&relations, NULL, field_of(name),
                                      field_of(inverse ? inverse : name), err);
  }
  if (status == MS_OK)
    status = ms_relations_settle(&relations, NULL, MS_RULE_SYMMETRIC, parts, &type, err);
  for (uint32_t r = 0; r < source->n_relations && status == MS_OK; r++) {
    const char *name = source->relation[r];
    type_of[r] = type[ms_names_find(relations.words, name, strlen(name))];
  }
  ms_free(type);
  ms_relations_free(&relations);
  return status;
}

static ms_status make_edges(const ms_typed_source *source, const ms_type *type_of,
                            ms_typed_parts *parts, ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  MS_TRY(ms_typed_parts_reserve(parts, source->m, err));
  for (uint64_t e = 0; e < source->m && !ms_watch_ended(&watch, e); e++) {
    uint32_t r = source->edge_type[e];
    if (r >= source->n_relations)
      return ms_fail(err, MS_ERR_USAGE,
                     "edge %llu is of relation %u, but there are %u; use ids below that number",
                     (unsigned long long)e, r, source->n_relations);
    ms_typed_parts_add(parts, source->edges[e][0], source->edges[e][1], type_of[r]);
  }
  return ms_watch_report(&watch, PHASE, err);
}

static ms_status check_strings(const char *const *text, uint64_t count, const char *what,
                               ms_error *err)
{
  for (uint64_t i = 0; i < count; i++)
    if (!text || !text[i])
      return ms_fail(err, MS_ERR_USAGE, "`%s` of ms_typed_source is NULL, or its entry %llu is",
                     what, (unsigned long long)i);
  return MS_OK;
}

static ms_status check_source(const ms_typed_source *source, ms_error *err)
{
  if (source->names)
    MS_TRY(check_strings(source->names, source->n, "names", err));
  if (source->vertex_type)
    MS_TRY(check_strings(source->vertex_type, source->n, "vertex_type", err));
  MS_TRY(check_strings(source->relation, source->n_relations, "relation", err));
  if (source->m > 0 && (!source->edges || !source->edge_type))
    return ms_fail(err, MS_ERR_USAGE, "`%s` of ms_typed_source is NULL, and m is %llu",
                   source->edges ? "edge_type" : "edges", (unsigned long long)source->m);
  return MS_OK;
}

ms_status ms_typed_from_edges(const ms_typed_source *source, int threads, ms_typed **out,
                              ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(source, err);
  MS_TRY(ms_check_threads(threads, err));
  MS_TRY(check_source(source, err));
  ms_typed_parts parts = {.names = NULL};
  ms_meter meter;
  ms_meter_open(&meter, MS_BOUND_OF_WORK, NULL, NULL);
  ms_type *type_of = ms_alloc(source->n_relations, sizeof *type_of);
  ms_status status =
      type_of ? make_vertices(source, &parts, err) : ms_fail_memory(err, "types of edges");
  if (status == MS_OK)
    status = make_types(source, &parts, type_of, err);
  if (status == MS_OK)
    status = make_edges(source, type_of, &parts, err);
  if (status == MS_OK)
    status = ms_typed_build(&parts, threads, out, err);
  ms_typed_parts_free(&parts);
  ms_free(type_of);
  ms_meter_close(&meter);
  return status;
}
