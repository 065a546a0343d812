/* Rows of a vertex that has only one label, an inner one.  The half of the points without the
 * label does not matter: zeta is zero there, and so is all that is published.  The other half of
 * all eight words fits four words, so that half as many bytes are written and read.  The code
 * runs on host and device, so that a machine without a GPU can test it. */
#ifndef MS_GPU_SIEVE_HALVES_CUH
#define MS_GPU_SIEVE_HALVES_CUH

#include "gpu/sieve/field.cuh"

#include <stddef.h>

/* The points (lanes) with each inner label, at index 1 << label; 1 << label is also the distance
 * between a point with the label and the one without.  Index 0 has all points. */
#define MS_LABEL_POINTS                                                                            \
  {                                                                                                \
    ~0u, 0xAAAAAAAAu, 0xCCCCCCCCu, 0, 0xF0F0F0F0u, 0, 0, 0, 0xFF00FF00u, 0, 0, 0, 0, 0, 0, 0,      \
        0xFFFF0000u                                                                                \
  }
#ifdef __CUDACC__
static __constant__ const uint32_t ms_label_points[17] = MS_LABEL_POINTS;
#endif

MS_FIELD uint32_t ms_points_with(uint32_t half)
{
#ifdef __CUDA_ARCH__
  return ms_label_points[half];
#else
  static const uint32_t points[17] = MS_LABEL_POINTS;
  return points[half];
#endif
}

/* Returns the only label of an active set, if it is an inner one; 0: rows are whole. */
MS_FIELD uint32_t ms_half_of(uint32_t active)
{
  return active <= 16 && !(active & (active - 1)) ? active : 0;
}

/* Packs words 0 .. 3 at the points with the label, and words 4 .. 7 at those without. */
MS_FIELD void ms_half_pack(const ms_sliced &row, uint32_t half, uint32_t packed[4])
{
  uint32_t points = ms_points_with(half);
#pragma unroll
  for (int b = 0; b < 4; b++)
    packed[b] = (row.w[b] & points) | (row.w[b + 4] >> half & ~points);
}

/* Returns a row of words low and high; with `half`, of low alone, packed, and with undefined
 * values at the points without the label. */
MS_FIELD ms_sliced ms_half_unpack(const uint32_t low[4], const uint32_t high[4], uint32_t half)
{
  ms_sliced row;
#pragma unroll
  for (int b = 0; b < 4; b++) {
    row.w[b] = low[b];
    row.w[b + 4] = half ? low[b] << half : high[b];
  }
  return row;
}

/* Adds a row of words low and high to sum; with `half`, of low alone, packed. */
MS_FIELD void ms_half_add(ms_sliced *sum, const uint32_t low[4], const uint32_t high[4],
                          uint32_t half)
{
  uint32_t points = ms_points_with(half);
  ms_sliced row = ms_half_unpack(low, high, half);
#pragma unroll
  for (int b = 0; b < 8; b++)
    sum->w[b] ^= row.w[b] & points;
}

#endif
