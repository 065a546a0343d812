/* How many maps of a shape of two to five vertices take its root to each vertex of a graph, for all
 * shapes that stay connected without their root and in which the root has two neighbours or more,
 * and for the edge.  The numbers of all other shapes follow from these (count/rooted_plan.h).
 *
 * Maps of a shape S are injective and keep edges.  What several shapes need is counted once, for
 * each edge or for each pair of vertices with common neighbours: the common neighbours, 4-cycles
 * and 4-cliques at an edge.  A number is then a sum of products of such counts over the edges,
 * triangles or pairs at a vertex, less the maps in which two vertices of S coincide: these are maps
 * of a smaller shape.  No set of five vertices is visited.  This is the idea of EVOKE (Pashanasangi
 * and Seshadhri, WSDM'20); the formulas and passes are our own.
 *
 * All of this happens in the *core*, which is left when vertices with less than two neighbours are
 * removed again and again: the other vertices of the graph are in no cycle.
 *
 * With d the degrees in the core, t the common neighbours of the ends of an edge: time
 * O(sum of min(d, d') over edges) for triangles, O(sum of d^2) where shapes have 4-cycles,
 * O(sum of t^2 over edges) for cliques and wheels.  For 5-cycles it is O(sum over vertices r of the
 * degrees of the vertices with smaller ids at the end of a path of two edges from r).  Memory: 16
 * bytes for each vertex and shape, some tens for each edge, 48 for each triangle, 44 for each
 * vertex and thread. */
#ifndef MS_MATCH_SMALL_SMALL_H
#define MS_MATCH_SMALL_SMALL_H

#include "base/budget.h"
#include "base/wide.h"
#include "match/index.h"

typedef struct ms_small ms_small;

#define MS_NO_SMALL UINT32_MAX
#define MS_SMALL_VERTICES 5u
/* The most neighbours of a vertex: numbers of 64 bits hold their cube. */
#define MS_SMALL_NEIGHBORS (UINT32_C(1) << 21)

/* True if no vertex of the graph has more neighbours, and it has less than 2^31 edges. */
bool ms_small_fits(const ms_pattern_index *index);

/* Returns the number of a shape with this root, or MS_NO_SMALL if it is none of those above: it
 * must be undirected, not induced, and without labels.  Kinds do not matter. */
uint32_t ms_small_find(const ms_shape *shape, uint32_t root);
/* Returns the passes over the graph that a shape needs, as bits. */
uint32_t ms_small_passes(uint32_t shape);
/* Returns the estimated steps (probe.h) of these passes. */
double ms_small_steps(const ms_pattern_index *index, uint32_t passes);

/* Prepares numbers of shapes of at most `vertices` vertices in an index that fits, which must
 * outlive them; nothing is counted yet.  `budget` may be NULL.  The caller frees *out with
 * ms_small_free. */
ms_status ms_small_new(const ms_pattern_index *index, uint32_t vertices, int threads,
                       ms_budget *budget, ms_small **out, ms_error *err);
/* Sets *number to the numbers of a shape for all index ids, [index->n], which last until the free.
 * MS_ERR_MEMORY: there is no room in the budget.  Stops by the token of the calling thread, whose
 * status it returns.  After an error, no other shape may be asked for. */
ms_status ms_small_numbers(ms_small *small, uint32_t shape, ms_wide_size **number, ms_error *err);
void ms_small_free(ms_small *small);

#endif
