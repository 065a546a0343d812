/* The compound type filter (MTGL: Berry, Hendrickson, Kahan, Konecny 2007,
 * "Subgraph isomorphism for semantic graphs"): an edge (v, w) can be in a match
 * only if its quadruple
 *
 *   (type of v, type of the arc v -> w, type of the arc w -> v, type of w)
 *
 * is one that some pattern edge accepts.  The third is the inverse of the
 * second, so a table of triples is enough.  Types that the pattern does not
 * distinguish form one class, so the table is small however many types the
 * graph has: it has one bit for each triple, 2 KB for a pattern with 20 edges
 * of different types. */
#ifndef MS_QUERY_TYPED_FILTER_H
#define MS_QUERY_TYPED_FILTER_H

#include "query/typed_query.h"

typedef struct ms_type_filter {
  uint32_t vertex_classes, arc_classes; /* class 0: nothing in the pattern accepts it */
  uint16_t *vertex_class;               /* [vertex types] */
  uint16_t *arc_class;                  /* [arc types] */
  uint64_t *triple;                     /* bit (v * arc_classes + a) * vertex_classes + w */
  uint32_t arc_types;
  uint8_t *some;   /* [vertex_classes][arc_types] 1 if there is a triple with some w */
  uint64_t *alone; /* bits [vertex types]: a pattern vertex without edges accepts the type */
  bool any_alone;  /* there is such a vertex */
} ms_type_filter;

ms_status ms_type_filter_new(const ms_typed_query *query, ms_type_filter **out, ms_error *err);
void ms_type_filter_free(ms_type_filter *filter);

/* True if some pattern edge accepts the quadruple of an arc of this type. */
static inline bool ms_type_filter_keeps(const ms_type_filter *f, ms_type v, ms_type arc, ms_type w)
{
  uint64_t bit =
      ((uint64_t)f->vertex_class[v] * f->arc_classes + f->arc_class[arc]) * f->vertex_classes +
      f->vertex_class[w];
  return f->triple[bit >> 6] >> (bit & 63) & 1;
}

/* Makes the part of the graph that consists of the kept edges, their ends, and the vertices that a
 * pattern vertex without edges accepts.  It reads the arcs once, in pieces of equal length, so that
 * no thread is delayed by the row of a hub.  `threads` is as in ms_threads_for; the result does not
 * depend on it. */
ms_status ms_typed_filter_part(const ms_typed_rows *rows, const ms_type_filter *filter, int threads,
                               ms_typed_part **out, ms_error *err);

#endif
