/* The launches of local programs (local_program.h) by the engine `dfs`. */
#ifndef MS_GPU_MATCH_DFS_LOCAL_PLAN_H
#define MS_GPU_MATCH_DFS_LOCAL_PLAN_H

#include "gpu/match/dfs/dfs.h"

/* Roots of a stretch, in which a warp takes them, where roots are not screened. */
#define MS_DFS_MOST_ROOTS 8u

/* Finds whether a block has room for the largest universe, and the device's memory for a good
 * number of its matrices. */
ms_status ms_dfs_check_room(const ms_dfs_runner *runner, const ms_gpu_device *facts, bool *fits,
                            ms_error *err);
/* Plans the first launch, in which warps have no sets in global memory, up to its blocks. */
void ms_dfs_plan_local(ms_dfs_runner *runner, const ms_gpu_device *facts);
/* Plans the second launch by the largest universe. */
ms_status ms_dfs_plan_slices(ms_dfs_runner *runner, const ms_gpu_device *facts, ms_error *err);
/* Plans the second launch of a program of codegrees: the bits of the last vertices are in shared
 * memory, as many as fit. */
ms_status ms_dfs_plan_codegrees(ms_dfs_runner *runner, const ms_gpu_device *facts, ms_error *err);

#endif
