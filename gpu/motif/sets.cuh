/* The kernels of the engine for colour motifs, in rows by the number of words of a lane, and in
 * lists; each with and without the matches of each vertex.  Three files instantiate them
 * (sets.cu, sets_taking.cu, sets_taking_wide.cu), because together they take minutes to compile. */
#ifndef MS_GPU_MOTIF_SETS_CUH
#define MS_GPU_MOTIF_SETS_CUH

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

/* The kernel of a width; 0: lists. */
template <uint32_t W, bool TAKES> static const void *ms_motif_kernel()
{
  if constexpr (W == 0)
    return (const void *)count_lists<TAKES>;
  else
    return (const void *)count_rows<W, TAKES>;
}

/* Returns the kernel of a width among WIDTHS; NULL: there is none. */
template <bool TAKES, uint32_t... WIDTHS> static const void *ms_motif_kernel_of(uint32_t width)
{
  const void *kernel = nullptr;
  ((kernel = width == WIDTHS ? ms_motif_kernel<WIDTHS, TAKES>() : kernel), ...);
  return kernel;
}

/* The kernels with the matches of each vertex, up to 16 words and beyond. */
extern "C" const void *ms_motif_taking_function(uint32_t width);
extern "C" const void *ms_motif_wide_taking_function(uint32_t width);

#endif
