/* The kernels of the engine `dfs` for large programs, emulated: what gpu/match/dfs/dfs_large.cu
 * does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#define MS_MANY_LEVELS
#define MS_CONJUNCTION_LONG_ROW 2u /* so that short rows are tested both ways */
#include "gpu/match/dfs/dfs_large.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_large_launch *launched;

template <bool LIST> static void body(uint32_t)
{
  ms_large_units<LIST>(*launched);
}

template <bool LIST> static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  launched = (const ms_large_launch *)arguments[0];
  emulated_launch(grid, &launched->queue->stop, body<LIST>);
}

extern "C" const void *ms_large_function(bool listing)
{
  static const fake_kernel kernels[] = {{run<false>, 256}, {run<true>, 256}};
  return &kernels[listing];
}
