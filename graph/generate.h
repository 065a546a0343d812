/* Random graphs for tests and benchmarks; deterministic in the seed. */
#ifndef MS_GRAPH_GENERATE_H
#define MS_GRAPH_GENERATE_H

#include "motifsieve.h"

/* A simple d-regular graph on n vertices, n * d even, d < n: the pairing model,
 * with loops and repeated edges switched away (McKay & Wormald 1990). */
ms_status ms_generate_regular(uint32_t n, uint32_t d, uint64_t seed, ms_graph **out, ms_error *err);

/* One of `colors` colours on every vertex, uniform and independent; colours
 * are called "c0", "c1", .. */
ms_status ms_generate_colors(const ms_graph *graph, uint32_t colors, uint64_t seed,
                             ms_coloring **out, ms_error *err);

#endif
