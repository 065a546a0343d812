/* The kernel that makes digests. */
#include "gpu/common/digest.cuh"

static __global__ void __launch_bounds__(MS_DIGEST_WARPS * 32)
    make_digest(const __grid_constant__ ms_digest_launch launch)
{
  ms_digest_run(launch);
}

extern "C" const void *ms_digest_function(void)
{
  return (const void *)make_digest;
}
