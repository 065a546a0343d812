/* The compound type filter (MTGL: Berry, Hendrickson, Kahan, Konecny 2007,
 * "Subgraph isomorphism for semantic graphs"): an edge (v, w) can be in a match
 * only if its quadruple
 *
 *   (type of v, type of the arc v -> w, type of the arc w -> v, type of w)
 *
 * is one that some pattern edge accepts.  The third follows from the second,
 * the inverse, so a table of triples says it all.  Types that the pattern
 * cannot tell apart are one class, so the table is small (bits; 20 pattern
 * edges with a type each: 2 KB) however many types the graph has. */
#ifndef MS_QUERY_TYPED_FILTER_H
#define MS_QUERY_TYPED_FILTER_H

#include "query/typed_query.h"

typedef struct ms_type_filter {
  uint32_t vertex_classes, arc_classes; /* 0 of each: accepted by nothing in the pattern */
  uint16_t *vertex_class;               /* [vertex types] */
  uint16_t *arc_class;                  /* [arc types] */
  uint64_t *triple;                     /* bit (v * arc_classes + a) * vertex_classes + w */
  uint32_t arc_types;
  uint8_t *some;   /* [vertex_classes][arc_types] is there any w? */
  uint64_t *alone; /* bits [vertex types]: accepted by a pattern vertex without edges */
  bool any_alone;  /* there is such a vertex */
} ms_type_filter;

ms_status ms_type_filter_new(const ms_typed_query *query, ms_type_filter **out, ms_error *err);
void ms_type_filter_free(ms_type_filter *filter);

/* Does the quadruple of an arc of this type occur in the pattern? */
static inline bool ms_type_filter_keeps(const ms_type_filter *f, ms_type v, ms_type arc, ms_type w)
{
  uint64_t bit =
      ((uint64_t)f->vertex_class[v] * f->arc_classes + f->arc_class[arc]) * f->vertex_classes +
      f->vertex_class[w];
  return f->triple[bit >> 6] >> (bit & 63) & 1;
}

/* The kept edges and their ends, and the vertices that a pattern vertex without
 * edges accepts.  One pass over the arcs in pieces of equal length, whatever
 * rows they are of, so that hubs hold nobody up; by `threads` threads (as
 * ms_threads_for).  The result does not depend on them. */
ms_status ms_typed_filter_part(const ms_typed_rows *rows, const ms_type_filter *filter, int threads,
                               ms_typed_part **out, ms_error *err);

#endif
