/* The kernels of the engine `dfs`: units by warps, counted or listed; roots with a
 * table, those of few paths by warps (count_paths), the others by blocks
 * (count_roots); local programs, small universes by warps (count_local), slices
 * of others by blocks (count_slices).  What bounds each is said where it is
 * defined; what was measured is in bench/results. */
#include "gpu/match/dfs_block.cuh"

enum { MOST_THREADS = 512 };

extern __shared__ uint4 shared_memory[];

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_units(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_units<false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    list_units(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_units<true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_roots(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_roots(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_paths(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_paths(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_local(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_local(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_slices(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_slices(launch, (uint8_t *)shared_memory);
}

extern "C" const void *ms_dfs_function(ms_dfs_kernel kernel)
{
  switch (kernel) {
  case MS_DFS_COUNT:
    return (const void *)count_units;
  case MS_DFS_LIST:
    return (const void *)list_units;
  case MS_DFS_PATHS:
    return (const void *)count_paths;
  case MS_DFS_LOCAL:
    return (const void *)count_local;
  case MS_DFS_SLICES:
    return (const void *)count_slices;
  default:
    return (const void *)count_roots;
  }
}
