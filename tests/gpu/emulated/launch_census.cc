/* The kernels of the census, emulated: what gpu/census/census.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/census/labels.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static ms_census_launch launched;
static uint32_t warps;

template <uint32_t W, bool SHARED> static void sets_body(uint32_t)
{
  ms_census_roots<W, SHARED>(launched, warps, emulated_shared_memory());
}

template <uint32_t W> static void labels_body(uint32_t)
{
  ms_census_label_roots<W>(launched, emulated_shared_memory());
}

template <uint32_t W, bool LABELS> static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  uint32_t width = emulated_width;
  launched = *(const ms_census_launch *)arguments[0];
  warps = grid->threads / 32;
  if (LABELS)
    emulated_width = 32; /* a lane has a labelling */
  emulated_launch(grid, &launched.queue->stop,
                  LABELS                      ? labels_body<W>
                  : launched.shared_cells > 0 ? sets_body<W, true>
                                              : sets_body<W, false>);
  emulated_width = width;
}

extern "C" const void *ms_census_function(uint32_t words, bool labels)
{
  static const fake_kernel kernels[] = {{run<1, false>, 128}, {run<1, true>, 128},
                                        {run<2, false>, 128}, {run<2, true>, 128},
                                        {run<4, false>, 128}, {run<4, true>, 128}};
  return words == 1 || words == 2 || words == 4 ? &kernels[words / 2 * 2 + labels] : NULL;
}
