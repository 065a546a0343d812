/* The kernels that count 4-cycles inside neighbourhoods. */
#include "gpu/match/squares/hub_squares.cuh"

enum { SMALL_THREADS = 256, FILL_THREADS = 512, MULTIPLY_THREADS = 256 };

extern __shared__ uint4 shared_memory[];

static __global__ void __launch_bounds__(SMALL_THREADS, 4)
    count_small_hubs(const __grid_constant__ ms_hub_launch launch)
{
  ms_hub_count_small(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(FILL_THREADS, 2)
    fill_matrices(const __grid_constant__ ms_hub_launch launch)
{
  ms_hub_fill(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MULTIPLY_THREADS, 2)
    multiply_matrices(const __grid_constant__ ms_hub_launch launch)
{
  ms_hub_multiply(launch, (uint8_t *)shared_memory);
}

extern "C" const void *ms_hub_function(ms_hub_kernel kernel)
{
  return kernel == MS_HUB_COUNT_SMALL ? (const void *)count_small_hubs
         : kernel == MS_HUB_FILL      ? (const void *)fill_matrices
                                      : (const void *)multiply_matrices;
}
