/* The launches of a runner of the engine `dfs` (dfs.h), planned before its memory is allocated. */
#ifndef MS_GPU_MATCH_DFS_PLAN_H
#define MS_GPU_MATCH_DFS_PLAN_H

#include "gpu/match/dfs/dfs.h"

/* True if the runner counts by codegrees (dfs_local_block.cuh). */
bool ms_dfs_is_by_codegrees(const ms_dfs_runner *runner);
/* Returns the kernel of the first launch. */
ms_dfs_kernel ms_dfs_first_kernel(const ms_dfs_runner *runner);
/* Returns the number of units; of codegrees, a unit is a vertex. */
uint64_t ms_dfs_units_of(const ms_dfs_runner *runner);
/* Chooses the kernels, and plans `launch` and `second` within the free memory, of which they take
 * *bytes.  The runner's graph and program are on the device.  MS_ERR_MEMORY: not even one warp's
 * sets fit. */
ms_status ms_dfs_plan(ms_dfs_runner *runner, const ms_gpu_device *facts, ms_dfs_use use,
                      uint64_t *bytes, ms_error *err);

#endif
