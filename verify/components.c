/* Checks connected components by a search from the lowest vertex of each one. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/graph.h"
#include "verify/memory.h"

enum { LOOK = 4096 }; /* vertices between two looks at the stop token */

typedef struct component_check {
  const ms_graph *graph;
  const uint32_t *component;
  const ms_stop *stop;
  ms_verify_report *report;
  uint8_t *reached; /* [n] */
  uint32_t *queue;  /* [n] */
} component_check;

/* Checks that all vertices which can be reached from `start` have the number `wanted`. */
static ms_status search_from(component_check *c, uint32_t start, uint32_t wanted)
{
  uint32_t first = 0, count = 1;
  c->queue[0] = start;
  c->reached[start] = 1;
  while (first < count) {
    uint32_t v = c->queue[first++];
    if (c->component[v] != wanted)
      ms_memory_refuse(
          c->report,
          "vertex %u is said to be in component %u, and a search from vertex %u, which "
          "is the first one of component %u, reaches it",
          v, c->component[v], start, wanted);
    c->report->rows++;
    for (uint64_t a = c->graph->offset[v]; a < c->graph->offset[v + 1]; a++) {
      uint32_t w = c->graph->neighbor[a];
      if (!c->reached[w]) {
        c->reached[w] = 1;
        c->queue[count++] = w;
      }
    }
    if (c->report->rows % LOOK == 0)
      MS_TRY(ms_stop_check(c->stop));
  }
  return MS_OK;
}

static ms_status search_all(component_check *c, uint32_t components)
{
  uint32_t found = 0;
  MS_TRY(ms_stop_check(c->stop));
  for (uint32_t v = 0; v < c->graph->n; v++)
    if (!c->reached[v])
      MS_TRY(search_from(c, v, found++));
  if (found != components)
    ms_memory_refuse(c->report, "the number of components is said to be %u, and it is %u",
                     components, found);
  return MS_OK;
}

ms_status ms_verify_components(const ms_graph *graph, const uint32_t *component,
                               uint32_t components, ms_stop *stop, ms_verify_report *report,
                               ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE_ARRAY(component, graph->n, err);
  MS_REQUIRE(report, err);
  ms_memory_begin(report);
  component_check c = {.graph = graph, .component = component, .stop = stop, .report = report};
  c.reached = ms_calloc(graph->n, 1);
  c.queue = ms_alloc(graph->n, sizeof *c.queue);
  ms_status status = c.reached && c.queue ? search_all(&c, components)
                                          : ms_fail_memory(err, "the check of components");
  ms_free(c.reached);
  ms_free(c.queue);
  return ms_memory_end(report, status, true);
}
