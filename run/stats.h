/* Statistics of a graph, of its colours, and of what pruning leaves of it: the functions of
 * include/motifsieve/stats.h. */
#ifndef MS_RUN_STATS_H
#define MS_RUN_STATS_H

#include "motif/instance.h"

#endif
