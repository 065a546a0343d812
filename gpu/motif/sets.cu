/* The kernels of the engine for colour motifs, in rows by the number of words of a lane, and in
 * lists; each with and without the matches of each vertex. */
#include "gpu/motif/lists.cuh"

enum { ROW_THREADS = 256, LIST_THREADS = 256 };

extern __shared__ uint4 shared_memory[];

template <uint32_t W, bool TAKES>
static __global__ void __launch_bounds__(ROW_THREADS)
    count_rows(const __grid_constant__ ms_motif_launch launch)
{
  ms_motif_rows<W, TAKES>(launch, blockDim.x / MS_LANES, (uint8_t *)shared_memory);
}

template <bool TAKES>
static __global__ void __launch_bounds__(LIST_THREADS)
    count_lists(const __grid_constant__ ms_motif_launch launch)
{
  ms_motif_roots<TAKES>(launch, (uint8_t *)shared_memory);
}

template <bool TAKES> static const void *function_of(uint32_t width)
{
  switch (width) {
  case 0:
    return (const void *)count_lists<TAKES>;
  case 1:
    return (const void *)count_rows<1, TAKES>;
  case 2:
    return (const void *)count_rows<2, TAKES>;
  case 3:
    return (const void *)count_rows<3, TAKES>;
  case 4:
    return (const void *)count_rows<4, TAKES>;
  case 6:
    return (const void *)count_rows<6, TAKES>;
  case 8:
    return (const void *)count_rows<8, TAKES>;
  case 12:
    return (const void *)count_rows<12, TAKES>;
  case 16:
    return (const void *)count_rows<16, TAKES>;
  case 24:
    return (const void *)count_rows<24, TAKES>;
  case 32:
    return (const void *)count_rows<32, TAKES>;
  default:
    return nullptr;
  }
}

extern "C" const void *ms_motif_function(uint32_t width, bool takes)
{
  return takes ? function_of<true>(width) : function_of<false>(width);
}
