/* What generators of colours share. */
#ifndef MS_GRAPH_GENERATE_RANDOM_COLORS_H
#define MS_GRAPH_GENERATE_RANDOM_COLORS_H

#include "graph/names.h"

/* Adds the names prefix0, prefix1, ..; `count` of them. */
ms_status ms_add_numbered(ms_names *names, const char *prefix, uint32_t count, ms_error *err);
/* Sets pair[v] to (v, one of the colours first..first+count-1), for the n vertices v. */
ms_status ms_color_uniformly(uint32_t n, uint32_t first, uint32_t count, uint64_t seed,
                             uint32_t (*pair)[2], ms_error *err);

#endif
