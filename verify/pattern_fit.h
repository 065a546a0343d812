/* Inside verify/: what one vertex and what two vertices of a pattern match
 * must be.
 *
 * Between an ordered pair of vertices there are no arcs (0), one from the
 * first to the second (1), one back (2) or both (3).  An edge of an undirected
 * graph or pattern is 3. */
#ifndef MS_VERIFY_PATTERN_FIT_H
#define MS_VERIFY_PATTERN_FIT_H

#include "graph/colors.h"
#include "graph/graph.h"
#include "query/pattern.h"

/* (*fits)[n], bit i: the graph's vertex has a colour that pattern vertex i
 * accepts.  *fits == NULL where every pattern vertex takes any.  The caller
 * frees it.  O(n + assignments). */
ms_status ms_pattern_fits(const ms_graph *graph, const ms_coloring *coloring,
                          const ms_pattern *pattern, uint64_t **fits, ms_error *err);

/* The arcs of the graph between u and v.  O(log of the smaller degree). */
unsigned ms_pattern_arcs(const ms_graph *graph, uint32_t u, uint32_t v);

/* The arcs that the pattern has between i and j. */
static inline unsigned ms_pattern_wanted(const ms_pattern *pattern, uint32_t i, uint32_t j)
{
  return (unsigned)(pattern->out[i] >> j & 1) | (unsigned)(pattern->in[i] >> j & 1) << 1;
}

/* Do the arcs `have` of the graph do for the arcs `wanted`?  For an undirected
 * pattern an arc in either direction is an edge. */
static inline bool ms_pattern_arcs_fit(const ms_pattern *pattern, bool induced, unsigned wanted,
                                       unsigned have)
{
  if (have && !pattern->directed) {
    have = 3;
  }
  return induced ? have == wanted : (have & wanted) == wanted;
}

#endif
