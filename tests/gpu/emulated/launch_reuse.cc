/* The kernels of the engine `reuse`, emulated: what gpu/match/reuse.cu does on a GPU. */
#include "tests/gpu/emulated/emulate.h"

#include "gpu/common/cuda_error.h"

#include "gpu/match/reuse.cuh"
#include "tests/gpu/emulated/fake_cuda.h"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_reuse_launch *launched;
static ms_reuse_job launched_job;
static std::vector<std::vector<uint64_t>> shared_memory;

extern "C" cudaError_t ms_reuse_occupancy(const ms_dfs_launch *walk, uint32_t *blocks);
extern "C" cudaError_t ms_reuse_run(const ms_reuse_launch *launch, ms_reuse_job job,
                                    cudaStream_t stream);

static void body(uint32_t block)
{
  ms_reuse_do(*launched, launched_job, (uint8_t *)shared_memory[block].data());
}

/* The host's wish to stop, as the kernel sees it. */
static void tick()
{
  if (fake_while_running && fake_while_running())
    launched->walk.queue->stop = 1;
}

cudaError_t ms_reuse_occupancy(const ms_dfs_launch *walk, uint32_t *blocks)
{
  *blocks = walk->warps <= 16 && walk->shared_bytes <= fake_shared ? emulated_blocks : 0;
  return cudaSuccess;
}

cudaError_t ms_reuse_run(const ms_reuse_launch *launch, ms_reuse_job job, cudaStream_t stream)
{
  (void)stream;
  std::lock_guard<std::mutex> guard(one_at_a_time);
  ms_device_program *program = const_cast<ms_device_program *>(launch->walk.program);
  if (program->value < emulated_value)
    program->value = (uint8_t)emulated_value;
  launched = launch;
  launched_job = job;
  emulated_lanes = emulated_width;
  emulated_state = emulated_seed++;
  emulated_tick = tick;
  fake_launches++;
  /* exactly as many bytes, and no zeros */
  std::vector<uint64_t> of_block((launch->walk.shared_bytes + 7) / 8, 0x5a5a5a5a5a5a5a5a);
  shared_memory.assign(launch->walk.blocks, of_block);
  emulated_run(launch->walk.blocks, launch->walk.warps, body);
  return cudaSuccess;
}
