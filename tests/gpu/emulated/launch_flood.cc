/* The kernels of the engine `flood`, emulated: what gpu/match/flood/flood.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

/* so that short rows go both ways */
#define MS_CONJUNCTION_LONG_ROW 2u
#define MS_FLOOD_ALONE 3u
#include "gpu/match/flood/flood.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_flood_step *stepped;
static ms_flood_search searched;

static void run_roots(void **arguments, const fake_grid *)
{
  const ms_conjunction_program *program = (const ms_conjunction_program *)arguments[0];
  uint64_t first = *(const uint64_t *)arguments[1], count = *(const uint64_t *)arguments[2];
  uint32_t *to = *(uint32_t **)arguments[3];
  for (uint64_t i = 0; i < count; i++)
    ms_flood_root(*program, first + count - 1 - i, to + i * ms_flood_words(0));
}

static void step_body(uint32_t)
{
  ms_flood_paths_of(*stepped);
}

static void run_step(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  stepped = (const ms_flood_step *)arguments[0];
  emulated_launch(grid, &stepped->queue->stop, step_body);
}

template <ms_flood_action ACTION> static void search_body(uint32_t)
{
  ms_flood_hyper<ACTION>(searched, emulated_shared_memory());
}

template <ms_flood_action ACTION> static void run_search(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  searched = *(const ms_flood_search *)arguments[0];
  if (searched.value < emulated_value)
    searched.value = (uint8_t)emulated_value;
  emulated_launch(grid, &searched.queue->stop, search_body<ACTION>);
}

extern "C" const void *ms_flood_function(uint32_t kernel)
{
  static const fake_kernel kernels[] = {{run_roots, MS_FLOOD_THREADS},
                                        {run_step, MS_FLOOD_THREADS},
                                        {run_search<MS_FLOOD_ONES>, MS_FLOOD_THREADS},
                                        {run_search<MS_FLOOD_COUNT>, MS_FLOOD_THREADS},
                                        {run_search<MS_FLOOD_TAIL>, MS_FLOOD_THREADS},
                                        {run_search<MS_FLOOD_LIST>, MS_FLOOD_THREADS}};
  return &kernels[kernel];
}
