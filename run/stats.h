/* Statistics of a graph, of its colours, and of what pruning leaves of it. */
#ifndef MS_RUN_STATS_H
#define MS_RUN_STATS_H

#include "motif/instance.h"

/* Number of classes of degrees. Class 0 is degree 0; class i holds the degrees
 * from 2^(i-1) to below 2^i. */
#define MS_DEGREE_CLASSES 33

typedef struct ms_graph_stats {
  uint32_t vertices;
  uint64_t edges;
  uint32_t isolated; /* number of vertices of degree 0 */
  uint32_t min_degree, max_degree;
  double mean_degree, median_degree;   /* the median is the mean of the two middle degrees */
  uint32_t degrees[MS_DEGREE_CLASSES]; /* number of vertices of each class */
  uint32_t components;
  uint32_t largest; /* number of vertices of the largest component */
  /* number of its edges; of the first one if several are equally large */
  uint64_t largest_edges;
} ms_graph_stats;

/* Fills the statistics in O(n + m). For a graph without vertices all are
 * zero. */
ms_status ms_graph_count(const ms_graph *graph, ms_graph_stats *stats, ms_error *err);

typedef struct ms_color_stats {
  uint32_t colors;
  uint32_t *vertices; /* [colors] number of vertices that have the colour */
  uint32_t *order;    /* [colors] colours from the most to the least frequent; names break ties */
  uint32_t uncolored; /* number of vertices without a colour */
  uint32_t most;      /* number of colours of the vertex that has most */
} ms_color_stats;

/* Fills the statistics. Free them with ms_color_stats_close, even after a
 * failure. */
ms_status ms_color_count(const ms_coloring *coloring, ms_color_stats *stats, ms_error *err);
void ms_color_stats_close(ms_color_stats *stats);

typedef struct ms_motif_stats {
  uint32_t classes;
  uint32_t have[MS_MAX_K];       /* number of vertices that fit class i of the motif */
  bool impossible;               /* some class has fewer vertices than slots */
  uint32_t vertices, components; /* numbers that remain after pruning */
  uint64_t edges;
  ms_prune_stats pruned;
} ms_motif_stats;

ms_status ms_motif_count(const ms_query *query, ms_motif_stats *stats, ms_error *err);

#endif
