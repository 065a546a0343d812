/* The kernels of the census, by the number of words of a ball. */
#include "gpu/census/labels.cuh"
#include "gpu/census/vertices.cuh"

enum { THREADS = MS_CENSUS_WARPS * 32 };

extern __shared__ uint4 shared_memory[];

template <uint32_t W>
static __global__ void __launch_bounds__(THREADS)
    count_sets(const __grid_constant__ ms_census_launch launch)
{
  uint32_t warps = blockDim.x / MS_LANES;
  if (launch.shared_cells > 0)
    ms_census_roots<W, MS_IN_BLOCK>(launch, warps, (uint8_t *)shared_memory);
  else
    ms_census_roots<W, MS_IN_GLOBAL_MEMORY>(launch, warps, (uint8_t *)shared_memory);
}

template <uint32_t W>
static __global__ void __launch_bounds__(THREADS)
    count_labels(const __grid_constant__ ms_census_launch launch)
{
  ms_census_label_roots<W>(launch, (uint8_t *)shared_memory);
}

template <uint32_t W>
static __global__ void __launch_bounds__(THREADS)
    count_vertices(const __grid_constant__ ms_census_launch launch)
{
  ms_census_vertex_roots<W>(launch, blockDim.x / MS_LANES, (uint8_t *)shared_memory);
}

template <uint32_t W> static const void *function_of(ms_census_kernel kernel)
{
  return kernel == MS_CENSUS_SETS         ? (const void *)count_sets<W>
         : kernel == MS_CENSUS_ALL_LABELS ? (const void *)count_labels<W>
                                          : (const void *)count_vertices<W>;
}

extern "C" const void *ms_census_function(uint32_t words, ms_census_kernel kernel)
{
  return words == 1   ? function_of<1>(kernel)
         : words == 2 ? function_of<2>(kernel)
         : words == 4 ? function_of<4>(kernel)
                      : nullptr;
}
