#include "verify/pattern_fit.h"

#include "base/alloc.h"
#include "base/status.h"

/* The pattern vertices that take any colour. */
static uint64_t takes_any(const ms_pattern *pattern)
{
  uint64_t any = 0;
  for (uint32_t i = 0; i < pattern->n; i++) {
    any |= (uint64_t)(pattern->colors[i] == 0) << i;
  }
  return any;
}

/* by_color[colours of the graph], bit i: pattern vertex i accepts it.  A name
 * that the colouring does not know is nobody's colour. */
static void look_up_colors(const ms_coloring *coloring, const ms_pattern *pattern,
                           uint64_t *by_color)
{
  for (uint32_t i = 0; i < pattern->n; i++) {
    for (uint32_t a = 0; a < pattern->colors[i]; a++) {
      uint32_t color =
          ms_coloring_find(coloring, ms_names_get(pattern->color_names, pattern->color[i][a]));
      if (color != MS_NO_ID) {
        by_color[color] |= (uint64_t)1 << i;
      }
    }
  }
}

ms_status ms_pattern_fits(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_pattern *pattern, uint64_t **fits, ms_error *err)
{
  uint32_t n = ms_graph_vertex_count(graph), count = 0;
  uint64_t any = takes_any(pattern);
  *fits = NULL;
  if (any == UINT64_MAX >> (64 - pattern->n)) {
    return MS_OK;
  }
  uint64_t *by_color =
      ms_calloc(coloring ? ms_coloring_describe(coloring).colors : 0, sizeof *by_color);
  uint64_t *masks = ms_alloc(n, sizeof *masks);
  if (!by_color || !masks) {
    ms_free(by_color);
    ms_free(masks);
    return ms_fail_memory(err, "the colours of a pattern");
  }
  if (coloring) {
    look_up_colors(coloring, pattern, by_color);
  }
  for (uint32_t v = 0; v < n; v++) {
    const uint32_t *colors = coloring ? ms_coloring_of(coloring, v, &count) : NULL;
    masks[v] = any;
    for (uint32_t c = 0; c < count; c++) {
      masks[v] |= by_color[colors[c]];
    }
  }
  ms_free(by_color);
  *fits = masks;
  return MS_OK;
}

unsigned ms_pattern_arcs(const ms_graph *graph, uint32_t u, uint32_t v)
{
  const uint64_t *offset = graph->offset;
  bool swapped = offset[v + 1] - offset[v] < offset[u + 1] - offset[u];
  uint32_t from = swapped ? v : u, to = swapped ? u : v;
  const uint32_t *row = graph->neighbor + offset[from];
  uint64_t left = offset[from + 1] - offset[from];
  if (left == 0) {
    return 0;
  }
  /* the last neighbour that is at most `to`, or the first one of all */
  while (left > 1) {
    uint64_t half = left / 2;
    row = row[half] <= to ? row + half : row;
    left -= half;
  }
  if (*row != to) {
    return 0;
  }
  unsigned arcs = graph->direction ? graph->direction[row - graph->neighbor] : 3;
  return swapped ? arcs >> 1 | (arcs & 1) << 1 : arcs;
}
