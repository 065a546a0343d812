/* The kernels of the engine `reuse`; what a warp does is in gpu/match/reuse/reuse.cuh. */
#include "gpu/match/reuse/reuse.cuh"

enum { MOST_THREADS = 512 };

extern __shared__ uint4 shared_memory[];

template <int job>
static __global__ void __launch_bounds__(MOST_THREADS, 2)
    reuse_kernel(const __grid_constant__ ms_reuse_launch launch)
{
  ms_reuse_do(launch, (ms_reuse_job)job, (uint8_t *)shared_memory);
}

extern "C" const void *ms_reuse_function(ms_reuse_job job)
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
