/* The kernels of the engine `flood`.
 *
 * By counts of operations, two things bound them: binary searches of candidates in rows, eight or
 * ten dependent loads each from L1 and L2, of which 1280 threads on a multiprocessor hide most of
 * the wait; and three conjuncts for a candidate of K5's last vertex where an engine that keeps sets
 * has one. */
#include "gpu/match/flood/flood.cuh"

enum { LEAST_BLOCKS = 3 };

extern __shared__ uint4 flood_memory[];

static __global__ void __launch_bounds__(MS_FLOOD_THREADS)
    roots_kernel(const __grid_constant__ ms_conjunction_program p, uint64_t first, uint64_t count,
                 uint32_t *to)
{
  uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    ms_flood_root(p, first + count - 1 - i, to + i * ms_flood_words(0));
}

static __global__ void __launch_bounds__(MS_FLOOD_THREADS)
    step_kernel(const __grid_constant__ ms_flood_step step)
{
  ms_flood_paths_of(step);
}

template <int ACTION>
static __global__ void __launch_bounds__(MS_FLOOD_THREADS, LEAST_BLOCKS)
    search_kernel(const __grid_constant__ ms_flood_search search)
{
  ms_flood_hyper<ACTION>(search, (uint8_t *)flood_memory);
}

extern "C" const void *ms_flood_function(uint32_t kernel)
{
  static const void *const kernels[] = {(const void *)roots_kernel,
                                        (const void *)step_kernel,
                                        (const void *)search_kernel<MS_FLOOD_ONES>,
                                        (const void *)search_kernel<MS_FLOOD_COUNT>,
                                        (const void *)search_kernel<MS_FLOOD_TAIL>,
                                        (const void *)search_kernel<MS_FLOOD_LIST>};
  return kernels[kernel];
}
