/* The kernels of the census by shape, by the number of vertices of a set. */
#include "gpu/census/shapes.cuh"

/* BLOCKS: of a multiprocessor, which bounds the registers. */
enum { THREADS = MS_SHAPES_WARPS * 32, BLOCKS = 4 };

extern __shared__ uint4 shapes_memory[];

template <uint32_t K, bool COLORED>
static __global__ void __launch_bounds__(THREADS, BLOCKS)
    count_shapes(const __grid_constant__ ms_shapes_launch launch)
{
  ms_shapes_search<K, COLORED>(launch, blockDim.x / MS_LANES, (uint8_t *)shapes_memory);
}

static __global__ void __launch_bounds__(THREADS)
    read_table(const __grid_constant__ ms_shapes_launch launch)
{
  ms_shapes_read(launch, blockDim.x / MS_LANES, gridDim.x);
}

template <uint32_t K> static const void *function_of(ms_shapes_kernel kernel)
{
  return kernel == MS_SHAPES_PLAIN ? (const void *)count_shapes<K, false>
                                   : (const void *)count_shapes<K, true>;
}

extern "C" const void *ms_shapes_function(uint32_t k, ms_shapes_kernel kernel)
{
  return kernel == MS_SHAPES_READ ? (const void *)read_table
         : k == 3                 ? function_of<3>(kernel)
         : k == 4                 ? function_of<4>(kernel)
         : k == 5                 ? function_of<5>(kernel)
                                  : function_of<6>(kernel);
}
