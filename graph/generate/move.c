/* Moves colours and typed graphs to other vertices: to those of a shuffled copy, or to random ones.
 */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/colors.h"
#include "graph/generate/family.h"
#include "graph/graph.h"
#include "graph/typed.h"

#include <string.h>

#define PHASE "colours are moved"

static ms_status check_places(const ms_coloring *coloring, const ms_graph *graph,
                              const uint32_t *from, uint64_t *count, ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  *count = 0;
  if (coloring->n != graph->n)
    return ms_fail(err, MS_ERR_USAGE, "the colours are for %u vertices, but the graph has %u",
                   coloring->n, graph->n);
  for (uint32_t v = 0; v < graph->n && !ms_watch_ended(&watch, v); v++) {
    if (from[v] >= graph->n)
      return ms_fail(err, MS_ERR_USAGE,
                     "vertex %u gets the colours of vertex %u, which is not below %u", v, from[v],
                     graph->n);
    *count += coloring->offset[from[v] + 1] - coloring->offset[from[v]];
  }
  return ms_watch_report(&watch, PHASE, err);
}

static void move_lists(const ms_coloring *coloring, const uint32_t *from, uint32_t (*pair)[2])
{
  uint64_t count = 0;
  for (uint32_t v = 0; v < coloring->n; v++)
    for (uint64_t a = coloring->offset[from[v]]; a < coloring->offset[from[v] + 1]; a++) {
      pair[count][0] = v;
      pair[count++][1] = coloring->color[a];
    }
}

ms_status ms_coloring_move(const ms_coloring *coloring, const ms_graph *graph, const uint32_t *from,
                           ms_coloring **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(from, graph->n, err);
  uint64_t count;
  ms_names *names = NULL;
  MS_TRY(check_places(coloring, graph, from, &count, err));
  MS_TRY(ms_names_new(&names, err));
  uint32_t(*pair)[2] = ms_alloc(count, sizeof *pair);
  ms_status status =
      pair ? ms_names_add_all(names, coloring->names, NULL, err) : ms_fail_memory(err, "colours");
  if (status == MS_OK) {
    move_lists(coloring, from, pair);
    status =
        ms_coloring_build(graph->n, count, (const uint32_t(*)[2])pair, names, NULL, NULL, out, err);
    names = NULL; /* ms_coloring_build owns them */
  }
  if (status == MS_OK)
    (*out)->graph_serial = graph->serial;
  ms_names_free(names);
  ms_free(pair);
  return status;
}

ms_status ms_coloring_permute(const ms_graph *graph, const ms_coloring *coloring, uint64_t seed,
                              int threads, ms_coloring **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_TRY(ms_check_threads(threads, err));
  MS_TRY(ms_coloring_check(coloring, graph, err));
  uint32_t *from = ms_alloc(graph->n, sizeof *from);
  ms_status status = from ? ms_random_order(seed, threads, from, graph->n, MS_PART_COLORS, err)
                          : ms_fail_memory(err, "a permutation of colours");
  if (status == MS_OK)
    status = ms_coloring_move(coloring, graph, from, out, err);
  ms_free(from);
  return status;
}

/* ---- types of edges -------------------------------------------------------------------------- */

/* Typed graphs whose vertices are in another order, and have other names or types. */

#define TYPES_PHASE "types of edges are moved"

/* Finds for each vertex of the typed graph its place in the other one, to[from[v]] = v. */
static ms_status find_places(const uint32_t *from, uint32_t n, uint32_t *to, ms_error *err)
{
  for (uint32_t v = 0; v < n; v++)
    to[v] = MS_NO_ID;
  for (uint32_t v = 0; v < n; v++) {
    uint32_t old = from ? from[v] : v;
    if (old >= n)
      return ms_fail(err, MS_ERR_USAGE,
                     "vertex %u gets the edges of vertex %u, which is not below %u", v, old, n);
    if (to[old] != MS_NO_ID)
      return ms_fail(err, MS_ERR_USAGE,
                     "the vertices %u and %u both get the edges of vertex %u; give each vertex "
                     "the edges of a different one",
                     to[old], v, old);
    to[old] = v;
  }
  return MS_OK;
}

static ms_status copy_relations(const ms_typed *typed, ms_typed_parts *parts, ms_error *err)
{
  uint32_t types = ms_names_count(typed->arc_types);
  parts->inverse = ms_alloc(types, sizeof *parts->inverse);
  parts->is_inverse = ms_alloc(types, sizeof *parts->is_inverse);
  if (!parts->inverse || !parts->is_inverse)
    return ms_fail_memory(err, "types of edges");
  memcpy(parts->inverse, typed->inverse, types * sizeof *parts->inverse);
  memcpy(parts->is_inverse, typed->is_inverse, types * sizeof *parts->is_inverse);
  MS_TRY(ms_names_new(&parts->arc_types, err));
  return ms_names_add_all(parts->arc_types, typed->arc_types, NULL, err);
}

/* Adds each edge once, with the type that it has from the end whose number is smaller. */
static ms_status move_edges(const ms_typed *typed, const uint32_t *to, ms_typed_parts *parts,
                            ms_error *err)
{
  const ms_typed_rows *rows = &typed->rows;
  ms_watch watch;
  ms_watch_begin(&watch);
  MS_TRY(ms_typed_parts_reserve(parts, typed->info.edges, err));
  for (uint32_t v = 0; v < rows->n && !ms_watch_ended(&watch, v); v++)
    for (uint64_t a = rows->offset[v]; a < rows->offset[v + 1]; a++)
      if (rows->neighbor[a] >= v)
        ms_typed_parts_add(parts, to[v], to[rows->neighbor[a]], rows->type[a]);
  return ms_watch_report(&watch, TYPES_PHASE, err);
}

static ms_status make_parts(const ms_typed *typed, const ms_graph *graph, const uint32_t *from,
                            const ms_coloring *coloring, ms_typed_parts *parts, ms_error *err)
{
  uint32_t *to = ms_alloc(graph->n, sizeof *to);
  ms_status status =
      to ? find_places(from, graph->n, to, err) : ms_fail_memory(err, "the order of a typed graph");
  if (status == MS_OK)
    status = move_edges(typed, to, parts, err);
  ms_free(to);
  if (status == MS_OK)
    status = copy_relations(typed, parts, err);
  return status == MS_OK ? ms_typed_parts_vertices(graph, coloring, parts, err) : status;
}

ms_status ms_typed_move(const ms_typed *typed, const ms_graph *graph, const uint32_t *from,
                        const ms_coloring *coloring, int threads, ms_typed **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(typed, err);
  MS_REQUIRE(graph, err);
  MS_TRY(ms_check_threads(threads, err));
  if (typed->rows.n != graph->n)
    return ms_fail(err, MS_ERR_USAGE, "the typed graph has %u vertices, but the plain one has %u",
                   typed->rows.n, graph->n);
  ms_typed_parts parts = {.names = NULL};
  ms_status status = make_parts(typed, graph, from, coloring, &parts, err);
  if (status == MS_OK)
    status = ms_typed_build(&parts, threads, out, err);
  ms_typed_parts_free(&parts);
  if (status == MS_OK)
    (*out)->joins_colors = ms_typed_joins_colors(coloring);
  return status;
}
