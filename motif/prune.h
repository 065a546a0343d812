/* Pruning that goes on from an instance that is thin already. */
#ifndef MS_MOTIF_PRUNE_H
#define MS_MOTIF_PRUNE_H

#include "motif/instance.h"

/* Does what ms_instance_prune does after ms_instance_thin, on one thread, and takes over
 * thin->left, which is not NULL, and thin->near, whether or not it succeeds.  The motif fills all
 * slots. */
ms_status ms_instance_prune_thin(const ms_thin *thin, ms_instance **out, ms_prune_stats *stats,
                                 ms_error *err);

#endif
