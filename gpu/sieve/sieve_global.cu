/* The sibling-indexed recurrence on graphs of any size: one launch for each step over (vertex,
 * word), the words of a chunk running fastest, so that the rows that a vertex publishes are read
 * whole.  Vertices of many arcs (hubs) are summed segment by segment in a separate launch before
 * the step. */
#include "gpu/sieve/moments.cuh"
#include "gpu/sieve/quadratic.cuh"

enum {
  FEW_THREADS = 128, /* of kernels that need many registers */
  MOST_FUSED = 12,   /* most slots whose G stays in registers */
  FEW = 4            /* most siblings whose sums stay in registers */
};

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

/* Fixes, in each vertex's quadratic forms, the outer bits that all words of the launch share.
 * One thread for each (vertex, slot, four). */
static __global__ void __launch_bounds__(THREADS)
    fix_outer_bits(const __grid_constant__ step_args a)
{
  uint32_t fours = ms_quadratic_fours(a.p.size), slots = a.p.size + 1;
  uint64_t x = (uint64_t)blockIdx.x * THREADS + threadIdx.x, v = x / fours / slots;
  uint32_t slot = (uint32_t)(x / fours % slots);
  if (v >= a.p.n || slot > MS_WORD_BITS + a.bits)
    return;
  const uint32_t *pair = a.pass.pair + v * ms_quadratic_pairs(a.p.size) * fours + x % fours;
  a.pass.slot[x] = ms_quadratic_slot(pair, fours, a.bits, outer_of(a.first), slot);
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

/* Does steps 1 and 2 at once: G after step 2, in registers throughout; publishes step 3.  G is
 * updated upwards: the prefix products of step 1 are made when they are needed. */
template <int SIZE>
static __global__ void __launch_bounds__(FEW_THREADS)
    fused_step(const __grid_constant__ step_args a)
{
  enum { SIBLINGS = (SIZE - 1) / 2 };
  const ms_device_problem &p = a.p;
  place at = place_of(a);
  if (!at.live)
    return;
  ms_sliced w[SIBLINGS], old[SIZE];
#pragma unroll
  for (int q = 0; q < SIBLINGS; q += 4)
    evaluate<(SIBLINGS < 4 ? SIBLINGS : 4)>(a, at, SIBLINGS, q, w + q);
#pragma unroll
  for (int q = 1; q < SIBLINGS; q++)
    w[q] = ms_sliced_mul(w[q - 1], w[q]);
  uint32_t constants = outer_value(p, a.pass.value, at.v, 0, at.outer);
  ms_sliced zeta = zeta_of(a, at, constants);
  old[1] = form_of(p, a.pass.inner, at.v, 1, constants >> 8);
  put_state(a, at, 1, old[1]);
#pragma unroll
  for (int u = 2; u < SIZE; u++) {
    if (u % 4 == 0)
      constants = outer_value(p, a.pass.value, at.v, u / 4, at.outer);
    ms_unreduced sum;
    ms_unreduced_clear(&sum);
    ms_unreduced_mac(&sum, old[u - 1], form_of(p, a.pass.inner, at.v, u, constants >> u % 4 * 8));
    old[u] = ms_reduce(sum);
#pragma unroll
    for (int q = 1; 2 * q < u; q++)
      ms_unreduced_mac(&sum, old[u - 2 * q], w[q - 1]);
    if (u % 2 == 0)
      ms_unreduced_add(&sum, w[u / 2 - 1]);
    ms_sliced g = ms_reduce(sum);
    put_state(a, at, u, g);
    if (u == 2)
      publish(a, at, 3, ms_sliced_mul(zeta, g));
  }
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
    if (QUADRATIC)
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

/* For t > (size - 1) / 2: one sibling; coefficients as on the CPU (sieve/kernel_template.h,
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

/* ---- host --------------------------------------------------------------------------- */

extern "C" void ms_global_plan_make(const ms_device_problem *p, uint32_t word_bits, bool quadratic,
                                    ms_global_plan *plan)
{
  uint64_t n = p->n, row = n * 2 * sizeof(uint4) << word_bits;
  uint64_t word = n * ms_quadratic_fours(p->size) * sizeof(uint32_t),
           pairs = ms_quadratic_pairs(p->size);
  quadratic = quadratic && p->sibling && p->size >= 5;
  for (;; quadratic = false) {
    uint32_t most = p->sibling && p->size > 2 ? (p->size - 1) / (quadratic ? 3 : 2) : 0;
    plan->word_bits = word_bits;
    plan->ahead = false;
    plan->exchange = most;
    plan->state = row * (p->size - p->sibling);
    plan->rows = row * most;
    plan->hub = ((uint64_t)p->hubs * most * 2 * sizeof(uint4)) << word_bits;
    plan->scratch = plan->state + 2 * plan->rows + plan->hub;
    if (!quadratic || pairs * word <= plan->scratch)
      break;
  }
  plan->pair = quadratic ? pairs * word : 0;
  plan->slot = quadratic ? (p->size + 1) * word : 0;
  plan->moment = 0;
  plan->inner_pairs = quadratic ? n * ((p->size - 1) / 2) * 2 * sizeof(uint4) : 0;
}

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

static void launch_fused(const step_args &a, cudaStream_t stream)
{
  static void (*const steps[])(step_args) = {fused_step<5>,  fused_step<6>,         fused_step<7>,
                                             fused_step<8>,  fused_step<9>,         fused_step<10>,
                                             fused_step<11>, fused_step<MOST_FUSED>};
  unsigned blocks = (unsigned)((((uint64_t)a.p.n << a.word_bits) + FEW_THREADS - 1) / FEW_THREADS);
  MS_LAUNCH(steps[a.p.size - 5], blocks, FEW_THREADS, stream, a);
}

/* Launches the steps that cross no edge: step 1, and step 2 where there are quadratic forms.
 * Returns the number of the next step. */
static uint32_t launch_first(step_args a, cudaStream_t stream)
{
  unsigned blocks = blocks_for(a.p.n, a.word_bits);
  if (a.pass.pair) {
    uint64_t slots = (uint64_t)a.p.n * (a.p.size + 1) * ms_quadratic_fours(a.p.size);
    MS_LAUNCH(fix_outer_bits, blocks_for(slots, 0), THREADS, stream, a);
  }
  if (a.pass.pair && a.p.size <= MOST_FUSED) {
    launch_fused(a, stream);
    return 3;
  }
  MS_LAUNCH(first_step, blocks, THREADS, stream, a);
  if (!a.pass.pair)
    return 2;
  a.t = 2;
  MS_LAUNCH((early_step<0, true, false>), blocks, THREADS, stream, a);
  return 3;
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

template <bool AHEAD> static void launch_step_as(const step_args &a, cudaStream_t stream)
{
  uint32_t siblings = (a.p.size - 1) / a.t;
  unsigned blocks = blocks_for(a.p.n, a.word_bits);
  if (a.t > (a.p.size - 1) / 2)
    MS_LAUNCH(late_step<AHEAD>, blocks, THREADS, stream, a);
  else
    MS_LAUNCH((siblings > FEW  ? early_step<0, false, AHEAD>
               : siblings == 2 ? early_step<2, false, AHEAD>
               : siblings == 3 ? early_step<3, false, AHEAD>
                               : early_step<4, false, AHEAD>),
              blocks, THREADS, stream, a);
}

/* Launches step a.t >= 2. */
static void launch_step(const step_args &a, cudaStream_t stream)
{
  (a.ahead ? launch_step_as<true> : launch_step_as<false>)(a, stream);
}

extern "C" cudaError_t ms_global_run(const ms_device_problem *p, const ms_global_plan *plan,
                                     const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                                     uint32_t words, cudaStream_t stream)
{
  step_args a = step_args_of(p, plan, pass, scratch, first, words);
  uint4 *buffer[2] = {scratch + plan->state / sizeof(uint4),
                      scratch + (plan->state + plan->rows) / sizeof(uint4)};
  a.to = buffer[a.pass.pair ? 1 : 0];
  for (a.t = launch_first(a, stream); a.t < p->size; a.t++) {
    a.from = buffer[a.t & 1];
    a.to = buffer[~a.t & 1];
    cudaError_t error = p->hubs ? launch_hubs(a, stream) : cudaSuccess;
    if (error != cudaSuccess)
      return error;
    if (a.pass.moment && a.t + 2 == p->size) {
      MS_LAUNCH(last_steps, blocks_for(p->n, a.word_bits), THREADS, stream, a);
      break;
    }
    launch_step(a, stream);
  }
  return cudaGetLastError();
}

static step_args block_args_of(const ms_device_problem *p, const ms_global_plan *plan,
                               const ms_device_pass *pass, const ms_global_rows *rows, uint32_t t,
                               uint64_t first, uint32_t words)
{
  step_args a = step_args_of(p, plan, pass, rows->state, first, words);
  a.from = rows->from;
  a.to = rows->to;
  a.hub_sum = rows->hub_sum;
  a.t = t;
  return a;
}

extern "C" cudaError_t ms_global_step(const ms_device_problem *p, const ms_global_plan *plan,
                                      const ms_device_pass *pass, const ms_global_rows *rows,
                                      uint32_t t, uint64_t first, uint32_t words,
                                      cudaStream_t stream)
{
  step_args a = block_args_of(p, plan, pass, rows, t, first, words);
  if (t == 1)
    (void)launch_first(a, stream);
  else
    launch_step(a, stream);
  return cudaGetLastError();
}

extern "C" cudaError_t ms_global_sum_hubs(const ms_device_problem *p, const ms_global_plan *plan,
                                          const ms_global_rows *rows, uint32_t t, uint64_t first,
                                          uint32_t words, cudaStream_t stream)
{
  ms_device_pass none = {};
  cudaError_t error = launch_hubs(block_args_of(p, plan, &none, rows, t, first, words), stream);
  return error == cudaSuccess ? cudaGetLastError() : error;
}

extern "C" cudaError_t ms_global_classic(const ms_device_problem *p, const ms_global_plan *plan,
                                         const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                                         uint32_t words, cudaStream_t stream)
{
  step_args a = step_args_of(p, plan, pass, scratch, first, words);
  unsigned blocks = blocks_for(p->n, plan->word_bits);
  MS_LAUNCH(classic_first, blocks, THREADS, stream, a);
  for (a.t = 2; a.t <= p->size; a.t++)
    MS_LAUNCH(classic_step, blocks, THREADS, stream, a);
  return cudaGetLastError();
}
