/* The rule "too far" of pruning, applied until nothing changes. */
#ifndef MS_MOTIF_PRUNE_FAR_H
#define MS_MOTIF_PRUNE_FAR_H

#include "motif/instance.h"

/* Sets keep[v] to 0 for each vertex that is more than k - 1 hops from all holders of a slot, or
 * from a loose required vertex, and then for each that is too far because of those, and so on; to 1
 * for all others.  *dropped receives the number of zeros.  keep[instance n]
 *
 * Time O(c k (n + m)) for the c slots and loose vertices, at most 2 k, whatever the order in which
 * vertices drop; memory 5 c bytes a vertex.  prune_far.c has the proof.  The instance has fewer
 * than 2^31 vertices.  Polls the token of the thread. */
ms_status ms_prune_far(const ms_instance *instance, int threads, uint8_t *keep, uint32_t *dropped,
                       ms_error *err);

#endif
