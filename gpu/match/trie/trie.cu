/* The kernels of the engine `trie`; what a warp does is in gpu/match/trie/trie.cuh. */
#include "gpu/match/trie/trie.cuh"

enum { MOST_WARPS = 8 /* of a block */ };

/* Blocks that a multiprocessor should hold: loads wait for memory, and other warps hide the
 * wait. This leaves a thread 32, 40 and 48 registers on GPUs with 64 Ki of them, at the price of
 * a few words that are spilled. */
static constexpr int blocks_of(int job)
{
  return job == MS_TRIE_EXPAND ? 8 : job == MS_TRIE_COUNT ? 6 : 5;
}

template <int job>
static __global__ void __launch_bounds__(32 * MOST_WARPS, blocks_of(job))
    work_kernel(const __grid_constant__ ms_conjunction_program p,
                const __grid_constant__ ms_trie_memory m, const __grid_constant__ ms_trie_work a,
                uint32_t warp_words)
{
  extern __shared__ uint32_t fast[];
  trie_work(fast + ms_warp() * warp_words, p, m, a, (ms_trie_job)job,
            ms_block() * (blockDim.x / 32) + ms_warp());
}

static __global__ void __launch_bounds__(MS_TRIE_PLAIN_THREADS)
    hubs_kernel(const __grid_constant__ ms_conjunction_program p,
                const __grid_constant__ ms_trie_hubs h)
{
  uint64_t warps = (uint64_t)gridDim.x * (MS_TRIE_PLAIN_THREADS / 32);
  trie_make_hubs(p, h, blockIdx.x * (MS_TRIE_PLAIN_THREADS / 32) + ms_warp(), warps);
}

static __global__ void __launch_bounds__(MS_TRIE_PLAIN_THREADS)
    roots_kernel(const __grid_constant__ ms_conjunction_program p,
                 const __grid_constant__ ms_trie_memory m, uint64_t first, uint64_t count)
{
  uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    trie_root(p, m, first + i, i);
}

static __global__ void __launch_bounds__(MS_TRIE_PLAIN_THREADS)
    gather_kernel(const __grid_constant__ ms_conjunction_program p,
                  const __grid_constant__ ms_trie_memory m, uint64_t first, uint64_t count,
                  uint32_t *rows, uint64_t room)
{
  uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    trie_gather(p, m, first + i, rows, room, i);
}

extern "C" const void *ms_trie_function(uint32_t kernel)
{
  static const void *const kernels[] = {(const void *)work_kernel<MS_TRIE_EXPAND>,
                                        (const void *)work_kernel<MS_TRIE_COUNT>,
                                        (const void *)work_kernel<MS_TRIE_TAIL>,
                                        (const void *)hubs_kernel,
                                        (const void *)roots_kernel,
                                        (const void *)gather_kernel};
  return kernels[kernel];
}
