/* Connected components of compressed sparse rows. */
#ifndef MS_GRAPH_WALK_COMPONENTS_H
#define MS_GRAPH_WALK_COMPONENTS_H

#include "motifsieve.h"

/* Numbers the components, component[n], from 0 by smallest vertex; *count is their number.  Rows
 * are symmetric: every edge is in both.  Uses `threads` threads (as ms_threads; fewer where there
 * is little to do); the result does not depend on their number.
 *
 * Afforest (Sutton, Ben-Nun, Barak: "Optimizing Parallel Graph Connectivity Computation via
 * Subgraph Sampling", IPDPS 2018): a union-find forest without locks, where each vertex joins its
 * first two neighbours; then only vertices outside the largest tree so far read the rest of their
 * rows.  Where one component holds most of the graph this takes O(n) and reads few arcs; at worst
 * it takes O((n + m) log n). */
ms_status ms_components(uint32_t n, const uint64_t *offset, const uint32_t *neighbor, int threads,
                        uint32_t *component, uint32_t *count, ms_error *err);

/* Does the same by one of the algorithms; MS_ERR_USAGE: there is no such algorithm.  The numbers do
 * not depend on it.  Afforest is the fastest on all graphs measured; the others are those of the
 * MultiThreaded Graph Library (Berry, Hendrickson, Kahan, Konecny: "Software and Algorithms for
 * Graph Queries on Multithreaded Architectures", MTAAP 2007), on graph/walk/traverse.h.  Both read
 * each arc once at least, O(n + m), and start searches from several vertices at a time; they differ
 * where two meet:
 *
 *   Kahan  notes the pair in a hash set.  In the end the components of these pairs
 *          are found, and those of the vertices are these.  O(n + m) steps.
 *   bully  has the stronger one take over what the other one has, and go on from
 *          there.  No set, but vertices change hands: O((n + m) log n) expected. */
ms_status ms_components_by(ms_components_algorithm algorithm, uint32_t n, const uint64_t *offset,
                           const uint32_t *neighbor, int threads, uint32_t *component,
                           uint32_t *count, ms_error *err);

#endif
