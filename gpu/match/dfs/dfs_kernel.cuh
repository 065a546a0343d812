/* How the kernels of the engine `dfs` are defined.  Three files do so (dfs.cu, dfs_local.cu,
 * dfs_local_block.cu), because together they take minutes to compile. */
#ifndef MS_GPU_MATCH_DFS_KERNEL_CUH
#define MS_GPU_MATCH_DFS_KERNEL_CUH

#include "gpu/match/dfs/dfs_device.h"

enum { MOST_THREADS = 512 };

extern __shared__ uint4 shared_memory[];

/* A kernel that calls a function (launch, shared memory), the last argument. */
#define DFS_KERNEL(NAME, THREADS, BLOCKS, ...)                                                     \
  static __global__ void __launch_bounds__(THREADS, BLOCKS)                                        \
      NAME(const __grid_constant__ ms_dfs_launch launch)                                           \
  {                                                                                                \
    __VA_ARGS__(launch, (uint8_t *)shared_memory);                                                 \
  }

/* The kernels of local programs that ms_dfs_function returns: of warps, and of blocks. */
extern "C" const void *ms_dfs_local_function(ms_dfs_kernel kernel);
extern "C" const void *ms_dfs_local_block_function(ms_dfs_kernel kernel);

#endif
