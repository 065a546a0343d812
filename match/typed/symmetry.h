/* The automorphisms of a typed pattern: permutations of its vertices that keep
 * accepted types and, between each pair, the accepted types of all edges. */
#ifndef MS_MATCH_TYPED_SYMMETRY_H
#define MS_MATCH_TYPED_SYMMETRY_H

#include "plan/automorphisms.h"
#include "query/typed_query.h"

/* Base 0, 1, ..  Sets of types are compared as the graph of the query has them. */
ms_status ms_typed_group_new(const ms_typed_query *query, ms_group **out, ms_error *err);

#endif
