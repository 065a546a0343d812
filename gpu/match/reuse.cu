/* The kernels of the engine `reuse`; what a warp does is in gpu/match/reuse.cuh. */
#include "gpu/match/reuse.cuh"

enum { MOST_THREADS = 512 };

extern __shared__ uint4 shared_memory[];

template <int job>
static __global__ void __launch_bounds__(MOST_THREADS, 2)
    reuse_kernel(const __grid_constant__ ms_reuse_launch launch)
{
  ms_reuse_do(launch, (ms_reuse_job)job, (uint8_t *)shared_memory);
}

static const void *kernel_of(ms_reuse_job job)
{
  switch (job) {
  case MS_REUSE_ROOTS:
    return (const void *)reuse_kernel<MS_REUSE_ROOTS>;
  case MS_REUSE_EXPAND:
    return (const void *)reuse_kernel<MS_REUSE_EXPAND>;
  case MS_REUSE_FINISH:
    return (const void *)reuse_kernel<MS_REUSE_FINISH>;
  default:
    return (const void *)reuse_kernel<MS_REUSE_GATHER>;
  }
}

static bool has_sets(ms_reuse_job job)
{
  return job == MS_REUSE_EXPAND || job == MS_REUSE_FINISH;
}

cudaError_t ms_reuse_occupancy(const ms_dfs_launch *walk, uint32_t *blocks)
{
  int threads = (int)(walk->warps * MS_LANES), least = 0, count = 0;
  for (ms_reuse_job job : {MS_REUSE_EXPAND, MS_REUSE_FINISH}) {
    const void *function = kernel_of(job);
    cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             (int)walk->shared_bytes);
    if (error == cudaSuccess)
      error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, threads,
                                                            walk->shared_bytes);
    if (error != cudaSuccess)
      return error;
    least = least == 0 || count < least ? count : least;
  }
  *blocks = (uint32_t)least;
  return cudaSuccess;
}

cudaError_t ms_reuse_run(const ms_reuse_launch *launch, ms_reuse_job job, cudaStream_t stream)
{
  void *arguments[] = {(void *)launch};
  return cudaLaunchKernel(kernel_of(job), dim3(launch->walk.blocks),
                          dim3(launch->walk.warps * MS_LANES), arguments,
                          has_sets(job) ? launch->walk.shared_bytes : 0, stream);
}
