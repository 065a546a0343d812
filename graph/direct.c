/* The directions of edges: one byte for each arc, beside the undirected rows.  All threads look
 * each pair up in the rows of both of its ends; bits are set one by one, so the result does not
 * depend on the order of the pairs. */
#include "base/alloc.h"
#include "base/meter.h"
#include "base/status.h"
#include "base/threads/parallel.h"
#include "base/threads/threads.h"
#include "base/threads/watch.h"
#include "graph/graph.h"

#include <string.h>

#define PIECE 4096u /* arcs between two looks at the token */

static bool mark(ms_graph *graph, uint32_t u, uint32_t v)
{
  uint64_t there = ms_graph_find_arc(graph, u, v), back = ms_graph_find_arc(graph, v, u);
  if (there == graph->arcs || back == graph->arcs)
    return false;
  __atomic_fetch_or(graph->direction + there, MS_ARC_TO, __ATOMIC_RELAXED);
  __atomic_fetch_or(graph->direction + back, MS_ARC_FROM, __ATOMIC_RELAXED);
  return true;
}

typedef struct marking {
  ms_graph *graph;
  const uint32_t (*arcs)[2];
  bool failed;
} marking;

static void mark_range(void *user, ms_range r)
{
  marking *m = user;
  bool ok = true;
  for (uint64_t e = r.begin; e < r.end; e++)
    if (m->arcs[e][0] != m->arcs[e][1])
      ok = mark(m->graph, m->arcs[e][0], m->arcs[e][1]) && ok;
  if (!ok)
    __atomic_store_n(&m->failed, true, __ATOMIC_RELAXED);
}

ms_status ms_graph_direct(ms_graph *graph, uint64_t m, const uint32_t (*arcs)[2], int threads,
                          ms_error *err)
{
  marking marks = {.graph = graph, .arcs = arcs};
  if (!graph->direction) {
    graph->direction = ms_calloc(graph->arcs, sizeof *graph->direction);
    if (!graph->direction)
      return ms_fail_memory(err, "the directions of edges");
  }
  threads = ms_threads_for(threads, 16 * m); /* steps of both searches */
  ms_watch watch;
  ms_watch_begin(&watch);
  ms_watch_loop(&watch, threads, m, PIECE, mark_range, &marks);
  MS_TRY(ms_watch_report(&watch, "directions are set", err));
  graph->info.directed = true;
  return !marks.failed ? MS_OK
                       : ms_fail(err, MS_ERR_INTERNAL,
                                 "an arc is not an edge of its graph; please report this bug");
}

ms_status ms_graph_from_arcs(uint32_t n, uint64_t m, const uint32_t (*arcs)[2],
                             const char *const *names, ms_graph **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE_ARRAY(arcs, m, err);
  ms_meter meter;
  ms_meter_open(&meter, MS_BOUND_OF_WORK, NULL, NULL);
  ms_status status = ms_graph_from_edges(n, m, arcs, names, out, err);
  if (status == MS_OK)
    status = ms_graph_direct(*out, m, arcs, 0, err);
  ms_meter_close(&meter);
  if (status != MS_OK) {
    ms_graph_free(*out);
    *out = NULL;
  }
  return status;
}

bool ms_graph_directed(const ms_graph *graph)
{
  if (!graph)
    return false;
  return graph->direction != NULL;
}

const uint8_t *ms_graph_arcs(const ms_graph *graph, uint32_t v)
{
  if (!graph || v >= graph->n)
    return NULL;
  return graph->direction ? graph->direction + graph->offset[v] : NULL;
}

void ms_graph_undirect(ms_graph *graph)
{
  ms_free(graph->direction);
  graph->direction = NULL;
  graph->info.directed = false;
}
