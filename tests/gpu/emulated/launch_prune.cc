/* The kernels of pruning, emulated: what gpu/sieve/prune.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/sieve/prune.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_prune_launch *launched;

template <void (*stage)(const ms_prune_launch &)> static void body(uint32_t)
{
  stage(*launched);
}

template <void (*stage)(const ms_prune_launch &)>
static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  unsigned int stop = 0;
  launched = (const ms_prune_launch *)arguments[0];
  emulated_launch(grid, &stop, body<stage>);
}

extern "C" const void *ms_prune_function(ms_prune_stage stage)
{
  enum { MOST = MS_PRUNE_WARPS * 32 };
  static const fake_kernel kernel[MS_PRUNE_STAGES] = {
      {run<ms_prune_near>, MOST},  {run<ms_prune_hop>, MOST},   {run<ms_prune_far>, MOST},
      {run<ms_prune_plant>, MOST}, {run<ms_prune_link>, MOST},  {run<ms_prune_flatten>, MOST},
      {run<ms_prune_giant>, MOST}, {run<ms_prune_join>, MOST},  {run<ms_prune_size>, MOST},
      {run<ms_prune_small>, MOST}, {run<ms_prune_count>, MOST}, {run<ms_prune_number>, MOST},
      {run<ms_prune_copy>, MOST}};
  return &kernel[stage];
}
