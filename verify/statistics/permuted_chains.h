/* The chains of the nulls `edges`, `rewire` and `rewire-colors`, as docs/SIGNIFICANCE.md describes
 * them, in code that shares nothing with what made them. */
#ifndef MS_VERIFY_PERMUTED_CHAINS_H
#define MS_VERIFY_PERMUTED_CHAINS_H

#include "verify/statistics/permuted.h"

/* Steps of a chain for each vertex with a colour (edges), or for each edge (rewire).  Steps of
 * edges are those that end on the table, of at most MS_MOST_TRIES times as many. */
#define MS_SWAPS_OF_VERTEX 100u
#define MS_MOST_TRIES 20u
#define MS_SWAPS_OF_EDGE 10u

/* Returns 64 random bits: number `at` of those of permutation i for a purpose; 0: shuffles, 1:
 * swaps, 2: the way to the hub. */
uint64_t ms_permuted_draw(uint64_t seed, uint64_t i, uint32_t purpose, uint64_t at);
/* Returns floor(bits bound / 2^64). */
uint64_t ms_permuted_scale(uint64_t bits, uint64_t bound);

/* ---- edges --------------------------------------------------------------------------------- */

typedef struct ms_label_chain ms_label_chain;

/* Walks from the labelling of the graph to the hub.  member[members]: vertices with a colour, by
 * stratum; first[members]: the place of the first one of the stratum of each.  Both must outlive
 * *out. */
ms_status ms_label_chain_new(const ms_graph *graph, const ms_coloring *coloring,
                             const uint32_t *member, const uint32_t *first, uint32_t members,
                             uint64_t seed, const ms_stop *stop, ms_label_chain **out,
                             ms_error *err);
void ms_label_chain_free(ms_label_chain *chain);
/* Fills from[n] for permutation i, and adds to the trace.  A stop is an error. */
ms_status ms_label_chain_run(ms_label_chain *chain, uint64_t seed, uint64_t i, const ms_stop *stop,
                             uint32_t *from, ms_chain_trace *trace, ms_error *err);

/* ---- rewire -------------------------------------------------------------------------------- */

typedef struct ms_edge_chain ms_edge_chain;

/* Walks from the graph to the hub.  `coloring`: of the null rewire-colors; NULL: rewire. */
ms_status ms_edge_chain_new(const ms_graph *graph, const ms_coloring *coloring, uint64_t seed,
                            const ms_stop *stop, ms_edge_chain **out, ms_error *err);
void ms_edge_chain_free(ms_edge_chain *chain);
/* Makes the graph of permutation i, and adds to the trace.  A stop is an error. */
ms_status ms_edge_chain_run(ms_edge_chain *chain, uint64_t seed, uint64_t i, const ms_stop *stop,
                            ms_graph **out, ms_chain_trace *trace, ms_error *err);

#endif
