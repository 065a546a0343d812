/* The sibling-indexed recurrence on graphs of any size: one launch for each step over (vertex,
 * word), the words of a chunk running fastest, so that the rows that a vertex publishes are read
 * whole.  Vertices of many arcs (hubs) are summed segment by segment in a separate launch before
 * the step. */
#include "gpu/sieve/recurrence.cuh"

enum {
  FEW_THREADS = 128, /* of kernels that need many registers */
  MOST_FUSED = 12    /* most slots whose G stays in registers */
};

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
    if (!quadratic || (uint64_t)p->size * p->size * word <= plan->scratch)
      break;
  }
  plan->pair = quadratic ? pairs * word : 0;
  plan->slot = quadratic ? (p->size + 1) * word : 0;
  plan->moment = 0;
  plan->inner_pairs = quadratic ? n * ((p->size - 1) / 2) * 2 * sizeof(uint4) : 0;
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

extern "C" cudaError_t ms_global_run(const ms_device_problem *p, const ms_global_plan *plan,
                                     const ms_device_pass *pass, uint4 *scratch, uint64_t first,
                                     uint32_t words, cudaStream_t stream)
{
  step_args a = step_args_of(p, plan, pass, scratch, first, words);
  uint4 *const buffer[2] = {rows_of(*plan, scratch, 0), rows_of(*plan, scratch, 1)};
  a.to = buffer[a.pass.pair ? 1 : 0];
  return launch_steps(a, buffer, launch_first(a, stream), stream);
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
  return launch_classic(a, stream);
}
