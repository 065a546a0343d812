/* The automorphism group of a shape, whose members keep arcs, kinds and labels, as a chain
 * of stabilizers: level i consists of the automorphisms that fix base[0..i-1].
 * The chain stores the orbit of base[i] in level i, and one automorphism of the
 * level for each point of the orbit.
 *
 * To list one match of each class (Grochow and Kellis, RECOMB 2007, section 3),
 * require row[base[i]] < row[x] for every i and every other x in that orbit:
 * exactly one map of each class meets these constraints.  With base = 0, 1, ..
 * it is the map whose row is lexicographically smallest. */
#ifndef MS_PLAN_AUTOMORPHISMS_H
#define MS_PLAN_AUTOMORPHISMS_H

#include "plan/cells.h"

#include <gmp.h>

/* Most exchanges that are made of a group. */
#define MS_GROUP_EXCHANGES 32u

typedef struct ms_group {
  uint32_t n;
  uint8_t base[MS_MAX_PATTERN];    /* [n] a permutation of the vertices */
  ms_bitset orbit[MS_MAX_PATTERN]; /* [n] orbit of base[i] in the stabilizer of base[0..i-1],
                                     base[i] included */
  uint8_t (*move[MS_MAX_PATTERN])[MS_MAX_PATTERN]; /* [level][point x of the orbit][vertex]: an
                                     automorphism of that level that takes base[i] to x;
                                     move[level] is NULL where the orbit is base[i] alone */
  /* If `sorts`, the group consists of all permutations that keep each of its orbits.  The smallest
   * row of a class is then the one that ascends within each orbit.  Exchanges of the vertices of
   * two places that do not ascend, in this order, make it. */
  bool sorts;
  uint32_t exchanges;
  uint8_t exchange[MS_GROUP_EXCHANGES][2]; /* [exchanges] the lower place first */
} ms_group;

/* Finds the group of the automorphisms that map the set `keep` of vertices to itself (all vertices:
 * no restriction).  base[n] may be NULL for 0, 1, ..  The caller frees the group with
 * ms_group_free. */
ms_status ms_group_new(const ms_shape *shape, const uint8_t *base, ms_bitset keep, ms_group **out,
                       ms_error *err);
void ms_group_free(ms_group *group);
/* Sets `order`, which the caller has initialised, to the product of the orbits' sizes. */
void ms_group_order(const ms_group *group, mpz_t order);

/* Replaces row[n], the graph vertex of each pattern vertex, by the smallest row of its class.  The
 * base must be 0, 1, .., and the row must not repeat a vertex.  O(n^2). */
void ms_group_smallest(const ms_group *group, uint32_t *row);
/* Does the same with rows[count][n]. */
void ms_group_smallest_rows(const ms_group *group, uint32_t *rows, uint64_t count);
/* Does the same for rows with repeats, for which several automorphisms may give equal rows up to
 * some level.  It follows at most MS_GROUP_TIES such ties; with more, the result may not be the
 * smallest row of the class.  In patterns beyond 64 vertices there are fewer, so that all their
 * entries are at most MS_GROUP_TIE_ENTRIES.  Returns false if there is no memory. */
#define MS_GROUP_TIES 256u
#define MS_GROUP_TIE_ENTRIES (64 * MS_GROUP_TIES)
bool ms_group_smallest_of_any(const ms_group *group, uint32_t *row);

#endif
