/* Random colours, uniform. */
#include "graph/colors.h"
#include "base/alloc.h"
#include "base/status.h"
#include "base/threads/watch.h"
#include "graph/generate/generate.h"
#include "graph/generate/random.h"
#include "graph/generate/random_colors.h"
#include "graph/graph.h"

#include <stdio.h>

#define PHASE "colours are drawn"

ms_status ms_add_numbered(ms_names *names, const char *prefix, uint32_t count, ms_error *err)
{
  ms_status status = MS_OK;
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t c = 0; c < count && status == MS_OK && !ms_watch_ended(&watch, c); c++) {
    char text[32];
    uint32_t id;
    int length = snprintf(text, sizeof text, "%s%u", prefix, c);
    status = ms_names_add(names, text, (size_t)length, &id, err);
  }
  return status == MS_OK ? ms_watch_report(&watch, PHASE, err) : status;
}

ms_status ms_color_uniformly(uint32_t n, uint32_t first, uint32_t count, uint64_t seed,
                             uint32_t (*pair)[2], ms_error *err)
{
  ms_watch watch;
  ms_watch_begin(&watch);
  for (uint32_t v = 0; v < n && !ms_watch_ended(&watch, v); v++) {
    ms_random_block random = ms_random_at(seed, MS_STREAM_COLORS, 0, v);
    pair[v][0] = v;
    pair[v][1] = first + (uint32_t)ms_random_below(ms_random_low(random), count);
  }
  return ms_watch_report(&watch, PHASE, err);
}

ms_status ms_generate_colors(const ms_graph *graph, uint32_t colors, uint64_t seed,
                             ms_coloring **out, ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(graph, err);
  ms_names *names;
  *out = NULL;
  if (colors == 0)
    return ms_fail(err, MS_ERR_USAGE, "0 colours are too few; give at least 1");
  MS_TRY(ms_names_new(&names, err));
  uint32_t(*pair)[2] = ms_alloc(graph->n, sizeof *pair);
  ms_status status =
      pair ? ms_add_numbered(names, "c", colors, err) : ms_fail_memory(err, "random colours");
  if (status == MS_OK)
    status = ms_color_uniformly(graph->n, 0, colors, seed, pair, err);
  if (status == MS_OK) {
    status = ms_coloring_build(graph->n, graph->n, (const uint32_t(*)[2])pair, names, NULL, NULL,
                               out, err);
    if (status == MS_OK)
      (*out)->graph_serial = graph->serial;
  } else {
    ms_names_free(names);
  }
  ms_free(pair);
  return status;
}
