/* How far a connected set is from a motif, and how far it may be. */
#ifndef MS_QUERY_EDITS_H
#define MS_QUERY_EDITS_H

#include "query/query.h"
#include "query/substitutes.h"

/* How far a match may be from the motif. */
typedef struct ms_edit_limits {
  uint32_t max_missing;              /* slots that may stay empty, < k */
  uint32_t max_extra;                /* vertices that may fill no slot; k + max_extra <= MS_MAX_K */
  uint32_t max_cost;                 /* greatest sum of the costs of substitutions */
  const ms_substitutes *substitutes; /* NULL: there are none */
} ms_edit_limits;

/* The least cost of a set.  Of several ways of this cost it is the one with the fewest empty slots.
 * The substitutions cost `cost` - `missing` - `extra`. */
typedef struct ms_edits {
  uint32_t missing, extra, cost;
} ms_edits;

/* Returns what it costs that the vertex fills a slot of the class: 0 if it fits, the least cost of
 * a substitution, or MS_NO_SUBSTITUTE. */
uint32_t ms_edit_cost_of_slot(const ms_query *query, uint32_t class_,
                              const ms_substitutes *substitutes, uint32_t v);

/* Finds the least cost of a set of `size` <= MS_MAX_K vertices.  Returns false if each way of
 * pairing its vertices with slots exceeds a limit.
 *
 * Method: a minimum-cost matching of vertices with slots, for one pair after the other, by shortest
 * augmenting paths (Ahuja, Magnanti, Orlin, "Network Flows", 1993, section 9.7). */
bool ms_edits_find(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                   uint32_t size, ms_edits *out);

/* Sets slot[size] to the slots that the vertices fill in a pairing of the cost that ms_edits_find
 * finds; MS_EXTRA_VERTEX: it fills none.  Slots are numbered as in ms_query_slots.  Of all such
 * pairings this is the lexicographically first, where an extra vertex comes after all slots.
 * Returns false where ms_edits_find does.
 *
 * Method: one vertex after the other takes the lowest slot with which a pairing of the others still
 * has the least cost; that takes a matching a try, and no try where the vertex has its lowest slot
 * already. */
bool ms_edits_assign(const ms_query *query, const ms_edit_limits *limits, const uint32_t *set,
                     uint32_t size, uint32_t *slot, ms_edits *edits);

#endif
