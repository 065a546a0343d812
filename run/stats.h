/* Counting what is in a graph, its colours, and what pruning leaves of it. */
#ifndef MS_RUN_STATS_H
#define MS_RUN_STATS_H

#include "motif/instance.h"

/* Class 0: degree 0; class i: degrees from 2^(i-1) to below 2^i. */
#define MS_DEGREE_CLASSES 33

typedef struct ms_graph_stats {
  uint32_t vertices;
  uint64_t edges;
  uint32_t isolated; /* vertices of degree 0 */
  uint32_t min_degree, max_degree;
  double mean_degree, median_degree;   /* the mean of the two middle ones */
  uint32_t degrees[MS_DEGREE_CLASSES]; /* vertices by class */
  uint32_t components;
  uint32_t largest;       /* vertices of the largest component */
  uint64_t largest_edges; /* edges of it; of the first of several */
} ms_graph_stats;

/* O(n + m); a graph without vertices is all zeros. */
ms_status ms_graph_count(const ms_graph *graph, ms_graph_stats *stats, ms_error *err);

typedef struct ms_color_stats {
  uint32_t colors;
  uint32_t *vertices; /* [colors] vertices that have the colour */
  uint32_t *order;    /* [colors] from the most to the least frequent, names break ties */
  uint32_t uncolored; /* vertices without a colour */
  uint32_t most;      /* colours of the vertex with most */
} ms_color_stats;

/* Free with ms_color_stats_close, also after a failure. */
ms_status ms_color_count(const ms_coloring *coloring, ms_color_stats *stats, ms_error *err);
void ms_color_stats_close(ms_color_stats *stats);

typedef struct ms_motif_stats {
  uint32_t classes;
  uint32_t have[MS_MAX_K];       /* vertices that fit class i of the motif */
  bool impossible;               /* a class has fewer vertices than slots */
  uint32_t vertices, components; /* that pruning leaves */
  uint64_t edges;
  ms_prune_stats pruned;
} ms_motif_stats;

ms_status ms_motif_count(const ms_query *query, ms_motif_stats *stats, ms_error *err);

#endif
