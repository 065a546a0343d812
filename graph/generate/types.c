/* Random types of edges, uniform; an edge's number determines its type.  Edges are numbered by
 * their ends, the smaller first. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "graph/generate/generate.h"
#include "graph/generate/random.h"
#include "graph/graph.h"
#include "graph/typed.h"

#include <stdio.h>

#define EDGES_PER_PIECE 16384u /* between two checks of the watch */

/* Adds the types t0, ^t0, t1, ..  for the directed relations, then the others, and fills in
 * type_of[relation]. */
static ms_status make_types(uint32_t relations, uint32_t directed, ms_typed_parts *parts,
                            ms_type *type_of, ms_error *err)
{
  uint32_t types = relations + directed;
  parts->inverse = ms_alloc(types, sizeof *parts->inverse);
  parts->is_inverse = ms_calloc(types, sizeof *parts->is_inverse);
  if (!parts->inverse || !parts->is_inverse)
    return ms_fail_memory(err, "types of edges");
  ms_status status = ms_names_new(&parts->arc_types, err);
  for (uint32_t r = 0; r < relations && status == MS_OK; r++) {
    char name[16];
    uint32_t there, back;
    size_t length = (size_t)snprintf(name, sizeof name, "^t%u", r);
    status = ms_names_add(parts->arc_types, name + 1, length - 1, &there, err);
    back = there;
    if (status == MS_OK && r < directed)
      status = ms_names_add(parts->arc_types, name, length, &back, err);
    if (status != MS_OK)
      return status;
    parts->inverse[there] = (ms_type)back;
    parts->inverse[back] = (ms_type)there;
    parts->is_inverse[back] = back != there;
    type_of[r] = (ms_type)there;
  }
  return status;
}

typedef struct type_draw {
  ms_typed_parts *parts;
  uint32_t relations;
  const ms_type *type_of; /* [relations] */
  uint64_t seed;
} type_draw;

static void draw_range(void *user, ms_range r)
{
  const type_draw *d = user;
  ms_typed_parts *parts = d->parts;
  for (uint64_t e = r.begin; e < r.end; e++) {
    ms_random_block random = ms_random_at(d->seed, MS_STREAM_EDGE_TYPES, 0, e);
    uint32_t *edge = parts->edge[e], from = edge[0];
    parts->edge_type[e] = d->type_of[ms_random_below(ms_random_low(random), d->relations)];
    if (ms_random_high(random) & 1) { /* the direction, if the relation has one */
      edge[0] = edge[1];
      edge[1] = from;
    }
  }
}

static void draw_types(ms_typed_parts *parts, uint32_t relations, const ms_type *type_of,
                       uint64_t seed, int threads, ms_watch *watch)
{
  uint64_t m = parts->edges;
  threads = ms_threads_for(threads, 16 * m); /* steps of Philox */
  type_draw d = {parts, relations, type_of, seed};
  ms_watch_loop(watch, threads, m, EDGES_PER_PIECE, draw_range, &d);
}

ms_status ms_add_edge_types(const ms_graph *graph, const ms_coloring *coloring,
                            const ms_type_options *options, ms_typed **out, ms_error *err)
{
  uint32_t relations = options->relations, directed = options->directed;
  ms_typed_parts parts = {.names = NULL};
  *out = NULL;
  if (relations == 0 || relations > MS_MAX_TYPES / 2 || directed > relations)
    return ms_fail(err, MS_ERR_USAGE,
                   "%u types of edges, %u of them with a direction, is out of range; give 1 to %u "
                   "types, and at most as many with a direction",
                   relations, directed, MS_MAX_TYPES / 2);
  ms_type *type_of = ms_alloc(relations, sizeof *type_of);
  ms_status status = type_of ? ms_typed_parts_reserve(&parts, graph->arcs / 2, err)
                             : ms_fail_memory(err, "types of edges");
  if (status == MS_OK)
    status = ms_typed_parts_vertices(graph, coloring, &parts, err);
  if (status == MS_OK)
    status = make_types(relations, directed, &parts, type_of, err);
  if (status == MS_OK) {
    ms_watch watch;
    ms_watch_begin(&watch);
    for (uint32_t v = 0; v < graph->n && !ms_watch_ended(&watch, v); v++)
      for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
        if (graph->neighbor[a] > v)
          ms_typed_parts_add(&parts, v, graph->neighbor[a], 0);
    draw_types(&parts, relations, type_of, options->seed, options->threads, &watch);
    status = ms_watch_report(&watch, "types of edges are drawn", err);
  }
  if (status == MS_OK)
    status = ms_typed_build(&parts, options->threads, out, err);
  ms_typed_parts_free(&parts);
  ms_free(type_of);
  return status;
}
