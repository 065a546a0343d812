/* Shapes for tests of plans: well-known ones, random ones, and all
 * permutations that keep a small one. */
#ifndef MS_TESTS_SUPPORT_SHAPES_H
#define MS_TESTS_SUPPORT_SHAPES_H

#include "plan/shape.h"

/* Returns n vertices of any colour, without arcs. */
ms_shape shapes_empty(uint32_t n);
/* Adds an edge, or an arc where the shape is directed. */
void shapes_join(ms_shape *shape, uint32_t a, uint32_t b);
ms_shape shapes_clique(uint32_t n);
ms_shape shapes_path(uint32_t n);
ms_shape shapes_cycle(uint32_t n);
ms_shape shapes_star(uint32_t leaves);
ms_shape shapes_bipartite(uint32_t a, uint32_t b);
ms_shape shapes_cube(uint32_t dimension);
ms_shape shapes_octahedron(void);
ms_shape shapes_petersen(void);
/* Returns the shape with vertex v as to[v]. */
ms_shape shapes_relabel(const ms_shape *shape, const uint8_t *to);
/* Returns the two shapes side by side. */
ms_shape shapes_union(const ms_shape *a, const ms_shape *b);
/* Returns n vertices of random kinds 0..kinds-1, each pair joined with probability chance / 256. */
ms_shape shapes_random(uint64_t *state, uint32_t n, bool directed, uint32_t chance, uint32_t kinds);
void shapes_shuffle(uint64_t *state, uint32_t n, uint8_t *order);

/* Turns perm[n] into the next permutation in lexicographic order; false after the last. */
bool shapes_next_permutation(uint32_t n, uint8_t *perm);
/* True if map[n] keeps arcs, kinds and the set `keep`. */
bool shapes_is_automorphism(const ms_shape *shape, ms_bitset keep, const uint8_t *map);

#endif
