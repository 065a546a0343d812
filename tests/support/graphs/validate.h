/* Invariants of graphs, plain and typed. */
#ifndef MS_TESTS_SUPPORT_VALIDATE_H
#define MS_TESTS_SUPPORT_VALIDATE_H

#include "graph/graph.h"
#include "graph/typed.h"

/* Checks every invariant of the struct (offsets monotone, ids in range, rows sorted, unique and
 * symmetric); MS_ERR_INTERNAL names the first broken one.  O(n + m). */
ms_status validate_graph(const ms_graph *graph, ms_error *err);
ms_status validate_typed(const ms_typed *graph, ms_error *err);

#endif
