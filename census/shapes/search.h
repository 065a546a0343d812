/* Inside census/: the search for connected sets of k vertices by their shapes.
 *
 * It is ESU, as census/search.h says, with marks: each vertex that is next to the set has a mask of
 * its arcs to the vertices of the set.  The last two levels are not visited.  For a set S of k - 2
 * vertices, all pairs of its candidates are counted as if no two were adjacent, by their masks;
 * then each candidate w looks at its neighbours once: a candidate behind it is moved to where the
 * arcs between them belong, and the others that are new are counted by the direction of their arcs
 * to w. So a set of k - 1 vertices takes the degree of w, however many sets of k it is in.
 *
 * Without kinds, numbers may be in a table with a place for each code, modulo 2^64: some are taken
 * back later.  Else they are in a tally whose keys are graphs that are not in classes yet. */
#ifndef MS_CENSUS_SHAPES_SEARCH_H
#define MS_CENSUS_SHAPES_SEARCH_H

#include "base/threads/watch.h"
#include "census/graph.h"
#include "census/shapes/code.h"

/* The memory of one thread. */
typedef struct ms_graphlet_search {
  const ms_census_graph *graph;
  ms_graphlet_form form;
  uint16_t *mark; /* [n] where each rank is, and its arcs to the set */
  uint32_t *x;    /* [n] candidates, of all levels */
  uint64_t
      *table; /* [2^bits] by code, the mask of the last vertex lowest; NULL: the tally has them */
  ms_tally local;
  uint32_t *bucket;  /* [kinds << bits of a mask] candidates of a kind and mask; zeros in between */
  uint32_t *touched; /* [2 n] buckets that may not be zero */
  ms_multiset key;   /* of the set */
  ms_shared_tally *shared;
  ms_watch *watch;
  uint64_t visits, steps;
  double sets; /* about, in the table, whose numbers are modulo 2^64 */
  bool ended;  /* the search was stopped, or has no memory */
  bool full;   /* there was no memory for a number */
  bool has_table;
} ms_graphlet_search;

/* Returns the bytes that ms_graphlet_search_open reserves of the budget, with a table or not. */
uint64_t ms_graphlet_search_bytes(const ms_census_graph *graph, ms_graphlet_form form,
                                  bool has_table);
/* `shared`: receives the numbers of graphs in their classes, which are in a tally; NULL: there are
 * no colours, and the numbers are in a table. */
ms_status ms_graphlet_search_open(ms_graphlet_search *s, const ms_census_graph *graph,
                                  ms_graphlet_form form, ms_shared_tally *shared, ms_watch *watch,
                                  ms_budget *budget, ms_error *err);
/* The same with a tally of its own, s->local, which grows and keeps graphs as they are found. */
ms_status ms_graphlet_search_open_alone(ms_graphlet_search *s, const ms_census_graph *graph,
                                        ms_graphlet_form form, ms_watch *watch, ms_budget *budget,
                                        ms_error *err);
void ms_graphlet_search_close(ms_graphlet_search *s, ms_budget *budget);

/* As a ms_census_root_fn. */
void ms_graphlet_search_root(ms_graphlet_search *s, uint32_t root, uint32_t begin, uint32_t end);
/* Counts all sets with this vertex, which is vertex 0 of their codes. */
void ms_graphlet_search_vertex(ms_graphlet_search *s, uint32_t root);
/* Empties the tally of a search that has one of its own; false: no memory. */
bool ms_graphlet_search_empty(ms_graphlet_search *s);
/* Moves what is in the local tally to the shared one; false: no memory. */
bool ms_graphlet_search_take(ms_graphlet_search *s);

/* Adds the numbers of table[2^bits] of a search to total[2^bits], by codes, modulo 2^64, and makes
 * them zero. */
void ms_graphlet_search_gather(ms_graphlet_search *s, uint64_t *total);

/* Counts the pairs of neighbours of each vertex begin .. end - 1 as paths, and the triangles of
 * which it is the lowest rank, which it takes from the paths.  Over all vertices, this counts all
 * connected sets of three vertices without kinds. */
void ms_graphlet_count_triads(ms_graphlet_search *s, uint32_t begin, uint32_t end);

#endif
