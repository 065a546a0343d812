/* The kernels of the engine `dfs`: units by warps, counted or listed; roots with a
 * table, those of few paths by warps (count_paths), the others by blocks
 * (count_roots); local programs, small universes by warps (count_local), slices
 * of others by blocks (count_slices).  What bounds each is said where it is
 * defined; what was measured is in bench/results. */
#include "gpu/match/dfs_slices.cuh"

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

static const void *kernel_of(ms_dfs_kernel kernel)
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

cudaError_t ms_dfs_occupancy(ms_dfs_kernel kernel, uint32_t warps, uint32_t shared_bytes,
                             uint32_t *blocks)
{
  int count = 0;
  const void *function = kernel_of(kernel);
  cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)shared_bytes);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, (int)(warps * MS_LANES),
                                                          shared_bytes);
  *blocks = count > 0 ? (uint32_t)count : 0;
  return error;
}

cudaError_t ms_dfs_run(const ms_dfs_launch *launch, ms_dfs_kernel kernel, cudaStream_t stream)
{
  void *arguments[] = {(void *)launch};
  return cudaLaunchKernel(kernel_of(kernel), dim3(launch->blocks), dim3(launch->warps * MS_LANES),
                          arguments, launch->shared_bytes, stream);
}
