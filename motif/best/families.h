/* Families of matches that overlap, each with one of them as its representative.
 *
 * The matches come in some order.  A match joins the first representative with which it shares
 * enough vertices; a match that shares them with none becomes a representative itself.  (This is
 * the leader algorithm of Hartigan, "Clustering Algorithms", 1975.)
 *
 * Two representatives never share enough vertices.  So a set of `shared` vertices is a subset of at
 * most one representative, and a table from such subsets to representatives answers for a match in
 * C(k, shared) look-ups.  Where these are too many, each vertex has a list of the representatives
 * that hold it.  A representative lacks at most k - shared vertices of a match that joins it, and
 * so holds one of any k - shared + 1 of them: those with the shortest lists are read. */
#ifndef MS_MOTIF_FAMILIES_H
#define MS_MOTIF_FAMILIES_H

#include "base/budget.h"
#include "graph/names.h"

typedef struct ms_families ms_families;

/* Returns the least number of vertices that is at least this share (above 0, at most 1) of k. */
uint32_t ms_families_least(double share, uint32_t k);

/* Makes families of matches of k <= MS_MAX_K vertices below n, of which two in one family share at
 * least `shared` (1..k) with its representative.  What they hold is reserved in the budget. */
ms_status ms_families_new(uint32_t n, uint32_t k, uint32_t shared, ms_budget *budget,
                          ms_families **out, ms_error *err);
void ms_families_free(ms_families *families); /* accepts NULL */

/* Returns the number of the first representative with which row[k], whose vertices ascend, shares
 * enough vertices, or MS_NO_ID.  representative[][k] are the rows that were added. */
uint32_t ms_families_find(const ms_families *families, const uint32_t *representative,
                          const uint32_t *row);
/* Adds a representative behind all others, which representative[][k] holds as the last row; it
 * shares enough vertices with none of them.  Returns false if there is no room for it; then no
 * other can be added. */
bool ms_families_add(ms_families *families, const uint32_t *representative);

#endif
