/* Motif and query.
 *
 * A motif of k slots has *classes*: equal slots form one class.  Slot numbers
 * 0..k-1 run class after class.  A shade (SIEVE) is a slot; a vertex's mask
 * has bit d set iff the vertex may take slot d. */
#ifndef MS_QUERY_QUERY_H
#define MS_QUERY_QUERY_H

#include "graph/colors.h"
#include "graph/graph.h"

#define MS_WILDCARD UINT32_MAX

typedef struct ms_motif_class {
  uint32_t color; /* colour id or MS_WILDCARD */
  uint32_t count; /* slots of this class, >= 1 */
} ms_motif_class;

struct ms_motif {
  uint32_t k;         /* 1..MS_MAX_K */
  uint32_t n_classes; /* distinct colours, wildcard last */
  ms_motif_class class_[MS_MAX_K];
  char *text; /* canonical */
};

/* A motif of k >= 1 slots; color[k]: colour ids of the colouring, or MS_WILDCARD. */
ms_status ms_motif_from_slots(const uint32_t *color, uint32_t k, const ms_coloring *coloring,
                              ms_motif **out, ms_error *err);

/* Reads a motif text without a graph: *colors are those that it names, in this
 * order, and slot[*k] is the colour of each slot, MS_WILDCARD for any. */
ms_status ms_motif_slots(const char *text, ms_names **colors, uint32_t slot[MS_MAX_K], uint32_t *k,
                         ms_error *err);

struct ms_query {
  const ms_graph *graph;
  const ms_coloring *coloring;
  const ms_motif *motif;
  uint32_t n_required;
  uint32_t required[MS_MAX_K]; /* distinct vertex ids, ascending */
};

#endif
