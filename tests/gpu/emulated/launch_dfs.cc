/* The kernels of the engine `dfs`, emulated: what gpu/match/dfs/dfs.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/match/dfs/dfs_team.cuh"

#include <cstring>
#include <mutex>

static std::mutex one_at_a_time;
static const ms_dfs_launch *launched;

template <void (*KERNEL)(const ms_dfs_launch &, uint8_t *)> static void body(uint32_t)
{
  KERNEL(*launched, emulated_shared_memory());
}

template <void (*KERNEL)(const ms_dfs_launch &, uint8_t *)>
static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  launched = (const ms_dfs_launch *)arguments[0];
  ms_device_program *program = const_cast<ms_device_program *>(launched->program);
  if (program->value < emulated_value)
    program->value = (uint8_t)emulated_value;
  emulated_launch(grid, &launched->queue->stop, body<KERNEL>);
}

extern "C" const void *ms_dfs_function(ms_dfs_kernel kernel)
{
  static const fake_kernel kernels[] = {{run<ms_dfs_units<false>>, 512},
                                        {run<ms_dfs_units<true>>, 512},
                                        {run<ms_dfs_paths>, 512},
                                        {run<ms_dfs_roots>, 512},
                                        {run<ms_dfs_local<false, false>>, 512},
                                        {run<ms_dfs_slices<false>>, 512},
                                        {run<ms_dfs_codegrees>, MS_CODEGREE_THREADS},
                                        {run<ms_dfs_squares<false>>, 512},
                                        {run<ms_dfs_ranges<false>>, MS_RANGE_THREADS},
                                        {run<ms_dfs_local<true, false>>, 512},
                                        {run<ms_dfs_slices<true>>, MS_ALONE_THREADS},
                                        {run<ms_dfs_triangles>, 512},
                                        {run<ms_dfs_add_triangles>, 512},
                                        {run<ms_dfs_books<false>>, 512},
                                        {run<ms_dfs_books<true>>, 512},
                                        {run<ms_dfs_weights>, 512},
                                        {run<ms_dfs_squares<true>>, 512},
                                        {run<ms_dfs_ranges<true>>, MS_WEIGH_THREADS},
                                        {run<ms_dfs_local<false, true>>, 512},
                                        {run<ms_dfs_local<true, true>>, 512},
                                        {run<ms_dfs_count_work>, 512},
                                        {run<ms_dfs_sort_work>, 512},
                                        {run<ms_dfs_triangle_ends>, 512},
                                        {run<ms_dfs_team_chains>, MS_TEAM_THREADS}};
  return &kernels[kernel];
}
