/* The kernels that sum over the triangles of a dense graph, emulated: what
 * gpu/match/squares/dense.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/match/squares/dense.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_dense_launch *launched;

template <void (*KERNEL)(const ms_dense_launch &, uint8_t *)> static void body(uint32_t)
{
  KERNEL(*launched, emulated_shared_memory());
}

template <void (*KERNEL)(const ms_dense_launch &, uint8_t *)>
static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  launched = (const ms_dense_launch *)arguments[0];
  emulated_launch(grid, &launched->queue->stop, body<KERNEL>);
}

extern "C" const void *ms_dense_function(ms_dense_kernel kernel)
{
  static const fake_kernel kernels[] = {{run<ms_dense_fill>, 256}, {run<ms_dense_multiply>, 256}};
  return &kernels[kernel];
}
