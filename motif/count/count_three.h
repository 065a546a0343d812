/* Counts the matches of a sparse region with the last three levels folded.
 *
 * Let S be a connected set of k - 3 vertices with root r, N its closed neighbourhood, X the
 * candidates that fit, all of higher rank than r, and L the vertices of higher rank outside of N.
 * Write e(u) for the number of neighbours of u in L, and d(v) for the number of candidates next to
 * v.  A match that holds S has three more vertices, of which one, two or three are candidates.
 * Without colours these are
 *
 *   A = C(|X|, 3)                                             three candidates,
 *   B = (|X| - 1) sum_{u in X} e(u)  -  sum_{v in L} C(d(v), 2)
 *                                                             two, and a neighbour v of one of
 * them, C = sum_{u in X} (C(e(u), 2) + sum_{v in L, v ~ u} e(v)  -  2 t(u)) one, u, with two
 * neighbours, or with a neighbour and a neighbour of that,
 *
 * where t(u) is the number of edges between neighbours of u in L.  B: the first sum counts a v that
 * is next to both candidates of a pair twice.  C: two adjacent neighbours v, w of u are one match,
 * and the first two terms count them three times: as a pair, as v with its neighbour w, and as w
 * with its neighbour v.
 *
 * e is kept for all vertices.  It changes by one at the neighbours of a vertex that enters or
 * leaves N, and vertices are taken out of the graph once they have been roots.  So a set costs as
 * much as the rows of its candidates are long, however many matches hold it.  t(u) is 0 where no
 * edge at u is in a triangle.
 *
 * With colours the same sums run over the kinds (kinds.h) of three vertices that complete S.  e and
 * d are then vectors with a lane of 8 or 16 bits for each kind, in one word, and a sum over the
 * kinds that are right is an AND with a mask of lanes and a multiplication that adds up lanes.
 * (Method: ours; how sets grow is Wernicke's ESU, see search.c.) */
#ifndef MS_MOTIF_COUNT_THREE_H
#define MS_MOTIF_COUNT_THREE_H

#include "motif/engine.h"
#include "motif/ranked.h"

/* What the threads of a counting share. */
typedef struct ms_three ms_three;

/* Sets *out to NULL if the region cannot be counted in this way: sets of fewer than four vertices
 * or more than ten, more than eight kinds, a vertex with too many neighbours, or too little memory
 * in the budget. `ranked` must outlive it. */
ms_status ms_three_new(const ms_ranked *ranked, ms_budget *budget, ms_three **out, ms_error *err);
void ms_three_free(ms_three *three);

/* Counts the matches of the roots first..last-1, as ms_engine's count; sink->taking and
 * sink->shares must be NULL.  Without memory for all threads, some do all of the work. */
ms_status ms_three_count(const ms_three *three, int threads, uint64_t first, uint64_t last,
                         ms_count_sink *sink, const ms_stop *stop, ms_error *err);

#endif
