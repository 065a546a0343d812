/* The kernels that count without the matches of each vertex, and the choice among all kernels. */
#include "gpu/motif/sets.cuh"

extern "C" const void *ms_motif_function(uint32_t width, bool takes)
{
  return !takes        ? ms_motif_kernel_of<false, 0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32>(width)
         : width <= 16 ? ms_motif_taking_function(width)
                       : ms_motif_wide_taking_function(width);
}
