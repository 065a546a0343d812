/* Checks connected components by a search from the lowest vertex of each one. */
#include "verify/components.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/stop.h"
#include "graph/graph.h"
#include "verify/memory.h"

#include <string.h>

enum { LOOK = 4096 }; /* vertices between two looks at the stop token */

/* Gives all vertices that can be reached from `start` the next number. */
static ms_status search_from(const ms_graph *graph, uint32_t start, uint32_t *queue,
                             const ms_stop *stop, ms_searched_components *out)
{
  uint32_t first = 0, count = 1, number = out->count++;
  queue[0] = start;
  out->number[start] = number;
  while (first < count) {
    uint32_t v = queue[first++];
    for (uint64_t a = graph->offset[v]; a < graph->offset[v + 1]; a++) {
      uint32_t w = graph->neighbor[a];
      if (out->number[w] == MS_NO_ID) {
        out->number[w] = number;
        queue[count++] = w;
      }
    }
    if (first % LOOK == 0)
      MS_TRY(ms_stop_check(stop));
  }
  out->first[number] = start;
  out->size[number] = count;
  return MS_OK;
}

static ms_status search_all(const ms_graph *graph, uint32_t *queue, const ms_stop *stop,
                            ms_searched_components *out)
{
  memset(out->number, 0xff, graph->n * sizeof *out->number);
  for (uint32_t v = 0; v < graph->n; v++) {
    if (v % LOOK == 0)
      MS_TRY(ms_stop_check(stop));
    if (out->number[v] == MS_NO_ID)
      MS_TRY(search_from(graph, v, queue, stop, out));
  }
  return MS_OK;
}

ms_status ms_search_components_again(const ms_graph *graph, const ms_stop *stop,
                                     ms_searched_components *out, ms_error *err)
{
  uint32_t *queue = ms_alloc(graph->n, sizeof *queue);
  *out = (ms_searched_components){.number = ms_alloc(graph->n, sizeof *out->number),
                                  .first = ms_alloc(graph->n, sizeof *out->first),
                                  .size = ms_alloc(graph->n, sizeof *out->size)};
  ms_status status = queue && out->number && out->first && out->size
                         ? search_all(graph, queue, stop, out)
                         : ms_fail_memory(err, "the check of components");
  ms_free(queue);
  return status;
}

void ms_searched_components_release(ms_searched_components *components)
{
  ms_free(components->number);
  ms_free(components->first);
  ms_free(components->size);
  *components = (ms_searched_components){0};
}

static ms_status compare(const ms_searched_components *found, const ms_graph *graph,
                         const uint32_t *component, uint32_t components, const ms_stop *stop,
                         ms_verify_report *report)
{
  for (uint32_t v = 0; v < graph->n; v++) {
    uint32_t wanted = found->number[v];
    if (v % LOOK == 0)
      MS_TRY(ms_stop_check(stop));
    if (component[v] != wanted)
      ms_memory_refuse(
          report,
          "vertex %u is said to be in component %u, and a search from vertex %u, which "
          "is the first one of component %u, reaches it",
          v, component[v], found->first[wanted], wanted);
    report->rows++;
  }
  if (found->count != components)
    ms_memory_refuse(report, "the number of components is said to be %u, and it is %u", components,
                     found->count);
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
  ms_searched_components found;
  ms_status status = ms_search_components_again(graph, stop, &found, err);
  if (status == MS_OK)
    status = compare(&found, graph, component, components, stop, report);
  ms_searched_components_release(&found);
  return ms_memory_end(report, status, true);
}
