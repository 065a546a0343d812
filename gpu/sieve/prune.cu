/* The kernels of pruning. */
#include "gpu/sieve/prune.cuh"

#define KERNEL(stage)                                                                              \
  static __global__ void __launch_bounds__(MS_PRUNE_WARPS * 32)                                    \
      prune_##stage(const __grid_constant__ ms_prune_launch launch)                                \
  {                                                                                                \
    ms_prune_##stage(launch);                                                                      \
  }

KERNEL(near)
KERNEL(hop)
KERNEL(far)
KERNEL(plant)
KERNEL(link)
KERNEL(flatten)
KERNEL(giant)
KERNEL(join)
KERNEL(size)
KERNEL(small)
KERNEL(count)
KERNEL(number)
KERNEL(copy)

extern "C" const void *ms_prune_function(ms_prune_stage stage)
{
  static const void *const kernel[MS_PRUNE_STAGES] = {
      (const void *)prune_near,  (const void *)prune_hop,   (const void *)prune_far,
      (const void *)prune_plant, (const void *)prune_link,  (const void *)prune_flatten,
      (const void *)prune_giant, (const void *)prune_join,  (const void *)prune_size,
      (const void *)prune_small, (const void *)prune_count, (const void *)prune_number,
      (const void *)prune_copy};
  return kernel[stage];
}
