/* The kernels of the engine `reuse`, emulated: what gpu/match/reuse/reuse.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/match/reuse/reuse.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_reuse_launch *launched;

template <ms_reuse_job JOB> static void body(uint32_t)
{
  ms_reuse_do(*launched, JOB, emulated_shared_memory());
}

template <ms_reuse_job JOB> static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  launched = (const ms_reuse_launch *)arguments[0];
  ms_device_program *program = const_cast<ms_device_program *>(launched->walk.program);
  if (program->value < emulated_value)
    program->value = (uint8_t)emulated_value;
  emulated_launch(grid, &launched->walk.queue->stop, body<JOB>);
}

extern "C" const void *ms_reuse_function(ms_reuse_job job)
{
  static const fake_kernel kernels[] = {{run<MS_REUSE_ROOTS>, 512},
                                        {run<MS_REUSE_EXPAND>, 512},
                                        {run<MS_REUSE_FINISH>, 512},
                                        {run<MS_REUSE_GATHER>, 512}};
  return &kernels[job];
}
