/* The kernels of the engine for colour motifs, emulated: what gpu/motif/sets.cu does on a GPU. With
 * fewer lanes, each has more words. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#define MS_MOTIF_GROUP_ROW 5u /* so that rows go both ways */
#include "gpu/motif/lists.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static ms_motif_launch launched;
static uint32_t warps;

template <uint32_t W, bool TAKES> static void rows_body(uint32_t)
{
  ms_motif_rows<W, TAKES>(launched, warps, emulated_shared_memory());
}

template <bool TAKES> static void lists_body(uint32_t)
{
  ms_motif_roots<TAKES>(launched, emulated_shared_memory());
}

template <bool TAKES> static void (*rows_of(uint32_t width))(uint32_t)
{
  switch (width) {
  case 1:
    return rows_body<1, TAKES>;
  case 2:
    return rows_body<2, TAKES>;
  case 3:
    return rows_body<3, TAKES>;
  case 4:
    return rows_body<4, TAKES>;
  case 8:
    return rows_body<8, TAKES>;
  default:
    return NULL;
  }
}

template <bool LISTS, bool TAKES> static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  uint32_t width = emulated_width;
  launched = *(const ms_motif_launch *)arguments[0];
  warps = grid->threads / 32;
  void (*body)(uint32_t) = LISTS ? lists_body<TAKES> : rows_of<TAKES>(launched.stride / width);
  if (!body) {
    emulated_width = 32;
    body = rows_of<TAKES>(launched.stride / 32);
  }
  emulated_launch(grid, &launched.queue->stop, body);
  emulated_width = width;
}

extern "C" const void *ms_motif_function(uint32_t width, bool takes)
{
  static const fake_kernel kernels[] = {{run<true, false>, 256},
                                        {run<true, true>, 256},
                                        {run<false, false>, 256},
                                        {run<false, true>, 256}};
  return width > 8 || (width > 4 && width < 8) ? NULL : &kernels[(width > 0) * 2 + takes];
}
