/* The host's side of gpu/sieve/recurrence.cuh: the steps of one chunk of words, in order. */
#ifndef MS_GPU_SIEVE_STEP_LAUNCHES_CUH
#define MS_GPU_SIEVE_STEP_LAUNCHES_CUH

#include "gpu/sieve/moments.cuh"

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
template <class LINE> static cudaError_t launch_hubs(const step_args &a, cudaStream_t stream)
{
  uint64_t siblings = (a.p.size - 1) / a.t;
  uint64_t bytes = (a.p.hubs * siblings * 2 * sizeof(uint4)) << a.word_bits;
  cudaError_t error = cudaMemsetAsync(a.hub_sum, 0, bytes, stream);
  if (error == cudaSuccess)
    MS_LAUNCH(hub_step<LINE>, blocks_for(a.p.hub_segments, a.word_bits), THREADS, stream, a);
  return error;
}

typedef void step_fn(step_args a);

template <class LINE, bool AHEAD> static step_fn *early_kernel(uint32_t siblings)
{
  if constexpr (LINE::few == 4)
    if (siblings <= 4)
      return siblings == 2   ? early_step<LINE, 2, false, AHEAD>
             : siblings == 3 ? early_step<LINE, 3, false, AHEAD>
                             : early_step<LINE, 4, false, AHEAD>;
  return early_step<LINE, 0, false, AHEAD>;
}

template <class LINE, bool AHEAD>
static void launch_step_as(const step_args &a, cudaStream_t stream)
{
  unsigned blocks = blocks_for(a.p.n, a.word_bits);
  if (a.t > (a.p.size - 1) / 2)
    MS_LAUNCH((late_step<LINE, AHEAD>), blocks, THREADS, stream, a);
  else
    MS_LAUNCH((early_kernel<LINE, AHEAD>((a.p.size - 1) / a.t)), blocks, THREADS, stream, a);
}

/* Launches step a.t >= 2 of the sibling recurrence. */
template <class LINE> static void launch_step(const step_args &a, cudaStream_t stream)
{
  if constexpr (LINE::halves)
    if (a.ahead) {
      launch_step_as<LINE, true>(a, stream);
      return;
    }
  launch_step_as<LINE, false>(a, stream);
}

/* Launches the last two steps as one; a.t is the first of them. */
template <class LINE> static void launch_last(const step_args &a, cudaStream_t stream)
{
  unsigned blocks = blocks_for(a.p.n, a.word_bits);
  if (a.p.decide)
    MS_LAUNCH(decide_step<LINE>, blocks, THREADS, stream, a);
  if constexpr (LINE::halves)
    if (!a.p.decide)
      MS_LAUNCH(last_steps, blocks, THREADS, stream, a);
}

/* Launches the steps from `begin` on; buffer: the rows that steps of even and of odd number read.
 */
template <class LINE>
static cudaError_t launch_steps(step_args a, uint4 *const buffer[2], uint32_t begin,
                                cudaStream_t stream)
{
  for (a.t = begin; a.t < a.p.size; a.t++) {
    a.from = buffer[a.t & 1];
    a.to = buffer[~a.t & 1];
    cudaError_t error = a.p.hubs ? launch_hubs<LINE>(a, stream) : cudaSuccess;
    if (error != cudaSuccess)
      return error;
    if ((a.pass.moment || a.p.decide) && a.t + 2 == a.p.size) {
      launch_last<LINE>(a, stream);
      break;
    }
    launch_step<LINE>(a, stream);
  }
  return cudaGetLastError();
}

template <class LINE> static cudaError_t launch_classic(step_args a, cudaStream_t stream)
{
  unsigned blocks = blocks_for(a.p.n, a.word_bits);
  MS_LAUNCH(classic_first<LINE>, blocks, THREADS, stream, a);
  for (a.t = 2; a.t <= a.p.size; a.t++)
    MS_LAUNCH(classic_step<LINE>, blocks, THREADS, stream, a);
  return cudaGetLastError();
}

#endif
