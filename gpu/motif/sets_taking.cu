/* The kernels that also count the matches of each vertex, in lists and in rows of few words. */
#include "gpu/motif/sets.cuh"

extern "C" const void *ms_motif_taking_function(uint32_t width)
{
  return ms_motif_kernel_of<true, 0, 1, 2, 3, 4, 6, 8, 12, 16>(width);
}
