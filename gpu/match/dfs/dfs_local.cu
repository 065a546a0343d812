/* The kernels of the engine `dfs` for local programs in which a warp has a universe (dfs.cu). */
#include "gpu/match/dfs/dfs_kernel.cuh"
#include "gpu/match/dfs/dfs_local_block.cuh"

DFS_KERNEL(count_chains, MOST_THREADS, 2, ms_dfs_local<true, false>)
DFS_KERNEL(count_screened_local, MOST_THREADS, 2, ms_dfs_local<false, true>)
DFS_KERNEL(count_screened_chains, MOST_THREADS, 2, ms_dfs_local<true, true>)
DFS_KERNEL(count_local, MOST_THREADS, 2, ms_dfs_local<false, false>)

extern "C" const void *ms_dfs_local_function(ms_dfs_kernel kernel)
{
  switch (kernel) {
  case MS_DFS_CHAIN:
    return (const void *)count_chains;
  case MS_DFS_SCREENED_LOCAL:
    return (const void *)count_screened_local;
  case MS_DFS_SCREENED_CHAIN:
    return (const void *)count_screened_chains;
  default:
    return (const void *)count_local;
  }
}
