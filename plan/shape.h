/* A pattern as plans and engines see it: as bits.  A shape is the pattern itself, or a quotient in
 * which some vertices that are not adjacent are merged (match/count.h). */
#ifndef MS_PLAN_SHAPE_H
#define MS_PLAN_SHAPE_H

#include "query/pattern.h"

#define MS_KIND_ANY 0u /* the kind of vertices that accept any colour */

typedef struct ms_shape {
  uint32_t n; /* number of vertices */
  bool directed, induced;
  uint64_t out[MS_MAX_PATTERN];    /* [n] bit j: arc i -> j */
  uint64_t in[MS_MAX_PATTERN];     /* [n] bit j: arc j -> i; undirected: equal to out */
  uint64_t member[MS_MAX_PATTERN]; /* [n] vertices of the pattern that i stands for */
  uint32_t kind[MS_MAX_PATTERN]; /* [n] equal iff the accepted colours are equal; automorphisms keep
                                    kinds; MS_KIND_ANY: every colour */
} ms_shape;

static inline uint64_t ms_shape_near(const ms_shape *s, uint32_t i)
{
  return s->out[i] | s->in[i];
}

/* Returns the vertices of i's component, as bits. */
uint64_t ms_shape_component(const ms_shape *shape, uint32_t i);
bool ms_shape_is_connected(const ms_shape *shape);

/* Makes the shape of the pattern itself.  Two vertices have the same kind iff they accept the same
 * set of colours. */
void ms_shape_of(const ms_pattern *pattern, bool induced, ms_shape *shape);

/* Makes the quotient in which the vertices of each block are merged: block[i] < blocks for every
 * vertex i.  It keeps directions and `induced`; its kinds are 0. */
void ms_shape_quotient(const ms_shape *shape, const uint8_t *block, uint32_t blocks, ms_shape *out);

#endif
