/* The kernels that sum over the triangles of a dense graph. */
#include "gpu/match/squares/dense.cuh"

enum { THREADS = 256 };

extern __shared__ uint4 shared_memory[];

static __global__ void __launch_bounds__(THREADS, 4)
    fill_graph(const __grid_constant__ ms_dense_launch launch)
{
  ms_dense_fill(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(THREADS, 2)
    multiply_graph(const __grid_constant__ ms_dense_launch launch)
{
  ms_dense_multiply(launch, (uint8_t *)shared_memory);
}

extern "C" const void *ms_dense_function(ms_dense_kernel kernel)
{
  return kernel == MS_DENSE_FILL ? (const void *)fill_graph : (const void *)multiply_graph;
}
