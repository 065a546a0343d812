/* The kernels of the engine `dfs`. */
#include "gpu/pattern_block.cuh"

enum { MOST_THREADS = 512 };

extern __shared__ uint4 shared_memory[];

static __global__ void __launch_bounds__(MOST_THREADS, 2) count_units(const ms_dfs_launch launch)
{
  ms_dfs_units<false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) list_units(const ms_dfs_launch launch)
{
  ms_dfs_units<true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) count_roots(const ms_dfs_launch launch)
{
  ms_dfs_roots(launch, (uint8_t *)shared_memory);
}

static const void *kernel_of(ms_dfs_kernel kernel)
{
  switch (kernel) {
  case MS_DFS_COUNT: return (const void *)count_units;
  case MS_DFS_LIST: return (const void *)list_units;
  default: return (const void *)count_roots;
  }
}

cudaError_t ms_dfs_occupancy(ms_dfs_kernel kernel, uint32_t warps, uint32_t shared_bytes, uint32_t *blocks)
{
  int count = 0;
  const void *function = kernel_of(kernel);
  cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, (int)(warps * MS_LANES), shared_bytes);
  *blocks = count > 0 ? (uint32_t)count : 0;
  return error;
}

cudaError_t ms_dfs_run(const ms_dfs_launch *launch, ms_dfs_kernel kernel, cudaStream_t stream)
{
  void *arguments[] = {(void *)launch};
  return cudaLaunchKernel(kernel_of(kernel), dim3(launch->blocks), dim3(launch->warps * MS_LANES), arguments,
                          launch->shared_bytes, stream);
}
