/* Modules of small shapes, which are tails with an inner pattern (cpu/inner_plan.h). */
#ifndef MS_MATCH_COUNT_MODULE_H
#define MS_MATCH_COUNT_MODULE_H

#include "plan/shape.h"

/* Sets `out` to the shape that these vertices of a small shape induce, without colours. */
void ms_module_shape(const ms_shape *shape, uint64_t vertices, ms_shape *out);

/* True if a tail of a small shape, which is undirected, is counted by an inner pattern: at most two
 * vertices are outside of it, all of which are adjacent to all of it; it is connected, and no
 * vertex in it is adjacent to all others, because that one is better visited before them. */
bool ms_is_module(const ms_shape *shape, uint64_t tail);

#endif
