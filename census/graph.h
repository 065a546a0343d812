/* The vertices that take part in a census, under ranks that suit its search, and their kinds.
 * Vertices with the same list of colours are of one kind: the search counts multisets of kinds, of
 * which each is expanded into motifs once. */
#ifndef MS_CENSUS_GRAPH_H
#define MS_CENSUS_GRAPH_H

#include "census/multisets.h"

typedef struct ms_census_graph {
  uint32_t n;         /* vertices with a colour */
  uint64_t *offset;   /* [n + 1] */
  uint32_t *neighbor; /* [offset[n]] ranks, descending in a row */
  uint8_t *direction; /* [offset[n]] MS_ARC_..; NULL: there are none, or they do not count */
  uint32_t *vertex;   /* [n] of each rank, in the graph of the user */
  ms_kind_id *kind;   /* [n] of each rank */
  uint32_t max_degree;
  uint32_t kinds;
  uint64_t *list_offset; /* [kinds + 1] */
  ms_kind_id *list;      /* [list_offset[kinds]] the colours of each kind, ascending, renumbered */
  uint32_t colors;       /* that some vertex has */
  uint32_t *color;       /* [colors] ascending: the colour of each new number */
  bool single;           /* each kind has one colour, that of its number */
} ms_census_graph;

/* Takes k, `primary`, `only`, `shapes` and `threads` from the options.  For shapes, ranks ascend
 * with the degrees, and `coloring` may be NULL: then all vertices are of kind 0, and there are no
 * colours. */
ms_status ms_census_graph_new(const ms_graph *graph, const ms_coloring *coloring,
                              const ms_census_options *options, ms_census_graph **out,
                              ms_error *err);
/* The same in less time: each thread ranks its own part of the vertices, and which they are depends
 * on threads and time.  For counts, which do not depend on ranks. */
ms_status ms_census_graph_new_unordered(const ms_graph *graph, const ms_coloring *coloring,
                                        const ms_census_options *options, ms_census_graph **out,
                                        ms_error *err);
void ms_census_graph_free(ms_census_graph *g);

#endif
