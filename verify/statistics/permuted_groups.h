/* Groups of vertices whose neighbours have the same classes of lists of colours: the lists from
 * which the chains of the null `edges` draw vertices that are alike (docs/SIGNIFICANCE.md). */
#ifndef MS_VERIFY_PERMUTED_GROUPS_H
#define MS_VERIFY_PERMUTED_GROUPS_H

#include "motifsieve.h"

#define MS_NO_CLASS UINT32_MAX

typedef struct ms_groups ms_groups;

/* A multiset of classes, in a stratum: two sums of hash values of its members, which are added
 * modulo 2^64. */
typedef struct ms_multiset_sum {
  uint64_t a, b;
} ms_multiset_sum;

typedef struct ms_group ms_group;

/* Makes the groups.  now[n]: the class of each vertex; MS_NO_CLASS: none.  member[members]:
 * vertices with a class; first[members]: a number of the stratum of each.  The groups have their
 * members in this order.  Graph and classes must outlive *out. */
ms_status ms_groups_new(const ms_graph *graph, const uint32_t *now, const uint32_t *member,
                        const uint32_t *first, uint32_t members, ms_groups **out, ms_error *err);
void ms_groups_free(ms_groups *groups); /* accepts NULL */

/* Returns the multiset of v. */
ms_multiset_sum ms_groups_sum(const ms_groups *groups, uint32_t v);
/* Returns the sum with the class `gain` in place of `lose`; MS_NO_CLASS: nothing. */
ms_multiset_sum ms_sum_replace(ms_multiset_sum sum, uint32_t lose, uint32_t gain);
bool ms_sum_equal(ms_multiset_sum x, ms_multiset_sum y);
/* Returns the group of a multiset, or NULL. */
const ms_group *ms_groups_find(const ms_groups *groups, ms_multiset_sum sum);
uint32_t ms_group_size(const ms_group *group);
uint32_t ms_group_member(const ms_group *group, uint32_t i);
/* Moves v to the end of the group of its multiset with `gain` in place of `lose`; the last one of
 * its old group takes its place there. */
ms_status ms_groups_move(ms_groups *groups, uint32_t v, uint32_t lose, uint32_t gain,
                         ms_error *err);

#endif
