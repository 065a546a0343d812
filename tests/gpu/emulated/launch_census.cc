/* The kernels of the census, emulated: what gpu/census/census.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/census/labels.cuh"
#include "gpu/census/vertices.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static ms_census_launch launched;
static uint32_t warps;

template <uint32_t W, ms_census_sink SINK> static void sets_body(uint32_t)
{
  ms_census_roots<W, SINK>(launched, warps, emulated_shared_memory());
}

template <uint32_t W> static void labels_body(uint32_t)
{
  ms_census_label_roots<W>(launched, emulated_shared_memory());
}

template <uint32_t W> static void vertices_body(uint32_t)
{
  ms_census_vertex_roots<W>(launched, warps, emulated_shared_memory());
}

template <uint32_t W, ms_census_kernel KERNEL>
static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  uint32_t width = emulated_width;
  launched = *(const ms_census_launch *)arguments[0];
  warps = grid->threads / 32;
  if (KERNEL == MS_CENSUS_ALL_LABELS)
    emulated_width = 32; /* a lane has a labelling */
  emulated_launch(grid, &launched.queue->stop,
                  KERNEL == MS_CENSUS_ALL_LABELS ? labels_body<W>
                  : KERNEL == MS_CENSUS_VERTICES ? vertices_body<W>
                  : launched.shared_cells > 0    ? sets_body<W, MS_IN_BLOCK>
                                                 : sets_body<W, MS_IN_GLOBAL_MEMORY>);
  emulated_width = width;
}

extern "C" const void *ms_census_function(uint32_t words, ms_census_kernel kernel)
{
  static const fake_kernel kernels[3][3] = {{{run<1, MS_CENSUS_SETS>, 128},
                                             {run<1, MS_CENSUS_ALL_LABELS>, 128},
                                             {run<1, MS_CENSUS_VERTICES>, 128}},
                                            {{run<2, MS_CENSUS_SETS>, 128},
                                             {run<2, MS_CENSUS_ALL_LABELS>, 128},
                                             {run<2, MS_CENSUS_VERTICES>, 128}},
                                            {{run<4, MS_CENSUS_SETS>, 128},
                                             {run<4, MS_CENSUS_ALL_LABELS>, 128},
                                             {run<4, MS_CENSUS_VERTICES>, 128}}};
  return words == 1 || words == 2 || words == 4 ? &kernels[words / 2][kernel] : NULL;
}
