/* A sieve of graphs of any size: the kernels of its steps, the last step by moments, and the host's
 * side, which launches the steps of one chunk of words in order. */
#ifndef MS_GPU_SIEVE_RECURRENCE_CUH
#define MS_GPU_SIEVE_RECURRENCE_CUH

#include "gpu/sieve/quadratic.cuh"
#include "gpu/sieve/steps.cuh"

/* ---- recurrence ------------------------------------------------------------------------------ */

/* The recurrences as kernels, one for each step: a thread takes one vertex and one word of points.
 */

enum { BLOCKS_A_MULTIPROCESSOR = 4 }; /* of the last two steps: 64 registers, as late_step has */

/* Computes G after step 1 from the linear forms; publishes step 2. */
static __global__ void __launch_bounds__(THREADS) first_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  place at = place_of(a);
  uint32_t byte = 0;
  if (at.live) {
    uint32_t constants = outer_value(p, a.pass.value, at.v, 0, at.outer);
    ms_sliced zeta = zeta_of(a, at, constants);
    if (p.size == 1) {
      byte = fold(zeta);
    } else {
      ms_sliced g = form_of(p, a.pass.inner, at.v, 1, constants >> 8);
      ms_sliced product = ms_sliced_mul(zeta, g);
      if (p.size == 2) {
        byte = fold(product);
      } else {
        put_state(a, at, 1, g);
        if (!a.pass.pair)
          publish(a, at, 2, product);
        for (uint32_t u = 2; u < p.size; u++) {
          if (u % 4 == 0)
            constants = outer_value(p, a.pass.value, at.v, u / 4, at.outer);
          g = ms_sliced_mul(g, form_of(p, a.pass.inner, at.v, u, constants >> u % 4 * 8));
          put_state(a, at, u, g);
        }
      }
    }
  }
  if (p.size < 3)
    add_to_q(a, at, byte);
}

/* Finds R(v, 2, q0 + 1 ..) from the quadratic forms; q0 is a multiple of 4, COUNT <= 4. */
template <int COUNT>
static __device__ __forceinline__ void evaluate(const step_args &a, const place &at,
                                                uint32_t siblings, uint32_t q0, ms_sliced *r)
{
  uint32_t fours = (siblings + 3) / 4;
  const uint32_t *pair = a.pass.pair + (size_t)at.v * ms_quadratic_pairs(a.p.size) * fours + q0 / 4;
  const uint32_t *slot = a.pass.slot + (size_t)at.v * (a.p.size + 1) * fours + q0 / 4;
  const uint4 *inner = a.pass.inner_pairs + 2 * ((size_t)at.v * siblings + q0);
  ms_quadratic_word w = ms_quadratic_word_of(pair, slot, fours, a.bits, at.outer);
#pragma unroll
  for (int i = 0; i < COUNT; i++)
    if (q0 + i < siblings)
      r[i] = ms_quadratic_values(load_row(inner + 2 * i, 1), w, i);
}

static __device__ __forceinline__ void add_to_hub(const step_args &a, uint32_t v, uint32_t siblings,
                                                  uint32_t q, uint32_t word, const ms_sliced &sum)
{
  uint4 *to = a.hub_sum + exchange_at(a, a.p.hub_of[v], siblings, q, word);
#pragma unroll
  for (int i = 0; i < 8; i++)
    atomicXor((uint32_t *)to + i, sum.w[i]);
}

/* One thread for each (hub segment, word). */
static __global__ void __launch_bounds__(THREADS) hub_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  uint64_t x = (uint64_t)blockIdx.x * THREADS + threadIdx.x, s = x >> a.word_bits;
  if (s >= p.hub_segments)
    return;
  ms_device_segment segment = p.hub_segment[s];
  uint32_t word = (uint32_t)x & ((1u << a.word_bits) - 1), siblings = siblings_of(p.size, a.t);
  uint32_t points = points_of(p, outer_of(a.first + word));
  if (word >= a.words || !(p.active[segment.vertex] & points))
    return;
  uint64_t end = segment.first + segment.count;
  for (uint32_t q = 0; q < siblings; q++) {
    ms_sliced sum;
    sum_rows<1, false>(a, segment.first, end, points, word, siblings, q, &sum);
    add_to_hub(a, segment.vertex, siblings, q, word, sum);
  }
}

static __device__ __forceinline__ void finish(const step_args &a, const place &at,
                                              const ms_sliced &g, uint32_t *byte)
{
  ms_sliced own =
      ms_sliced_mul(zeta_of(a, at, outer_value(a.p, a.pass.value, at.v, 0, at.outer)), g);
  if (a.t + 1 < a.p.size)
    publish(a, at, a.t + 1, own);
  else
    *byte = fold(own);
}

/* For t <= (size - 1) / 2.  SIBLINGS as a constant keeps W in registers; 0: any number, in local
 * memory.  QUADRATIC: t = 2, without rows of neighbours.  AHEAD: as in sum_rows; as many
 * threads on a multiprocessor as without. */
template <int SIBLINGS, bool QUADRATIC, bool AHEAD>
static __global__ void __launch_bounds__(THREADS, SIBLINGS == 4 && AHEAD ? 3 : 0)
    early_step(const __grid_constant__ step_args a)
{
  enum { MOST = SIBLINGS ? SIBLINGS : (MS_MOST_SLOTS - 1) / 2 };
  const ms_device_problem &p = a.p;
  const uint32_t t = a.t, siblings = SIBLINGS ? SIBLINGS : siblings_of(p.size, t);
  place at = place_of(a);
  uint32_t byte = 0;
  if (at.live) {
    ms_sliced w[MOST], g = ms_sliced_zero();
    if constexpr (QUADRATIC)
      for (uint32_t q = 0; q < siblings; q += 4)
        evaluate<4>(a, at, siblings, q, w + q);
    else if (SIBLINGS)
      gather<MOST, AHEAD>(a, at, siblings, 0, w);
    else
      for (uint32_t q = 0; q < siblings; q++)
        gather<1, AHEAD>(a, at, siblings, q, w + q);
#pragma unroll
    for (uint32_t q = 1; q < MOST; q++)
      if (q < siblings)
        w[q] = ms_sliced_mul(w[q - 1], w[q]);
    for (uint32_t u = p.size - 1; u >= t; u--) {
      ms_unreduced sum;
      ms_unreduced_clear(&sum);
      ms_unreduced_add(&sum, get_state(a, at, u));
      if (SIBLINGS) {
#pragma unroll
        for (uint32_t q = 1; q <= MOST; q++)
          if (q * t < u)
            ms_unreduced_mac(&sum, get_state(a, at, u - q * t), w[q - 1]);
          else if (q * t == u)
            ms_unreduced_add(&sum, w[q - 1]);
      } else {
        for (uint32_t q = 1; q * t < u; q++)
          ms_unreduced_mac(&sum, get_state(a, at, u - q * t), w[q - 1]);
        if (u % t == 0)
          ms_unreduced_add(&sum, w[u / t - 1]);
      }
      g = ms_reduce(sum);
      put_state(a, at, u, g);
    }
    finish(a, at, g, &byte);
  }
  if (t + 1 == p.size)
    add_to_q(a, at, byte);
}

/* For t > (size - 1) / 2: one sibling; coefficients as on the CPU (sieve/kernels/kernel_template.h,
 * late_step).  AHEAD: the same. */
template <bool AHEAD>
static __global__ void __launch_bounds__(THREADS, AHEAD ? 4 : 0)
    late_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  const uint32_t t = a.t;
  place at = place_of(a);
  uint32_t byte = 0;
  if (at.live) {
    ms_sliced w;
    gather<1, AHEAD>(a, at, 1, 0, &w);
    ms_unreduced sum;
    ms_unreduced_clear(&sum);
    ms_unreduced_add(&sum, w);
    ms_unreduced_add(&sum, get_state(a, at, t));
    for (uint32_t s = (p.size - 1) / 2 + 1; s < t; s++)
      ms_unreduced_mac(&sum, get_state(a, at, t - s), get_state(a, at, s));
    if (t + 1 < p.size)
      put_state(a, at, t, w);
    finish(a, at, ms_reduce(sum), &byte);
  }
  if (t + 1 == p.size)
    add_to_q(a, at, byte);
}

/* ---- classic ---------------------------------------------------------------------- */

/* The published recurrence without changes: P(v, s) from P of smaller s at both ends of each
 * arc; state holds P(., s). */
static __global__ void __launch_bounds__(THREADS) classic_first(const __grid_constant__ step_args a)
{
  place at = place_of(a);
  uint32_t byte = 0;
  if (at.live) {
    uint32_t constants = outer_value(a.p, a.pass.value, at.v, 0, at.outer);
    ms_sliced zeta = zeta_of(a, at, constants);
    put_state(a, at, 1, zeta);
    byte = fold(zeta);
  }
  if (a.p.size == 1)
    add_to_q(a, at, byte);
}

static __global__ void __launch_bounds__(THREADS) classic_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  const uint32_t s = a.t;
  place at = place_of(a);
  uint32_t byte = 0;
  if (at.live) {
    uint32_t points = points_of(p, at.outer);
    ms_sliced total = ms_sliced_zero();
    for (uint64_t e = p.offset[at.v]; e < p.offset[at.v + 1]; e++) {
      ms_device_arc arc = p.arc[e];
      if (!(arc.active & points))
        continue;
      place head = at;
      head.v = arc.head;
      ms_unreduced sum;
      ms_unreduced_clear(&sum);
      for (uint32_t s1 = 1; s1 < s; s1++)
        ms_unreduced_mac(&sum, get_state(a, at, s1), get_state(a, head, s - s1));
      ms_sliced_add(&total, scale(ms_reduce(sum), a.pass.alpha[(s - 2) * p.arcs + e]));
    }
    put_state(a, at, s, total);
    byte = fold(total);
  }
  if (s == p.size)
    add_to_q(a, at, byte);
}

/* ---- moments --------------------------------------------------------------------------------- */

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

/* Does step size - 2, where both last steps have one sibling, and what the last step does without
 * its neighbours.  own: P(v, size - 1); last: [x^(size - 1)] G without R(v, size - 1, 1).  Returns
 * zeta. */
static __device__ __forceinline__ ms_sliced last_two(const step_args &a, const place &at,
                                                     ms_sliced *own, ms_sliced *last)
{
  const ms_device_problem &p = a.p;
  const uint32_t t = a.t;
  ms_sliced w;
  gather<1, false>(a, at, 1, 0, &w);
  ms_unreduced sum, next;
  ms_unreduced_clear(&sum);
  ms_unreduced_clear(&next);
  ms_unreduced_add(&sum, w);
  ms_unreduced_add(&sum, get_state(a, at, t));
  ms_unreduced_add(&next, get_state(a, at, t + 1));
  ms_unreduced_mac(&next, get_state(a, at, 1), w);
  for (uint32_t s = (p.size - 1) / 2 + 1; s < t; s++) {
    w = get_state(a, at, s);
    ms_unreduced_mac(&sum, get_state(a, at, t - s), w);
    ms_unreduced_mac(&next, get_state(a, at, t + 1 - s), w);
  }
  w = zeta_of(a, at, outer_value(p, a.pass.value, at.v, 0, at.outer));
  *last = ms_reduce(next);
  *own = ms_sliced_mul(w, ms_reduce(sum));
  return w;
}

/* Returns the weight of what a vertex publishes for the last step. */
static __device__ __forceinline__ uint32_t last_gamma(const step_args &a, const place &at)
{
  return a.pass.gamma[(size_t)a.p.gamma_offset[a.p.size - 1] * a.p.n + at.v];
}

/* Step size - 2, where both last steps have one sibling, and what the last step does without its
 * neighbours.  In place of P(v, size - 1), moments are published. */
static __global__ void __launch_bounds__(THREADS, BLOCKS_A_MULTIPROCESSOR)
    last_steps(const __grid_constant__ step_args a)
{
  place at = place_of(a);
  uint32_t byte = 0;
  ms_sliced own = ms_sliced_zero();
  if (at.live) {
    ms_sliced last, zeta = last_two(a, at, &own, &last);
    byte = fold(ms_sliced_mul(zeta, last));
    own = scale(own, last_gamma(a, at));
  }
  add_to_q(a, at, byte);
  add_to_moments(a, at, own);
}

/* ---- launches -------------------------------------------------------------------------------- */

static unsigned blocks_for(uint64_t items, uint32_t word_bits)
{
  return (unsigned)(((items << word_bits) + THREADS - 1) / THREADS);
}

static step_args step_args_of(const ms_device_problem *p, const ms_global_plan *plan,
                              const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                              uint32_t words)
{
  step_args a = {};
  a.p = *p;
  a.pass = *pass;
  a.word_bits = plan->word_bits;
  a.ahead = plan->ahead;
  a.first = first;
  a.words = words;
  while ((first ^ (first + words - 1)) >> a.bits)
    a.bits++;
  a.state = scratch;
  a.hub_sum = scratch + (plan->state + 2 * plan->rows) / sizeof(uint4);
  return a;
}

/* Returns the rows that steps of even (0) or odd (1) number read. */
static uint4 *rows_of(const ms_global_plan &plan, uint4 *scratch, uint32_t odd)
{
  return scratch + (plan.state + odd * plan.rows) / sizeof(uint4);
}

/* Clears and makes the sums of hubs for step a.t. */
static cudaError_t launch_hubs(const step_args &a, cudaStream_t stream)
{
  uint64_t siblings = (a.p.size - 1) / a.t;
  uint64_t bytes = (a.p.hubs * siblings * 2 * sizeof(uint4)) << a.word_bits;
  cudaError_t error = cudaMemsetAsync(a.hub_sum, 0, bytes, stream);
  if (error == cudaSuccess)
    MS_LAUNCH(hub_step, blocks_for(a.p.hub_segments, a.word_bits), THREADS, stream, a);
  return error;
}

typedef void step_fn(step_args a);

template <bool AHEAD> static step_fn *early_kernel(uint32_t siblings)
{
  return siblings == 2   ? early_step<2, false, AHEAD>
         : siblings == 3 ? early_step<3, false, AHEAD>
         : siblings == 4 ? early_step<4, false, AHEAD>
                         : early_step<0, false, AHEAD>;
}

template <bool AHEAD> static void launch_step_as(const step_args &a, cudaStream_t stream)
{
  unsigned blocks = blocks_for(a.p.n, a.word_bits);
  if (a.t > (a.p.size - 1) / 2)
    MS_LAUNCH((late_step<AHEAD>), blocks, THREADS, stream, a);
  else
    MS_LAUNCH((early_kernel<AHEAD>((a.p.size - 1) / a.t)), blocks, THREADS, stream, a);
}

/* Launches step a.t >= 2 of the sibling recurrence. */
static void launch_step(const step_args &a, cudaStream_t stream)
{
  (a.ahead ? launch_step_as<true> : launch_step_as<false>)(a, stream);
}

/* Launches the steps from `begin` on; buffer: the rows that steps of even and of odd number read.
 */
static cudaError_t launch_steps(step_args a, uint4 *const buffer[2], uint32_t begin,
                                cudaStream_t stream)
{
  for (a.t = begin; a.t < a.p.size; a.t++) {
    a.from = buffer[a.t & 1];
    a.to = buffer[~a.t & 1];
    cudaError_t error = a.p.hubs ? launch_hubs(a, stream) : cudaSuccess;
    if (error != cudaSuccess)
      return error;
    if (a.pass.moment && a.t + 2 == a.p.size) {
      MS_LAUNCH(last_steps, blocks_for(a.p.n, a.word_bits), THREADS, stream, a);
      break;
    }
    launch_step(a, stream);
  }
  return cudaGetLastError();
}

static cudaError_t launch_classic(step_args a, cudaStream_t stream)
{
  unsigned blocks = blocks_for(a.p.n, a.word_bits);
  MS_LAUNCH(classic_first, blocks, THREADS, stream, a);
  for (a.t = 2; a.t <= a.p.size; a.t++)
    MS_LAUNCH(classic_step, blocks, THREADS, stream, a);
  return cudaGetLastError();
}

#endif
