/* Edges of typed graphs as tests write them down. */
#ifndef MS_TESTS_SUPPORT_TYPED_EDGE_H
#define MS_TESTS_SUPPORT_TYPED_EDGE_H

#include "graph/typed.h"

#include <check.h>

/* From `from` to `to`, of arc type `type` seen from `from`. */
typedef struct typed_edge {
  uint32_t from, to;
  ms_type type;
} typed_edge;

static inline void typed_add_edges(ms_typed_parts *parts, uint64_t m, const typed_edge *edge)
{
  ck_assert_int_eq(ms_typed_parts_reserve(parts, m, NULL), MS_OK);
  for (uint64_t e = 0; e < m; e++)
    ms_typed_parts_add(parts, edge[e].from, edge[e].to, edge[e].type);
}

#endif
