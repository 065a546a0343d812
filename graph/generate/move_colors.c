/* Colours of a graph for other vertices: those of a shuffled copy, or random ones. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "base/watch.h"
#include "graph/colors.h"
#include "graph/generate/family.h"
#include "graph/graph.h"

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
