/* The automorphism group of a shape (arcs, kinds and labels kept), as a chain of
 * stabilizers: level i holds the automorphisms that fix base[0..i-1], and its
 * orbit of base[i] with one automorphism for each point of it.
 *
 * Listing one match of each class (Grochow and Kellis, RECOMB 2007, section
 * 3): the constraint row[base[i]] < row[x] for every x in that orbit, for
 * every i, is met by exactly one map of each class; with base = 0, 1, .. it is
 * the one whose row is lexicographically smallest. */
#ifndef MS_PLAN_AUTOMORPHISMS_H
#define MS_PLAN_AUTOMORPHISMS_H

#include "plan/cells.h"

#include <gmp.h>

typedef struct ms_group {
  uint32_t n;
  uint8_t base[MS_MAX_PATTERN];   /* [n] a permutation of the vertices */
  uint64_t orbit[MS_MAX_PATTERN]; /* [n] of base[i] in the stabilizer of base[0..i-1], itself
                                     included */
  uint8_t (*move[MS_MAX_PATTERN])[MS_MAX_PATTERN]; /* [level][point x of the orbit][vertex]: an
                                     automorphism of that level that takes base[i] to x;
                                     move[level] is NULL where the orbit is base[i] alone */
} ms_group;

/* base[n], or NULL for 0, 1, ..  `keep`: only automorphisms that map this set of vertices
 * to itself (set all bits for no restriction).  Free the group with ms_group_free. */
ms_status ms_group_new(const ms_shape *shape, const uint8_t *base, uint64_t keep, ms_group **out,
                       ms_error *err);
void ms_group_free(ms_group *group);
/* The product of the orbits' sizes; `order` is initialised by the caller. */
void ms_group_order(const ms_group *group, mpz_t order);

/* Turn row[n] (graph vertex of each pattern vertex) into the smallest row of
 * its class.  Only for base 0, 1, .., and for rows without repeats.  O(n^2). */
void ms_group_smallest(const ms_group *group, uint32_t *row);
/* The same for rows with repeats, for which several automorphisms may tie up to some
 * level.  All ties are followed, at most MS_GROUP_TIES; beyond that, the row may stay
 * larger than others of its class. */
#define MS_GROUP_TIES 256u
void ms_group_smallest_of_any(const ms_group *group, uint32_t *row);

#endif
