/* The kernels of the census, by the number of words of a ball. */
#include "gpu/census/labels.cuh"

enum { THREADS = MS_CENSUS_WARPS * 32 };

extern __shared__ uint4 shared_memory[];

template <uint32_t W>
static __global__ void __launch_bounds__(THREADS)
    count_sets(const __grid_constant__ ms_census_launch launch)
{
  uint32_t warps = blockDim.x / MS_LANES;
  if (launch.shared_cells > 0)
    ms_census_roots<W, true>(launch, warps, (uint8_t *)shared_memory);
  else
    ms_census_roots<W, false>(launch, warps, (uint8_t *)shared_memory);
}

template <uint32_t W>
static __global__ void __launch_bounds__(THREADS)
    count_labels(const __grid_constant__ ms_census_launch launch)
{
  ms_census_label_roots<W>(launch, (uint8_t *)shared_memory);
}

extern "C" const void *ms_census_function(uint32_t words, bool labels)
{
  switch (words) {
  case 1:
    return labels ? (const void *)count_labels<1> : (const void *)count_sets<1>;
  case 2:
    return labels ? (const void *)count_labels<2> : (const void *)count_sets<2>;
  case 4:
    return labels ? (const void *)count_labels<4> : (const void *)count_sets<4>;
  default:
    return nullptr;
  }
}
