/* The kernels that count 4-cycles inside neighbourhoods, emulated: what
 * gpu/match/squares/hub_squares.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/match/squares/hub_squares.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_hub_launch *launched;

template <void (*KERNEL)(const ms_hub_launch &, uint8_t *)> static void body(uint32_t)
{
  KERNEL(*launched, emulated_shared_memory());
}

template <void (*KERNEL)(const ms_hub_launch &, uint8_t *)>
static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  launched = (const ms_hub_launch *)arguments[0];
  emulated_launch(grid, &launched->queue->stop, body<KERNEL>);
}

extern "C" const void *ms_hub_function(ms_hub_kernel kernel)
{
  static const fake_kernel kernels[] = {
      {run<ms_hub_count_small>, 256}, {run<ms_hub_fill>, 512}, {run<ms_hub_multiply>, 256}};
  return &kernels[kernel];
}
