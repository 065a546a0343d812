/* The kernels that also count the matches of each vertex, in rows of many words. */
#include "gpu/motif/sets.cuh"

extern "C" const void *ms_motif_wide_taking_function(uint32_t width)
{
  return ms_motif_kernel_of<true, 24, 32>(width);
}
