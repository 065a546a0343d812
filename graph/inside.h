/* The edges inside a set of vertices, and their scores. */
#ifndef MS_GRAPH_INSIDE_H
#define MS_GRAPH_INSIDE_H

#include "graph/graph.h"

/* Scores are 0 where the graph has none, or the set has no edge. */
typedef struct ms_inside {
  uint32_t edges;
  float density;    /* edges / C(k, 2); 0 for a single vertex */
  float mean_score; /* the sum, pair by pair in graph order, of double precision, over the number */
  float least_score;
} ms_inside;

/* Measures set[k], whose vertices may come in any order; k <= MS_MAX_PATTERN. */
void ms_graph_inside_any(const ms_graph *graph, const uint32_t *set, uint32_t k, ms_inside *out);
/* Measures set[k], whose vertices ascend.  O(k^2 log degree). */
void ms_graph_inside(const ms_graph *graph, const uint32_t *set, uint32_t k, ms_inside *out);
/* Returns the value of one measure; of none, or of the vertices: 0. */
float ms_inside_value(const ms_inside *inside, ms_measure measure);

#endif
