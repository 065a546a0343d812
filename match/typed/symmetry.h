/* The automorphisms of a typed pattern: the permutations of its vertices that
 * keep the accepted types of vertices and, between each pair of vertices, the
 * accepted types of all edges. */
#ifndef MS_MATCH_TYPED_SYMMETRY_H
#define MS_MATCH_TYPED_SYMMETRY_H

#include "plan/automorphisms.h"
#include "query/typed_query.h"

/* Returns the group with the base 0, 1, ... Two sets of types are equal if they
 * accept the same types of the query's graph. */
ms_status ms_typed_group_new(const ms_typed_query *query, ms_group **out, ms_error *err);

#endif
