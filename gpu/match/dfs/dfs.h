/* The engine `dfs` on one GPU: memory and launches, also for engines that use its walk. */
#ifndef MS_GPU_MATCH_DFS_H
#define MS_GPU_MATCH_DFS_H

#include "gpu/common/search.h"
#include "gpu/match/dfs/dfs_device.h"
#include "gpu/match/upload.h"

typedef enum ms_dfs_use {
  MS_DFS_FOR_COUNT,
  MS_DFS_FOR_LIST,
  MS_DFS_FOR_SQUARES, /* weighted squares are counted */
  MS_DFS_FOR_WALK /* another engine's kernels walk as MS_DFS_COUNT does, in half of the memory at
                     most */
} ms_dfs_use;

typedef struct ms_dfs_runner {
  ms_gpu_match match;
  ms_gpu_search search;
  ms_dfs_launch launch;
  ms_dfs_kernel kernel;
  double paths;         /* programs with a table: a bound on paths of length two and arcs */
  ms_dfs_launch second; /* of programs with a table and local ones: for what `launch` lists */
  bool sorts;           /* the list that the first launch makes is sorted */
  bool weighed;         /* the weights of edges have been made */
  uint8_t *scratch;     /* device memory of all that the launch points to */
  uint64_t scratch_bytes;
} ms_dfs_runner;

/* Opens a runner, which is not moved afterwards; the caller closes it even on failure.
 * MS_ERR_MEMORY: not even one warp's sets fit. */
ms_status ms_dfs_runner_open(ms_dfs_runner *runner, const ms_pattern_task *task, int device,
                             int threads, ms_dfs_use use, ms_error *err);
void ms_dfs_runner_close(ms_dfs_runner *runner);

#endif
