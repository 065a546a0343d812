/* The weights of edges (dfs_weights.cuh), which the devices of a count of weighted squares make
 * together. */
#ifndef MS_GPU_MATCH_DFS_WEIGHTS_H
#define MS_GPU_MATCH_DFS_WEIGHTS_H

#include "gpu/common/exchange.h"
#include "gpu/match/dfs.h"

/* Starts the kernels that make all weights on one device. */
ms_status ms_dfs_start_weights(ms_dfs_runner *runner, ms_error *err);
/* Makes the weights together with the other devices of the share; runner->weighed says whether they
 * are made.  They are not, and nothing is left to do, if another device has failed, or if the
 * others have searched all units already; then *joined is false.  Otherwise the caller calls
 * ms_gpu_exchange_leave before it frees the runner's memory, also after a failure. */
ms_status ms_dfs_share_weights(ms_dfs_runner *runner, const ms_gpu_share *share,
                               ms_gpu_exchange *exchange, bool *joined, ms_error *err);

#endif
