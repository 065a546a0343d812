/* A typed pattern as plans and engines see it: an undirected shape whose labels name relations.
 *
 * All edges between two pattern vertices together are one relation, seen from either vertex:
 * the pairs of graph vertices between which each of these edges finds an edge of its own.  Two
 * pairs of pattern vertices have the same relation if their edges accept the same types of the
 * query's graph.  Relation r is the label 1 + 2 r from one side and 2 + 2 r from the other;
 * a relation that is the same from both sides has the label 1 + 2 r alone.  Labels are
 * the kinds of rows of an index of relations (relations.h). */
#ifndef MS_MATCH_TYPED_SHAPE_H
#define MS_MATCH_TYPED_SHAPE_H

#include "plan/shape.h"
#include "query/typed_query.h"

typedef struct ms_typed_shape {
  /* automorphisms keep the accepted types of vertices and of self-loops, too: its kinds */
  ms_shape shape;
  uint32_t relations;
  uint16_t label[MS_MAX_PATTERN][MS_MAX_PATTERN];
} ms_typed_shape;

/* shape.label points into the result, which is freed with ms_free. */
ms_status ms_typed_shape_new(const ms_typed_query *query, ms_typed_shape **out, ms_error *err);

#endif
