/* Which vertices are in a match, as far as sub-multisets of a small motif tell (motif/states.h). */
#ifndef MS_MOTIF_TREES_H
#define MS_MOTIF_TREES_H

#include "motif/instance.h"
#include "motif/states.h"

/* Sets keep[v] to 1 if T(v) of motif/states.h holds all slots, and to 0 otherwise: then v is in no
 * match.  *kept receives the number of ones.  *certain: each vertex that is kept is in a match.
 * Matches fill all slots, and no vertex is required.  keep[instance n]
 *
 * One thread, at most k - 1 passes over the arcs, of which later ones skip vertices next to which
 * nothing has changed; 9 bytes a vertex.  Polls the token of the thread. */
ms_status ms_trees_filter(const ms_instance *instance, const ms_motif_states *states, uint8_t *keep,
                          uint32_t *kept, bool *certain, ms_error *err);

#endif
