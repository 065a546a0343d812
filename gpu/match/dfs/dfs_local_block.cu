/* The kernels of the engine `dfs` for local programs in which a block has a universe, or several
 * (dfs.cu). */
#include "gpu/match/dfs/dfs_kernel.cuh"
#include "gpu/match/dfs/dfs_team.cuh"

DFS_KERNEL(count_chain_slices, MS_ALONE_THREADS, 1, ms_dfs_slices<true>)
DFS_KERNEL(count_codegrees, MS_CODEGREE_THREADS, 1, ms_dfs_codegrees)
DFS_KERNEL(count_team_chains, MS_TEAM_THREADS, MS_TEAM_BLOCKS, ms_dfs_team_chains)
DFS_KERNEL(count_slices, MOST_THREADS, 2, ms_dfs_slices<false>)

extern "C" const void *ms_dfs_local_block_function(ms_dfs_kernel kernel)
{
  switch (kernel) {
  case MS_DFS_CHAIN_SLICES:
    return (const void *)count_chain_slices;
  case MS_DFS_CODEGREES:
    return (const void *)count_codegrees;
  case MS_DFS_TEAM_CHAINS:
    return (const void *)count_team_chains;
  default:
    return (const void *)count_slices;
  }
}
