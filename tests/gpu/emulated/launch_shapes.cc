/* The kernels of the census by shape, emulated: what gpu/census/shapes.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/census/shapes.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static ms_shapes_launch launched;
static uint32_t warps, blocks;

template <uint32_t K, bool COLORED> static void search_body(uint32_t)
{
  ms_shapes_search<K, COLORED>(launched, warps, emulated_shared_memory());
}

static void read_body(uint32_t)
{
  ms_shapes_read(launched, warps, blocks);
}

static void run(void **arguments, const fake_grid *grid, void (*body)(uint32_t))
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  launched = *(const ms_shapes_launch *)arguments[0];
  warps = grid->threads / 32;
  blocks = grid->blocks;
  emulated_launch(grid, &launched.queue->stop, body);
}

template <uint32_t K, bool COLORED> static void search(void **arguments, const fake_grid *grid)
{
  run(arguments, grid, search_body<K, COLORED>);
}

static void read(void **arguments, const fake_grid *grid)
{
  run(arguments, grid, read_body);
}

extern "C" const void *ms_shapes_function(uint32_t k, ms_shapes_kernel kernel)
{
  static const fake_kernel searches[4][2] = {{{search<3, false>, 256}, {search<3, true>, 256}},
                                             {{search<4, false>, 256}, {search<4, true>, 256}},
                                             {{search<5, false>, 256}, {search<5, true>, 256}},
                                             {{search<6, false>, 256}, {search<6, true>, 256}}};
  static const fake_kernel reads = {read, 256};
  return kernel == MS_SHAPES_READ ? &reads : &searches[k - 3][kernel == MS_SHAPES_COLORED];
}
