/* Which vertices are in a match, as far as sub-multisets of a small motif tell
 * (motif/submultisets.h). */
#ifndef MS_MOTIF_TREES_H
#define MS_MOTIF_TREES_H

#include "motif/instance.h"
#include "motif/submultisets.h"

/* Makes the instance of the edges that may be in a tree of a match by motif/submultisets.h, and of
 * the vertices that have one: it has the same matches.  *certain: each of its vertices is in a
 * match. Matches fill all slots, and no vertex is required.
 *
 * One thread, k - 1 passes over the arcs, 12 bytes a vertex.  Polls the token of the thread. */
ms_status ms_trees_filter(const ms_instance *instance, const ms_submultisets *states,
                          ms_instance **out, bool *certain, ms_error *err);

#endif
