/* The recurrences as kernels, one for each step, over any line type (gpu/sieve/line_types.cuh): a
 * thread takes one vertex and one word of points. */
#ifndef MS_GPU_SIEVE_RECURRENCE_CUH
#define MS_GPU_SIEVE_RECURRENCE_CUH

#include "gpu/sieve/quadratic.cuh"
#include "gpu/sieve/steps.cuh"

enum { BLOCKS_A_MULTIPROCESSOR = 4 }; /* of the last two steps: 64 registers, as late_step has */

/* Computes G after step 1 from the linear forms; publishes step 2. */
template <class LINE>
static __global__ void __launch_bounds__(THREADS) first_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  LINE::open(p);
  place at = place_of<LINE>(a);
  uint32_t byte = 0;
  if (at.live) {
    uint32_t constants = outer_value(p, a.pass.value, at.v, 0, at.outer);
    typename LINE::row zeta = zeta_of<LINE>(a, at, constants);
    if (p.size == 1) {
      byte = fold(zeta);
    } else {
      typename LINE::row g = form_of<typename LINE::row>(p, a.pass.inner, at.v, 1, constants >> 8);
      typename LINE::row product = LINE::mul(zeta, g);
      if (p.size == 2) {
        byte = fold(product);
      } else {
        put_state<LINE>(a, at, 1, g);
        if (!a.pass.pair)
          publish<LINE>(a, at, 2, product);
        for (uint32_t u = 2; u < p.size; u++) {
          if (u % 4 == 0)
            constants = outer_value(p, a.pass.value, at.v, u / 4, at.outer);
          g = LINE::mul(
              g, form_of<typename LINE::row>(p, a.pass.inner, at.v, u, constants >> u % 4 * 8));
          put_state<LINE>(a, at, u, g);
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

template <class ROW>
static __device__ __forceinline__ void add_to_hub(const step_args &a, uint32_t v, uint32_t siblings,
                                                  uint32_t q, uint32_t word, const ROW &sum)
{
  uint4 *to = a.hub_sum + exchange_at(a, a.p.hub_of[v], siblings, q, word);
#pragma unroll
  for (int i = 0; i < 8; i++)
    atomicXor((uint32_t *)to + i, sum.w[i]);
}

/* One thread for each (hub segment, word). */
template <class LINE>
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
    typename LINE::row sum;
    sum_rows<LINE, 1, false>(a, segment.first, end, points, word, siblings, q, &sum);
    add_to_hub(a, segment.vertex, siblings, q, word, sum);
  }
}

template <class LINE>
static __device__ __forceinline__ void finish(const step_args &a, const place &at,
                                              const typename LINE::row &g, uint32_t *byte)
{
  typename LINE::row own =
      LINE::mul(zeta_of<LINE>(a, at, outer_value(a.p, a.pass.value, at.v, 0, at.outer)), g);
  if (a.t + 1 < a.p.size)
    publish<LINE>(a, at, a.t + 1, own);
  else
    *byte = fold(own);
}

/* For t <= (size - 1) / 2.  SIBLINGS as a constant keeps W in registers; 0: any number, in local
 * memory.  QUADRATIC: t = 2, without rows of neighbours.  AHEAD: as in sum_rows; as many
 * threads on a multiprocessor as without. */
template <class LINE, int SIBLINGS, bool QUADRATIC, bool AHEAD>
static __global__ void __launch_bounds__(THREADS, SIBLINGS == 4 && AHEAD ? 3 : 0)
    early_step(const __grid_constant__ step_args a)
{
  enum { MOST = SIBLINGS ? SIBLINGS : (MS_MOST_SLOTS - 1) / 2 };
  const ms_device_problem &p = a.p;
  const uint32_t t = a.t, siblings = SIBLINGS ? SIBLINGS : siblings_of(p.size, t);
  LINE::open(p);
  place at = place_of<LINE>(a);
  uint32_t byte = 0;
  if (at.live) {
    typename LINE::row w[MOST], g = zero_row<typename LINE::row>();
    if constexpr (QUADRATIC)
      for (uint32_t q = 0; q < siblings; q += 4)
        evaluate<4>(a, at, siblings, q, w + q);
    else if (SIBLINGS)
      gather<LINE, MOST, AHEAD>(a, at, siblings, 0, w);
    else
      for (uint32_t q = 0; q < siblings; q++)
        gather<LINE, 1, AHEAD>(a, at, siblings, q, w + q);
#pragma unroll
    for (uint32_t q = 1; q < MOST; q++)
      if (q < siblings)
        w[q] = LINE::mul(w[q - 1], w[q]);
    for (uint32_t u = p.size - 1; u >= t; u--) {
      typename LINE::sum sum;
      LINE::clear(&sum);
      LINE::add(&sum, get_state<LINE>(a, at, u));
      if (SIBLINGS) {
#pragma unroll
        for (uint32_t q = 1; q <= MOST; q++)
          if (q * t < u)
            LINE::mac(&sum, get_state<LINE>(a, at, u - q * t), w[q - 1]);
          else if (q * t == u)
            LINE::add(&sum, w[q - 1]);
      } else {
        for (uint32_t q = 1; q * t < u; q++)
          LINE::mac(&sum, get_state<LINE>(a, at, u - q * t), w[q - 1]);
        if (u % t == 0)
          LINE::add(&sum, w[u / t - 1]);
      }
      g = LINE::reduce(sum);
      put_state<LINE>(a, at, u, g);
    }
    finish<LINE>(a, at, g, &byte);
  }
  if (t + 1 == p.size)
    add_to_q(a, at, byte);
}

/* For t > (size - 1) / 2: one sibling; coefficients as on the CPU (sieve/kernel_template.h,
 * late_step).  AHEAD: the same. */
template <class LINE, bool AHEAD>
static __global__ void __launch_bounds__(THREADS, AHEAD ? 4 : 0)
    late_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  const uint32_t t = a.t;
  LINE::open(p);
  place at = place_of<LINE>(a);
  uint32_t byte = 0;
  if (at.live) {
    typename LINE::row w;
    gather<LINE, 1, AHEAD>(a, at, 1, 0, &w);
    typename LINE::sum sum;
    LINE::clear(&sum);
    LINE::add(&sum, w);
    LINE::add(&sum, get_state<LINE>(a, at, t));
    for (uint32_t s = (p.size - 1) / 2 + 1; s < t; s++)
      LINE::mac(&sum, get_state<LINE>(a, at, t - s), get_state<LINE>(a, at, s));
    if (t + 1 < p.size)
      put_state<LINE>(a, at, t, w);
    finish<LINE>(a, at, LINE::reduce(sum), &byte);
  }
  if (t + 1 == p.size)
    add_to_q(a, at, byte);
}

/* Does step size - 2, where both last steps have one sibling, and what the last step does without
 * its neighbours.  own: P(v, size - 1); last: [x^(size - 1)] G without R(v, size - 1, 1).  Returns
 * zeta. */
template <class LINE>
static __device__ __forceinline__ typename LINE::row
last_two(const step_args &a, const place &at, typename LINE::row *own, typename LINE::row *last)
{
  const ms_device_problem &p = a.p;
  const uint32_t t = a.t;
  typename LINE::row w;
  gather<LINE, 1, false>(a, at, 1, 0, &w);
  typename LINE::sum sum, next;
  LINE::clear(&sum);
  LINE::clear(&next);
  LINE::add(&sum, w);
  LINE::add(&sum, get_state<LINE>(a, at, t));
  LINE::add(&next, get_state<LINE>(a, at, t + 1));
  LINE::mac(&next, get_state<LINE>(a, at, 1), w);
  for (uint32_t s = (p.size - 1) / 2 + 1; s < t; s++) {
    w = get_state<LINE>(a, at, s);
    LINE::mac(&sum, get_state<LINE>(a, at, t - s), w);
    LINE::mac(&next, get_state<LINE>(a, at, t + 1 - s), w);
  }
  w = zeta_of<LINE>(a, at, outer_value(p, a.pass.value, at.v, 0, at.outer));
  *last = LINE::reduce(next);
  *own = LINE::mul(w, LINE::reduce(sum));
  return w;
}

/* Returns the weight of what a vertex publishes for the last step. */
static __device__ __forceinline__ uint32_t last_gamma(const step_args &a, const place &at)
{
  return a.pass.gamma[(size_t)a.p.gamma_offset[a.p.size - 1] * a.p.n + at.v];
}

/* The last two steps where only the sum over all vertices is wanted.  The row that a vertex would
 * publish is multiplied by the sum of zeta over its neighbours, form number `size`, so that the
 * last step crosses no edge (docs/SIEVE.md, "One value for the whole graph").  What is added to
 * q[v] is no value of v. */
template <class LINE>
static __global__ void __launch_bounds__(THREADS, BLOCKS_A_MULTIPROCESSOR)
    decide_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  LINE::open(p);
  place at = place_of<LINE>(a);
  uint32_t byte = 0;
  if (at.live) {
    typename LINE::row own, last, zeta = last_two<LINE>(a, at, &own, &last);
    uint32_t constants = outer_value(p, a.pass.value, at.v, p.size / 4, at.outer) >> p.size % 4 * 8;
    typename LINE::row roots =
        form_of<typename LINE::row>(p, a.pass.inner, at.v, p.size, constants);
    own = LINE::mul(LINE::scale(own, last_gamma(a, at)), roots);
    add_row(&own, LINE::mul(zeta, last));
    byte = fold(own);
  }
  add_to_q(a, at, byte);
}

/* ---- classic ---------------------------------------------------------------------- */

/* The published recurrence without changes: P(v, s) from P of smaller s at both ends of each
 * arc; state holds P(., s). */
template <class LINE>
static __global__ void __launch_bounds__(THREADS) classic_first(const __grid_constant__ step_args a)
{
  place at = place_of<LINE>(a);
  uint32_t byte = 0;
  if (at.live) {
    uint32_t constants = outer_value(a.p, a.pass.value, at.v, 0, at.outer);
    typename LINE::row zeta = zeta_of<LINE>(a, at, constants);
    put_state<LINE>(a, at, 1, zeta);
    byte = fold(zeta);
  }
  if (a.p.size == 1)
    add_to_q(a, at, byte);
}

template <class LINE>
static __global__ void __launch_bounds__(THREADS) classic_step(const __grid_constant__ step_args a)
{
  const ms_device_problem &p = a.p;
  const uint32_t s = a.t;
  LINE::open(p);
  place at = place_of<LINE>(a);
  uint32_t byte = 0;
  if (at.live) {
    uint32_t points = points_of(p, at.outer);
    typename LINE::row total = zero_row<typename LINE::row>();
    for (uint64_t e = p.offset[at.v]; e < p.offset[at.v + 1]; e++) {
      ms_device_arc arc = p.arc[e];
      if (!(arc.active & points))
        continue;
      place head = at;
      head.v = arc.head;
      typename LINE::sum sum;
      LINE::clear(&sum);
      for (uint32_t s1 = 1; s1 < s; s1++)
        LINE::mac(&sum, get_state<LINE>(a, at, s1), get_state<LINE>(a, head, s - s1));
      add_row(&total, LINE::scale(LINE::reduce(sum), a.pass.alpha[(s - 2) * p.arcs + e]));
    }
    put_state<LINE>(a, at, s, total);
    byte = fold(total);
  }
  if (s == p.size)
    add_to_q(a, at, byte);
}

#endif
