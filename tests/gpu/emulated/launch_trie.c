/* The launches of the engine `trie` by warps on the host (tests/gpu/host_warp.h),
 * for a CUDA runtime that is the host, too (fake_cuda.h). */
#include "gpu/match/trie_launch.h"
#include "tests/gpu/emulated/fake_cuda.h"
#include "tests/gpu/pattern_trie.h"

#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER; /* of the warps, which are one thread's at a time */

uint64_t ms_trie_most_items(uint32_t multiprocessors)
{
  return multiprocessors * 3u * MS_TRIE_BATCH;
}

cudaError_t ms_trie_launch_work(const ms_trie_program *program, const ms_trie_memory *memory,
                                const ms_trie_work *work, ms_trie_job job, uint32_t multiprocessors,
                                cudaStream_t stream)
{
  ms_trie_work w = *work;
  (void)stream;
  pthread_mutex_lock(&lock);
  fake_launches++;
  if (fake_while_running)
    (void)fake_while_running(); /* kernels are short: the host looks between them */
  w.batch = 1 + (uint32_t)(trie_host_random() % MS_TRIE_BATCH);
  uint64_t most = memory->most_items / w.batch;
  uint32_t warps = 1 + (uint32_t)(trie_host_random() % (multiprocessors + 1));
  memset(memory->counters, 0, sizeof *memory->counters);
  trie_host_work(program, memory, &w, job, warps < most ? warps : (uint32_t)most);
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

cudaError_t ms_trie_launch_hubs(const ms_trie_program *program, const ms_trie_hubs *hubs,
                                uint32_t multiprocessors, cudaStream_t stream)
{
  (void)multiprocessors;
  (void)stream;
  pthread_mutex_lock(&lock);
  hubs->number[hubs->n] = 0;
  memset(hubs->bits, 0, hubs->room * hubs->words * sizeof *hubs->bits);
  trie_host_hubs(program, hubs);
  pthread_mutex_unlock(&lock);
  return cudaSuccess;
}

cudaError_t ms_trie_launch_roots(const ms_trie_program *program, const ms_trie_memory *memory,
                                 uint64_t first, uint64_t count, cudaStream_t stream)
{
  (void)stream;
  for (uint64_t i = 0; i < count; i++)
    trie_host_root(program, memory, first + i, i);
  return cudaSuccess;
}

cudaError_t ms_trie_launch_gather(const ms_trie_program *program, const ms_trie_memory *memory,
                                  uint64_t first, uint64_t count, uint32_t *rows, uint64_t room,
                                  cudaStream_t stream)
{
  (void)stream;
  for (uint64_t i = 0; i < count; i++)
    trie_host_gather(program, memory, first + i, rows, room, i);
  return cudaSuccess;
}
