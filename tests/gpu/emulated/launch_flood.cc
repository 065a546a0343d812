/* The kernels of the engine `flood`, emulated: what gpu/match/flood.cu does on a GPU. */
#include "tests/gpu/emulated/emulate.h"

/* so that short rows go both ways */
#define MS_TRIE_LONG_ROW 2u
#define MS_FLOOD_ALONE 3u
#include "gpu/common/cuda_error.h"
#include "gpu/match/flood.cuh"
#include "tests/gpu/emulated/fake_cuda.h"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_flood_step *stepped;
static ms_flood_search searched;
static ms_flood_queue *in_use;
static std::vector<std::vector<uint64_t>> shared_memory;

static void tick()
{
  if (fake_while_running && fake_while_running())
    in_use->stop = 1;
}

static void step_body(uint32_t)
{
  ms_flood_paths_of(*stepped);
}

static void search_body(uint32_t block)
{
  uint8_t *shared = (uint8_t *)shared_memory[block].data();
  switch (searched.action) {
  case MS_FLOOD_ONES:
    ms_flood_hyper<MS_FLOOD_ONES>(searched, shared);
    break;
  case MS_FLOOD_COUNT:
    ms_flood_hyper<MS_FLOOD_COUNT>(searched, shared);
    break;
  case MS_FLOOD_TAIL:
    ms_flood_hyper<MS_FLOOD_TAIL>(searched, shared);
    break;
  default:
    ms_flood_hyper<MS_FLOOD_LIST>(searched, shared);
  }
}

static void run(uint32_t blocks, ms_flood_queue *queue, void (*body)(uint32_t))
{
  in_use = queue;
  emulated_lanes = emulated_width;
  emulated_state = emulated_seed++;
  emulated_tick = tick;
  fake_launches++;
  emulated_run(blocks, MS_FLOOD_WARPS, body);
}

extern "C" cudaError_t ms_flood_occupancy(ms_flood_action, uint32_t shared_bytes, uint32_t *blocks)
{
  *blocks = shared_bytes <= fake_shared ? emulated_blocks : 0;
  return cudaSuccess;
}

extern "C" cudaError_t ms_flood_launch_roots(const ms_trie_program *program, uint64_t first,
                                             uint64_t count, uint32_t *to, cudaStream_t)
{
  for (uint64_t i = 0; i < count; i++)
    ms_flood_root(*program, first + count - 1 - i, to + i * ms_flood_words(0));
  return cudaSuccess;
}

extern "C" cudaError_t ms_flood_launch_step(const ms_flood_step *step, cudaStream_t)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  stepped = step;
  run(step->blocks, step->queue, step_body);
  return cudaSuccess;
}

extern "C" cudaError_t ms_flood_launch_search(const ms_flood_search *search, cudaStream_t)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  searched = *search;
  if (searched.value < emulated_value)
    searched.value = (uint8_t)emulated_value;
  /* exactly as many bytes, and no zeros */
  shared_memory.assign(search->blocks,
                       std::vector<uint64_t>((search->shared_bytes + 7) / 8, 0x5a5a5a5a5a5a5a5a));
  run(search->blocks, search->queue, search_body);
  return cudaSuccess;
}
