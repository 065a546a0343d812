/* The last step without rows.  Q(i) is the sum over all points L of
 *
 *   zeta_i(L) * ([x^(k-1)] G_i(L) without R(i,k-1,1), plus the sum over neighbours j of A_j(L)),
 *
 * where A_j = gamma(k-1,1,j) * P(j,k-1) is what j would publish for the last step.  zeta_i(L) is
 * the sum of its coefficients at the bits of L.  So the second part is the sum, over bits b, of the
 * coefficient at b times the sum over neighbours of M_j(b), the sum of A_j over the points that
 * have b.  These k bytes, the moments of j, take the place of a row for each word; arcs are read
 * once for all points (ms_device_add_moments), and the private part is computed with the step
 * before. */
#ifndef MS_GPU_SIEVE_MOMENTS_CUH
#define MS_GPU_SIEVE_MOMENTS_CUH

#include "gpu/sieve/recurrence.cuh"

/* Returns the byte of bit b: the sum of the points of the word that have it. */
static __device__ __forceinline__ uint32_t moment_at(const step_args &a, const place &at,
                                                     const ms_sliced &own, uint32_t all, uint32_t b)
{
  if (b >= a.p.inner_bits)
    return at.outer >> (b - a.p.inner_bits) & 1 ? all : 0;
  ms_sliced with = own;
  uint32_t points = ms_points_with(1u << b);
#pragma unroll
  for (int i = 0; i < 8; i++)
    with.w[i] &= points;
  return fold(with);
}

/* Adds a word's row to the moments of its vertex; all lanes of a warp take part. */
static __device__ __forceinline__ void add_to_moments(const step_args &a, const place &at,
                                                      const ms_sliced &own)
{
  const uint32_t words = ms_moment_words(a.p.size), all = fold(own);
  for (uint32_t w = 0; w < words; w++) {
    uint32_t four = 0;
    for (uint32_t b = 4 * w; b < 4 * w + 4 && b < a.p.size; b++)
      four |= moment_at(a, at, own, all, b) << 8 * (b - 4 * w);
#ifndef MS_SERIAL
    for (uint32_t apart = 1; apart < 32u && apart < 1u << a.word_bits; apart *= 2)
      four ^= __shfl_xor_sync(~0u, four, apart);
    if ((at.word & 31) != 0)
      four = 0;
#endif
    if (at.inside && four)
      atomicXor(&a.pass.moment[(size_t)at.v * words + w], four);
  }
}

/* Step size - 2, where both last steps have one sibling, and what the last step does without its
 * neighbours.  In place of P(v, size - 1), moments are published. */
static __global__ void __launch_bounds__(THREADS, BLOCKS_A_MULTIPROCESSOR)
    last_steps(const __grid_constant__ step_args a)
{
  place at = place_of<ms_tuned_line>(a);
  uint32_t byte = 0;
  ms_sliced own = ms_sliced_zero();
  if (at.live) {
    ms_sliced last, zeta = last_two<ms_tuned_line>(a, at, &own, &last);
    byte = fold(ms_sliced_mul(zeta, last));
    own = scale(own, last_gamma(a, at));
  }
  add_to_q(a, at, byte);
  add_to_moments(a, at, own);
}

#endif
