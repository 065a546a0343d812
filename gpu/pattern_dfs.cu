/* The kernels of the engine `dfs`. */
#include "gpu/pattern_block.cuh"

enum { MOST_THREADS = 512 };

extern __shared__ uint4 shared_memory[];

static __global__ void __launch_bounds__(MOST_THREADS, 2) search_units(const ms_dfs_launch launch)
{
  ms_dfs_units(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) search_roots(const ms_dfs_launch launch)
{
  ms_dfs_roots(launch, (uint8_t *)shared_memory);
}

static const void *kernel_of(bool table)
{
  return table ? (const void *)search_roots : (const void *)search_units;
}

cudaError_t ms_dfs_occupancy(bool table, uint32_t warps, uint32_t shared_bytes, uint32_t *blocks)
{
  int count = 0;
  cudaError_t error = cudaFuncSetAttribute(kernel_of(table), cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel_of(table), (int)(warps * MS_LANES), shared_bytes);
  *blocks = count > 0 ? (uint32_t)count : 0;
  return error;
}

cudaError_t ms_dfs_run(const ms_dfs_launch *launch, bool table, cudaStream_t stream)
{
  void *arguments[] = {(void *)launch};
  return cudaLaunchKernel(kernel_of(table), dim3(launch->blocks), dim3(launch->warps * MS_LANES), arguments,
                          launch->shared_bytes, stream);
}
