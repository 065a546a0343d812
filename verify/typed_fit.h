/* Inside verify/: the edges of a typed pattern pair by pair, and whether two
 * vertices of the graph have edges for all of a pair's. */
#ifndef MS_VERIFY_TYPED_FIT_H
#define MS_VERIFY_TYPED_FIT_H

#include "query/typed_query.h"

/* Two pattern vertices between which there are edges, or one with self-loops. */
typedef struct ms_typed_pair {
  uint32_t first, second; /* first <= second */
  uint32_t begin, end;    /* its edges */
} ms_typed_pair;

typedef struct ms_typed_pairs {
  uint32_t count;
  ms_typed_pair pair[MS_MAX_TYPED_EDGES]; /* [count] */
  /* [edges] accepted types, seen from the pair's first and from its second vertex */
  const uint64_t *seen[2][MS_MAX_TYPED_EDGES];
} ms_typed_pairs;

/* Points into the query, and needs nothing else of it. */
void ms_typed_list_pairs(const ms_typed_query *query, ms_typed_pairs *pairs);

/* Can the edges of pair p be paired off with distinct edges of the graph, its
 * first vertex at v and its second at w?  An edge of the graph is looked at from
 * v, where it is one arc to w; so is a self-loop.  O(log degree + e^2 a) for e
 * edges of the pair and a arcs, mostly less. */
bool ms_typed_pair_served(const ms_typed_rows *rows, const ms_typed_pairs *pairs, uint32_t p,
                          uint32_t v, uint32_t w);

/* Is the type of vertex v accepted by pattern vertex i? */
static inline bool ms_typed_vertex_fits(const ms_typed_query *query, uint32_t i, uint32_t v)
{
  return ms_type_in(query->vertex_types[i], query->graph->rows.vertex_type[v]);
}

#endif
