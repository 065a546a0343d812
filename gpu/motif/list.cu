/* The kernels that list the matches of a motif, in rows by the number of words of a lane, and in
 * lists. */
#include "gpu/motif/list_lists.cuh"

enum { ROW_THREADS = 256, LIST_THREADS = 256 };

extern __shared__ uint4 shared_memory[];

template <uint32_t W>
static __global__ void __launch_bounds__(ROW_THREADS)
    list_rows(const __grid_constant__ ms_motif_launch launch)
{
  ms_motif_list_rows<W>(launch, blockDim.x / MS_LANES, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(LIST_THREADS)
    list_lists(const __grid_constant__ ms_motif_launch launch)
{
  ms_motif_list_roots(launch, (uint8_t *)shared_memory);
}

extern "C" const void *ms_motif_list_function(uint32_t width)
{
  switch (width) {
  case 0:
    return (const void *)list_lists;
  case 1:
    return (const void *)list_rows<1>;
  case 2:
    return (const void *)list_rows<2>;
  case 3:
    return (const void *)list_rows<3>;
  case 4:
    return (const void *)list_rows<4>;
  case 6:
    return (const void *)list_rows<6>;
  case 8:
    return (const void *)list_rows<8>;
  case 12:
    return (const void *)list_rows<12>;
  case 16:
    return (const void *)list_rows<16>;
  case 24:
    return (const void *)list_rows<24>;
  case 32:
    return (const void *)list_rows<32>;
  default:
    return nullptr;
  }
}
