/* What a step does with the private rows of a line, once the sums over neighbours are there
 * (gpu/sieve/sieve_shared.cu).
 *
 * An early step t turns G into G * (1 + W_1 x^t + W_2 x^2t ..), so that G_u takes part in G_u, G_(u
 * + t), G_(u + 2t) .. alone.  The coefficients of one class modulo t are read together, because
 * what they read from the L2 cache bounds the kernel as much as the products do. */
#ifndef MS_GPU_SIEVE_SHARED_UPDATES_CUH
#define MS_GPU_SIEVE_SHARED_UPDATES_CUH

#include "gpu/sieve/shared_word.cuh"

/* An early step of a line with few siblings: W_1 .. are in registers. */
template <int SIBLINGS> struct early_line {
  const layout &l;
  uint32_t line, t;
  ms_sliced w[SIBLINGS];
};

/* Computes coefficients r + t, r + 2t .. of the class of r, 0 < r < t, of which `above` has the
 * highest, r + SIBLINGS t, if it is below x^size. */
template <int SIBLINGS>
static __device__ __forceinline__ void update_class(const early_line<SIBLINGS> &e, uint32_t r,
                                                    bool above)
{
  ms_sliced g[SIBLINGS];
  ms_unreduced sum;
  ms_unreduced_clear(&sum);
#pragma unroll
  for (int j = 0; j < SIBLINGS; j++)
    g[j] = get_g(e.l, r + j * e.t, e.line);
  if (above) {
    ms_unreduced_add(&sum, get_g(e.l, r + SIBLINGS * e.t, e.line));
#pragma unroll
    for (int q = 1; q <= SIBLINGS; q++)
      ms_unreduced_mac(&sum, g[SIBLINGS - q], e.w[q - 1]);
    put_g(e.l, r + SIBLINGS * e.t, e.line, ms_reduce(sum));
  }
#pragma unroll
  for (int j = SIBLINGS - 1; j > 0; j--) {
    ms_unreduced_clear(&sum);
    ms_unreduced_add(&sum, g[j]);
#pragma unroll
    for (int q = 1; q <= j; q++)
      ms_unreduced_mac(&sum, g[j - q], e.w[q - 1]);
    put_g(e.l, r + j * e.t, e.line, ms_reduce(sum));
  }
}

/* The same for the class of 0, where G_0 = 1; returns [x^t] G. */
template <int SIBLINGS>
static __device__ __forceinline__ ms_sliced update_class_0(const early_line<SIBLINGS> &e)
{
  ms_sliced g[SIBLINGS + 1], last = ms_sliced_zero();
#pragma unroll
  for (int j = 1; j <= SIBLINGS; j++)
    g[j] = get_g(e.l, j * e.t, e.line);
#pragma unroll
  for (int j = SIBLINGS; j > 0; j--) {
    ms_unreduced sum;
    ms_unreduced_clear(&sum);
    ms_unreduced_add(&sum, g[j]);
    ms_unreduced_add(&sum, e.w[j - 1]);
#pragma unroll
    for (int q = 1; q < j; q++)
      ms_unreduced_mac(&sum, g[j - q], e.w[q - 1]);
    last = ms_reduce(sum);
    put_g(e.l, j * e.t, e.line, last);
  }
  return last;
}

/* Turns R into W, then G into G * (1 + W_1 x^t + W_2 x^2t ..); returns [x^t] G.  W and a class of
 * coefficients stay in registers. */
template <int SIBLINGS>
static __device__ __forceinline__ ms_sliced early_update(const ms_device_problem &p,
                                                         const layout &l, uint32_t line, uint32_t t)
{
  early_line<SIBLINGS> e = {l, line, t, {}};
#pragma unroll
  for (int q = 0; q < SIBLINGS; q++)
    e.w[q] = get_w(l, (uint32_t)q + 1, line);
#pragma unroll
  for (int q = 1; q < SIBLINGS; q++)
    e.w[q] = ms_sliced_mul(e.w[q - 1], e.w[q]);
  for (uint32_t r = t - 1; r > 0; r--)
    update_class<SIBLINGS>(e, r, r + SIBLINGS * t < p.size);
  return update_class_0<SIBLINGS>(e);
}

/* Computes coefficients j and j - 1 of the class of r, or the first of them alone, j = 1; returns
 * the lower one.  Both are sums over the same coefficients, which are read once for both. */
static __device__ __forceinline__ ms_sliced update_two(const layout &l, uint32_t line, uint32_t t,
                                                       uint32_t r, uint32_t j)
{
  ms_unreduced high, low;
  ms_unreduced_clear(&high);
  ms_unreduced_clear(&low);
  ms_sliced w = get_w(l, 1, line);
  ms_unreduced_add(&high, get_g(l, r + j * t, line));
  if (j > 1) {
    ms_sliced g = get_g(l, r + (j - 1) * t, line);
    ms_unreduced_add(&low, g);
    ms_unreduced_mac(&high, g, w);
#pragma unroll 1
    for (uint32_t q = 2; q < j; q++) {
      g = get_g(l, r + (j - q) * t, line);
      ms_unreduced_mac(&low, g, w);
      w = get_w(l, q, line);
      ms_unreduced_mac(&high, g, w);
    }
  }
  if (r == 0) { /* G_0 = 1 */
    if (j > 1) {
      ms_unreduced_add(&low, w);
      w = get_w(l, j, line);
    }
    ms_unreduced_add(&high, w);
  } else {
    ms_sliced g = get_g(l, r, line);
    if (j > 1) {
      ms_unreduced_mac(&low, g, w);
      w = get_w(l, j, line);
    }
    ms_unreduced_mac(&high, g, w);
  }
  ms_sliced last = ms_reduce(high);
  put_g(l, r + j * t, line, last);
  if (j > 1) {
    last = ms_reduce(low);
    put_g(l, r + (j - 1) * t, line, last);
  }
  return last;
}

/* The same as early_update, for more siblings. */
static __device__ __forceinline__ ms_sliced early_update_many(const ms_device_problem &p,
                                                              const layout &l, uint32_t line,
                                                              uint32_t t, uint32_t siblings)
{
  ms_sliced w = get_w(l, 1, line), last = w;
  for (uint32_t q = 2; q <= siblings; q++) {
    w = ms_sliced_mul(w, get_w(l, q, line));
    put_w(l, q, line, w);
  }
  for (uint32_t r = t; r-- > 0;)
    for (uint32_t j = (p.size - 1 - r) / t; j < p.size && j > 0; j -= 2)
      last = update_two(l, line, t, r, j);
  return last;
}

/* ---- late steps -------------------------------------------------------------------- */

/* Brings the lowest rows of a line into shared memory, before its first late step. */
static __device__ __forceinline__ void begin_late(const layout &l, uint32_t line)
{
  for (uint32_t u = 0; u < l.late_low; u++)
    store_row(l.late + u * 2 * l.near_apart + line, l.near_apart, get_g(l, u, line));
}

/* Computes the late coefficients as on the CPU (sieve/kernel_template.h, late_step). */
static __device__ __forceinline__ ms_sliced late_update(const layout &l, uint32_t line, uint32_t t)
{
  if (t == l.middle + 1)
    begin_late(l, line);
  ms_sliced w = get_w(l, 1, line);
  ms_unreduced sum;
  ms_unreduced_clear(&sum);
  ms_unreduced_add(&sum, w);
  ms_unreduced_add(&sum, get_g(l, t, line));
#pragma unroll 2
  for (uint32_t s = l.middle + 1; s < t; s++)
    ms_unreduced_mac(&sum, get_late(l, t - s, line), get_late(l, s, line));
  if (!is_late_near(l, t))
    put_g(l, t, line, w);
  return ms_reduce(sum);
}

#endif
