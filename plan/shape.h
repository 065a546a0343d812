/* A pattern as plans and engines see it: as sets of vertices.  A shape is the pattern itself, or a
 * quotient in which some vertices that are not adjacent are merged (match/count/count.h). */
#ifndef MS_PLAN_SHAPE_H
#define MS_PLAN_SHAPE_H

#include "query/pattern.h"

#define MS_KIND_ANY 0u /* the kind of vertices that accept any colour */

/* label[i][j]: the relation that arcs from i to j belong to, 0 where there are none.  It must
 * say all that label[j][i] does: one of them determines the other. */
typedef const uint16_t (*ms_arc_labels)[MS_MAX_PATTERN];

typedef struct ms_shape {
  uint32_t n; /* number of vertices */
  bool directed, induced;
  ms_bitset out[MS_MAX_PATTERN];    /* [n] j: arc i -> j */
  ms_bitset in[MS_MAX_PATTERN];     /* [n] j: arc j -> i; undirected: equal to out */
  ms_bitset member[MS_MAX_PATTERN]; /* [n] vertices of the pattern that i stands for */
  uint32_t kind[MS_MAX_PATTERN]; /* [n] equal iff the accepted colours are equal; automorphisms keep
                                    kinds; MS_KIND_ANY: every colour */
  ms_arc_labels label; /* [n][n] of a pattern with relations, which is undirected here; borrowed.
                          Automorphisms keep labels.  NULL: one relation */
} ms_shape;

static inline ms_bitset ms_shape_near(const ms_shape *s, uint32_t i)
{
  return ms_bitset_or(s->out[i], s->in[i]);
}

/* Returns the vertices of i's component. */
ms_bitset ms_shape_component(const ms_shape *shape, uint32_t i);
bool ms_shape_is_connected(const ms_shape *shape);

/* Makes the shape of the pattern itself.  Two vertices have the same kind iff they accept the same
 * set of colours. */
void ms_shape_of(const ms_pattern *pattern, bool induced, ms_shape *shape);

/* Makes the quotient in which the vertices of each block are merged: block[i] < blocks for every
 * vertex i.  It keeps directions and `induced`; its kinds are 0. */
void ms_shape_quotient(const ms_shape *shape, const uint8_t *block, uint32_t blocks, ms_shape *out);

#endif
