/* Counts of patterns whose vertices are eliminated one after the other (match/cpu/elimination.h).
 *
 * The maps that elimination counts may take vertices to the same one, unless these are adjacent or
 * one of them was fixed while the other one was left.  Those in which some coincide are the maps of
 * smaller shapes, in which these vertices are merged (gluings.h); they are counted in ways of their
 * own, and subtracted.  A pattern with a cut vertex or a cut pair is fixed there and falls apart,
 * so that its parts are counted one after the other and not one within the other: a search pays one
 * of them for each match of the others.
 *
 * It needs shapes of at most MS_ELIMINATION_VERTICES vertices that are undirected, not induced, and
 * accept all vertices of the graph of their degree. */
#ifndef MS_MATCH_COUNT_ELIMINATION_H
#define MS_MATCH_COUNT_ELIMINATION_H

#include "match/count/count.h"
#include "match/cpu/elimination.h"

typedef struct ms_elimination_choice {
  ms_elimination_plan plan;
  uint32_t may[MS_ELIMINATION_VERTICES]; /* [n] bits of the vertices that each may coincide with */
  double steps;                          /* estimated (probe.h), without smaller shapes */
} ms_elimination_choice;

/* True if `query` may count the shape in this way, whatever it takes (count_plan.c). */
bool ms_elimination_may(const ms_count_query *query, const ms_shape *shape,
                        const ms_domain *domain);
/* Plans the elimination of a connected shape of two vertices or more, in the fewest estimated
 * steps.  False: it has too many parts. */
bool ms_elimination_choose(const ms_count_query *query, const ms_shape *shape,
                           ms_elimination_choice *out);

#endif
