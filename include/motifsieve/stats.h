/* Statistics, as `motifsieve stats` prints them.  motifsieve.h includes this file. */
#ifndef MOTIFSIEVE_STATS_H
#define MOTIFSIEVE_STATS_H

#include "motifsieve/motif.h"
#include "motifsieve/typed.h"

/* ---- statistics ------------------------------------------------------ */

/* Number of classes of degrees.  Class 0 is degree 0; class i holds the degrees from 2^(i-1) to
 * below 2^i. */
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

/* Fills *stats in O(n + m).  For a graph without vertices all are zero. */
MS_API ms_status ms_graph_measure(const ms_graph *graph, ms_graph_stats *stats, ms_error *err);

typedef struct ms_color_stats {
  uint32_t colors;
  uint32_t *vertices; /* [colors] number of vertices that have the colour */
  uint32_t *order;    /* [colors] colours from the most to the least frequent; names break ties */
  uint32_t uncolored; /* number of vertices without a colour */
  uint32_t most;      /* number of colours of the vertex that has most */
} ms_color_stats;

/* Fills *stats.  Free its arrays with ms_color_stats_clear, even after a failure; NULL is
 * accepted. */
MS_API ms_status ms_coloring_measure(const ms_coloring *coloring, ms_color_stats *stats,
                                     ms_error *err);
MS_API void ms_color_stats_clear(ms_color_stats *stats);

typedef struct ms_type_stats {
  uint32_t vertex_types, edge_types; /* a directed relation and its inverse are one type of edges */
  uint32_t *vertices;                /* [vertex_types] number of vertices of the type */
  uint32_t *vertex_order; /* [vertex_types] from the most to the least frequent; names break ties */
  uint64_t *edges;        /* [arc_types of ms_typed_info] number of edges; of an inverse 0 */
  uint32_t *edge_order;   /* [edge_types] types of arcs, ordered alike */
} ms_type_stats;

/* Counts the vertices and edges of each type.  Free the arrays with ms_type_stats_clear, even after
 * a failure; NULL is accepted. */
MS_API ms_status ms_typed_measure(const ms_typed *graph, ms_type_stats *stats, ms_error *err);
MS_API void ms_type_stats_clear(ms_type_stats *stats);

/* What pruning removed from a graph. */
typedef struct ms_prune_stats {
  uint32_t rounds;
  uint32_t no_slot;        /* vertices dropped because they have no colour of the motif */
  uint64_t edges_one_slot; /* edges dropped because both ends fit only one and the same slot */
  /* vertices dropped because their component cannot fill the slots or lacks a required vertex */
  uint32_t poor_component;
  /* vertices dropped because some slot or required vertex is more than k-1 hops away */
  uint32_t too_far;
  uint32_t components; /* number of components that remain */
} ms_prune_stats;

typedef struct ms_motif_stats {
  uint32_t classes;              /* number of different colours in the motif, "*" included */
  uint32_t have[MS_MAX_K];       /* number of vertices that fit class i of the motif */
  bool impossible;               /* some class has fewer vertices than slots */
  uint32_t vertices, components; /* numbers that remain after pruning */
  uint64_t edges;
  ms_prune_stats pruned;
} ms_motif_stats;

/* Counts the vertices for each colour of the query's motif, and prunes its graph. */
MS_API ms_status ms_query_measure(const ms_query *query, ms_motif_stats *stats, ms_error *err);

/* ---- the environment ------------------------------------------------- */

/* Checks the variables of the environment that the library reads, such as OMP_NUM_THREADS and
 * MOTIFSIEVE_CUDA.  MS_ERR_USAGE: one of them has a value that means nothing; the message says what
 * it may be.  Without this check, the library ignores such a value where it can. */
MS_API ms_status ms_environment_check(ms_error *err);

/* ---- devices --------------------------------------------------------- */

typedef struct ms_device_info {
  char name[64];
  int major, minor; /* compute capability */
  int multiprocessors;
  uint64_t memory; /* bytes */
  uint64_t l2;     /* bytes of the second-level cache */
  double clock;    /* Hz */
} ms_device_info;

/* Returns the number of GPUs that can be used on this machine.  The code for GPUs is in a file of
 * its own, libmotifsieve-cuda.so.1, which the library loads when it considers GPUs for the first
 * time: the one that the environment variable MOTIFSIEVE_CUDA names, or one beside the library (or
 * beside the program that contains the library, or in ../lib from there), or one where the dynamic
 * linker searches.  MOTIFSIEVE_CUDA=0 forbids GPUs. */
MS_API int ms_device_count(void);
/* Returns a phrase: what GPUs there are, or the reason why there are none.  Never NULL. */
MS_API const char *ms_device_reason(void);
/* Describes GPU `device`, counted from 0.  MS_ERR_USAGE: there is no such GPU. */
MS_API ms_status ms_device_describe(int device, ms_device_info *info, ms_error *err);

#endif
