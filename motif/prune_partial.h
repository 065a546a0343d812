/* The pruning of an instance whose matches have fewer vertices than the motif has slots. */
#ifndef MS_MOTIF_PRUNE_PARTIAL_H
#define MS_MOTIF_PRUNE_PARTIAL_H

#include "motif/instance.h"

/* Drops the vertices that fit no slot, the edges whose two ends fit only one and the same slot, and
 * the components that lack a loose vertex, or whose vertices fill fewer slots than a match has
 * vertices.  No match is lost or gained; instance->size < instance->k.  `stats` may be NULL.  The
 * result is as that of ms_instance_prune. */
ms_status ms_instance_prune_partial(const ms_instance *instance, int threads, ms_instance **out,
                                    ms_prune_stats *stats, ms_error *err);

#endif
