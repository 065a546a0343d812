/* The kernels of the engine `dfs` for large programs. */
#define MS_MANY_LEVELS
#include "gpu/match/dfs/dfs_large.cuh"

enum { MOST_THREADS = 256 };

template <bool LIST>
static __global__ void __launch_bounds__(MOST_THREADS, 2)
    large_kernel(const __grid_constant__ ms_large_launch launch)
{
  ms_large_units<LIST>(launch);
}

extern "C" const void *ms_large_function(bool listing)
{
  return listing ? (const void *)large_kernel<true> : (const void *)large_kernel<false>;
}
