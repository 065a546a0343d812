/* ms_typed_build: checks the tables, builds the rows (graph/rows.h) and records facts. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/typed.h"

/* Checks the sizes and contents of the tables. */
static ms_status check_types(const ms_typed *g, ms_error *err)
{
  uint32_t types = ms_names_count(g->arc_types), kinds = ms_names_count(g->vertex_types);
  if (types > MS_MAX_TYPES || kinds > MS_MAX_TYPES)
    return ms_fail(err, MS_ERR_USAGE,
                   "%u types of vertices and %u of edges, inverses included, are more than the %u "
                   "that a typed graph can have of each; are these the columns of types?",
                   kinds, types, MS_MAX_TYPES);
  for (uint32_t t = 0; t < types; t++)
    if (g->inverse[t] >= types || g->inverse[g->inverse[t]] != t)
      return ms_fail(err, MS_ERR_USAGE,
                     "type %u of edges: the inverse of its inverse is another "
                     "type; give each pair of inverses to both",
                     t);
  for (uint32_t v = 0; v < g->rows.n; v++)
    if (g->rows.vertex_type[v] >= kinds)
      return ms_fail(err, MS_ERR_USAGE,
                     "vertex %u has type %u, but there are %u types; use ids "
                     "below that number",
                     v, g->rows.vertex_type[v], kinds);
  return MS_OK;
}

static void note_counts(ms_typed *g, const ms_typed_parts *parts, const ms_rows *rows)
{
  uint32_t untyped = ms_names_find(g->vertex_types, "untyped", 7);
  g->info.vertices = g->rows.n;
  g->info.edges = parts->edges;
  g->info.self_loops = rows->self_loops;
  g->info.repeats = rows->repeats;
  g->info.max_degree = rows->max_degree;
  g->info.vertex_types = ms_names_count(g->vertex_types);
  g->info.arc_types = ms_names_count(g->arc_types);
  for (uint32_t v = 0; untyped != MS_NO_ID && v < g->rows.n; v++)
    g->info.untyped += g->rows.vertex_type[v] == untyped;
}

/* Moves all tables to the graph; the edges stay in `parts`. */
static void take_over(ms_typed_parts *parts, ms_typed *graph)
{
  graph->names = parts->names;
  graph->vertex_types = parts->vertex_types;
  graph->arc_types = parts->arc_types;
  graph->rows.vertex_type = parts->vertex_type;
  graph->inverse = parts->inverse;
  graph->is_inverse = parts->is_inverse;
  *parts =
      (ms_typed_parts){.edges = parts->edges, .edge = parts->edge, .edge_type = parts->edge_type};
  graph->rows.n = ms_names_count(graph->names);
}

static ms_status build_rows(ms_typed *graph, const ms_typed_parts *parts, int threads,
                            ms_error *err)
{
  const ms_row_edges edges = {.n = graph->rows.n,
                              .m = parts->edges,
                              .edge = (const uint32_t(*)[2])parts->edge,
                              .type = parts->edge_type,
                              .inverse = graph->inverse,
                              .types = ms_names_count(graph->arc_types)};
  ms_rows rows;
  MS_TRY(check_types(graph, err));
  MS_TRY(ms_rows_build(&edges, threads, &rows, err));
  graph->rows.arcs = rows.offset[edges.n];
  graph->rows.offset = rows.offset;
  graph->rows.neighbor = rows.neighbor;
  graph->rows.type = rows.type;
  note_counts(graph, parts, &rows);
  return MS_OK;
}

ms_status ms_typed_build(ms_typed_parts *parts, int threads, ms_typed **out, ms_error *err)
{
  ms_status status = MS_OK;
  *out = NULL;
  ms_typed *graph = ms_calloc(1, sizeof *graph);
  if (graph) {
    take_over(parts, graph);
    graph->info.path = graph->path = ms_strdup("(in memory)");
  }
  if (!graph || !graph->path)
    status = ms_fail_memory(err, "a typed graph");
  if (status == MS_OK)
    status = build_rows(graph, parts, threads, err);
  ms_typed_parts_free(parts);
  if (status == MS_OK)
    *out = graph;
  else
    ms_typed_free(graph);
  return status;
}
