#include "graph/inside.h"

void ms_graph_inside(const ms_graph *graph, const uint32_t *set, uint32_t k, ms_inside *out)
{
  double sum = 0;
  *out = (ms_inside){.edges = 0};
  for (uint32_t i = 0; i < k; i++)
    for (uint32_t j = i + 1; j < k; j++) {
      uint64_t arc = ms_graph_find_arc(graph, set[i], set[j]);
      if (arc == graph->arcs)
        continue;
      float score = graph->score ? graph->score[arc] : 0;
      sum += (double)score;
      if (out->edges == 0 || score < out->least_score)
        out->least_score = score;
      out->edges++;
    }
  if (out->edges > 0) {
    out->density = (float)((double)out->edges / (k * (k - 1) / 2));
    out->mean_score = (float)(sum / out->edges);
  }
}

void ms_graph_inside_any(const ms_graph *graph, const uint32_t *set, uint32_t k, ms_inside *out)
{
  uint32_t sorted[MS_MAX_PATTERN];
  for (uint32_t i = 0, at; i < k; i++) {
    for (at = i; at > 0 && sorted[at - 1] > set[i]; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = set[i];
  }
  ms_graph_inside(graph, sorted, k, out);
}

float ms_inside_value(const ms_inside *inside, ms_measure measure)
{
  switch (measure) {
  case MS_MEASURE_EDGES:
    return (float)inside->edges;
  case MS_MEASURE_DENSITY:
    return inside->density;
  case MS_MEASURE_MEAN_SCORE:
    return inside->mean_score;
  case MS_MEASURE_LEAST_SCORE:
    return inside->least_score;
  case MS_MEASURE_NONE:
  case MS_MEASURE_VERTEX_SCORE:
    break;
  }
  return 0;
}
