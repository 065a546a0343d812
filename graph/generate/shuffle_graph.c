/* Copies of given graphs with their vertices in another order and with other names. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/edge_scores.h"
#include "graph/generate/family.h"
#include "graph/graph.h"

#include <string.h>

#define PHASE "the graph is shuffled"

/* The edges of the copy, each once. */
typedef struct moved_edges {
  uint64_t count;
  uint32_t (*ends)[2]; /* [count] directed: from the first to the second, or both ways */
  uint8_t *both;       /* [count] directed: 1 if the edge has both arcs; else NULL */
  float *score;        /* [count] NULL: no scores */
} moved_edges;

static ms_status reserve_edges(const ms_graph *graph, moved_edges *edges, ms_error *err)
{
  uint64_t m = graph->arcs / 2;
  edges->ends = ms_alloc(m, sizeof *edges->ends);
  edges->both = graph->direction ? ms_alloc(m, 1) : NULL;
  edges->score = graph->score ? ms_alloc(m, sizeof *edges->score) : NULL;
  if (!edges->ends || (graph->direction && !edges->both) || (graph->score && !edges->score))
    return ms_fail_memory(err, "the edges of a shuffled graph");
  return MS_OK;
}

static void add_edge(const ms_graph *graph, uint32_t v, uint64_t arc, const uint32_t *to,
                     moved_edges *edges)
{
  uint64_t e = edges->count++;
  uint32_t u = graph->neighbor[arc];
  bool turned = graph->direction && graph->direction[arc] == MS_ARC_FROM;
  edges->ends[e][0] = to[turned ? u : v];
  edges->ends[e][1] = to[turned ? v : u];
  if (edges->both)
    edges->both[e] = graph->direction[arc] == (MS_ARC_TO | MS_ARC_FROM);
  if (edges->score)
    edges->score[e] = graph->score[arc];
}

/* Lists the edges, where vertex v of the graph is to[v] of the copy. */
static ms_status move_edges(const ms_graph *graph, const uint32_t *to, moved_edges *edges,
                            ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  MS_TRY(reserve_edges(graph, edges, err));
  for (uint32_t v = 0; v < graph->n && !ms_watch_ended(&watch, v); v++)
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++)
      if (graph->neighbor[a] > v)
        add_edge(graph, v, a, to, edges);
  return ms_watch_report(&watch, PHASE, err);
}

/* Adds the arcs to the copy: first one of each edge, then the others. */
static ms_status direct_edges(moved_edges *edges, int threads, ms_graph *graph, ms_error *err)
{
  uint64_t others = 0;
  MS_TRY(ms_graph_direct(graph, edges->count, (const uint32_t(*)[2])edges->ends, threads, err));
  for (uint64_t e = 0; e < edges->count; e++)
    if (edges->both[e]) {
      uint32_t from = edges->ends[e][0];
      edges->ends[others][0] = edges->ends[e][1];
      edges->ends[others++][1] = from;
    }
  return ms_graph_direct(graph, others, (const uint32_t(*)[2])edges->ends, threads, err);
}

/* Names vertex v of the copy as the graph's vertex order[v]. */
static ms_status copy_names(const ms_graph *graph, const uint32_t *order, ms_names **out,
                            ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  MS_TRY(ms_names_new(out, err));
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < graph->n && status == MS_OK && !ms_watch_ended(&watch, v); v++) {
    uint32_t id;
    const char *name = ms_names_get(graph->names, order[v]);
    status = ms_names_add(*out, name, strlen(name), &id, err);
  }
  if (status == MS_OK)
    status = ms_watch_report(&watch, PHASE, err);
  if (status != MS_OK) {
    ms_names_free(*out);
    *out = NULL;
  }
  return status;
}

static ms_status make_names(const ms_graph *graph, const ms_shuffle_options *o,
                            const uint32_t *from, ms_names **out, ms_error *err)
{
  *out = NULL;
  if (o->names == MS_NAMES_KEPT)
    return copy_names(graph, from, out, err);
  if (o->names == MS_NAMES_NUMBERS) {
    ms_watch watch;
    const ms_generate_plan plan = {.o = {.prefix = o->prefix, .first_number = o->first_number},
                                   .n = graph->n,
                                   .watch = &watch};
    ms_watch_begin(&watch);
    return ms_generate_names(&plan, out, err);
  }
  uint32_t *order = ms_alloc(graph->n, sizeof *order);
  ms_status status =
      order ? ms_random_order(o->run.seed, o->run.threads, order, graph->n, MS_PART_NAMES, err)
            : ms_fail_memory(err, "the names of a shuffled graph");
  if (status == MS_OK)
    status = copy_names(graph, order, out, err);
  ms_free(order);
  return status;
}

/* Makes the copy whose vertex v is vertex from[v] of the graph; to[n] is scratch. */
static ms_status copy_graph(const ms_graph *graph, const ms_shuffle_options *o,
                            const uint32_t *from, uint32_t *to, ms_graph **out, ms_error *err)
{
  moved_edges edges = {0};
  ms_names *names = NULL;
  for (uint32_t v = 0; v < graph->n; v++)
    to[from[v]] = v;
  ms_status status = move_edges(graph, to, &edges, err);
  if (status == MS_OK)
    status = make_names(graph, o, from, &names, err);
  if (status == MS_OK)
    status = ms_graph_build(graph->n, edges.count, (const uint32_t(*)[2])edges.ends, names,
                            o->run.threads, out, err);
  if (status == MS_OK && edges.score)
    status = ms_graph_score_edges(*out, edges.count, (const uint32_t(*)[2])edges.ends, edges.score,
                                  o->run.threads, err);
  if (status == MS_OK && edges.both)
    status = direct_edges(&edges, o->run.threads, *out, err);
  ms_free(edges.ends);
  ms_free(edges.both);
  ms_free(edges.score);
  if (status != MS_OK) {
    ms_graph_free(*out);
    *out = NULL;
  }
  return status;
}

ms_status ms_graph_shuffle(const ms_graph *graph, const ms_shuffle_options *options, ms_graph **out,
                           uint32_t *from, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_shuffle_options o;
  MS_TRY(ms_options_take(&ms_shuffle_options_kind, options, &o, err));
  uint32_t *order = ms_alloc(graph->n, sizeof *order), *to = ms_alloc(graph->n, sizeof *to);
  ms_status status = order && to ? MS_OK : ms_fail_memory(err, "the order of a shuffled graph");
  if (status == MS_OK && !o.same_order)
    status = ms_random_order(o.run.seed, o.run.threads, order, graph->n, MS_PART_ORDER, err);
  for (uint32_t v = 0; v < graph->n && status == MS_OK && o.same_order; v++)
    order[v] = v;
  if (status == MS_OK)
    status = copy_graph(graph, &o, order, to, out, err);
  if (status == MS_OK && from)
    memcpy(from, order, graph->n * sizeof *from);
  ms_free(to);
  ms_free(order);
  return status;
}
