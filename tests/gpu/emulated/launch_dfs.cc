/* The kernels of the engine `dfs`, emulated: what gpu/match/dfs.cu does on a GPU. */
#include "tests/gpu/emulated/emulate.h"

#include "gpu/common/cuda_error.h"

#include "gpu/match/dfs_slices.cuh"
#include "tests/gpu/emulated/fake_cuda.h"

#include <cstring>
#include <mutex>

uint32_t emulated_width = 32, emulated_blocks = 2, emulated_value = MS_VALUE_64;
uint64_t emulated_seed = 1;

static std::mutex one_at_a_time;
static const ms_dfs_launch *launched;
static ms_dfs_kernel launched_kernel;
static std::vector<std::vector<uint64_t>> shared_memory;

static void body(uint32_t block)
{
  uint8_t *shared = (uint8_t *)shared_memory[block].data();
  if (launched_kernel == MS_DFS_TABLE)
    ms_dfs_roots(*launched, shared);
  else if (launched_kernel == MS_DFS_PATHS)
    ms_dfs_paths(*launched, shared);
  else if (launched_kernel == MS_DFS_LOCAL)
    ms_dfs_local(*launched, shared);
  else if (launched_kernel == MS_DFS_SLICES)
    ms_dfs_slices(*launched, shared);
  else if (launched_kernel == MS_DFS_LIST)
    ms_dfs_units<true>(*launched, shared);
  else
    ms_dfs_units<false>(*launched, shared);
}

/* What the host does by another stream while a kernel runs on a GPU. */
static void tick()
{
  if (fake_while_running && fake_while_running())
    launched->queue->stop = 1;
}

extern "C" cudaError_t ms_dfs_occupancy(ms_dfs_kernel kernel, uint32_t warps, uint32_t shared_bytes,
                                        uint32_t *blocks)
{
  (void)kernel;
  *blocks = warps <= 16 && shared_bytes <= fake_shared_told ? emulated_blocks : 0;
  return cudaSuccess;
}

extern "C" cudaError_t ms_dfs_run(const ms_dfs_launch *launch, ms_dfs_kernel kernel,
                                  cudaStream_t stream)
{
  (void)stream;
  std::lock_guard<std::mutex> guard(one_at_a_time);
  ms_device_program *program = const_cast<ms_device_program *>(launch->program);
  if (program->value < emulated_value)
    program->value = (uint8_t)emulated_value;
  launched = launch;
  launched_kernel = kernel;
  emulated_lanes = emulated_width;
  emulated_state = emulated_seed++;
  emulated_tick = tick;
  fake_launches++;
  /* exactly as many bytes, and no zeros */
  shared_memory.assign(launch->blocks,
                       std::vector<uint64_t>((launch->shared_bytes + 7) / 8, 0x5a5a5a5a5a5a5a5a));
  emulated_run(launch->blocks, launch->warps, body);
  return cudaSuccess;
}
