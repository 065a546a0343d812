/* The kernels of the engine `trie`: what a warp is on a GPU, and launches.
 * What a warp does is in gpu/match/trie.cuh. */
#include "gpu/match/trie.cuh"
#include "gpu/match/trie_launch.h"

enum {
  MOST_WARPS = 8,            /* of a block */
  MULTIPROCESSOR_WARPS = 64, /* that one can hold, on all GPUs of capability 8 and 9, or more */
  LEAST_TURNS = 128,         /* of one's warps, before they take more entries at a time: long
                                turns at the end keep the others waiting */
  PLAIN_THREADS = 256,       /* of a block where each thread works by itself */
  BUSY_BLOCKS = 8,           /* of those, a multiprocessor */
  SHARED_BYTES = 48 << 10    /* that a block may have without asking */
};

static const uint32_t all_lanes = 0xffffffffu;

/* ---- a warp ------------------------------------------------------------------- */

struct device_warp {
  uint32_t *fast; /* the warp's part of shared memory */

  __device__ __forceinline__ uint32_t lane() const
  {
    return threadIdx.x & 31;
  }
  __device__ __forceinline__ uint32_t *words() const
  {
    return fast;
  }
  __device__ __forceinline__ uint32_t ballot(bool x) const
  {
    return __ballot_sync(all_lanes, x);
  }
  __device__ __forceinline__ bool any(bool x) const
  {
    return __any_sync(all_lanes, x);
  }
  __device__ __forceinline__ void sync() const
  {
    __syncwarp();
  }
  template <class T> __device__ __forceinline__ T from(T x, uint32_t lane) const
  {
    return __shfl_sync(all_lanes, x, (int)lane);
  }
  template <class T> __device__ __forceinline__ T swap(T x, uint32_t apart) const
  {
    return __shfl_xor_sync(all_lanes, x, (int)apart);
  }
  __device__ __forceinline__ uint32_t add(uint32_t *x, uint32_t y) const
  {
    return atomicAdd(x, y);
  }
  __device__ __forceinline__ void unite(uint32_t *x, uint32_t bits) const
  {
    atomicOr(x, bits);
  }
  __device__ __forceinline__ uint64_t read(const uint64_t *x) const
  {
    return *(const volatile uint64_t *)x;
  }
  __device__ __forceinline__ uint64_t add(uint64_t *x, uint64_t y) const
  {
    return atomicAdd((unsigned long long *)x, (unsigned long long)y);
  }
};

/* ---- kernels --------------------------------------------------------------------- */

template <int job>
static __global__ void __launch_bounds__(32 * MOST_WARPS)
    work_kernel(const __grid_constant__ ms_trie_program p, const __grid_constant__ ms_trie_memory m,
                const __grid_constant__ ms_trie_work a, uint32_t warp_words)
{
  extern __shared__ uint32_t fast[];
  device_warp w = {fast + threadIdx.x / 32 * warp_words};
  trie_work(w, p, m, a, (ms_trie_job)job);
}

static __global__ void __launch_bounds__(PLAIN_THREADS)
    hubs_kernel(const __grid_constant__ ms_trie_program p, const __grid_constant__ ms_trie_hubs h)
{
  device_warp w = {nullptr};
  uint64_t warps = (uint64_t)gridDim.x * (PLAIN_THREADS / 32);
  trie_make_hubs(w, p, h, blockIdx.x * (PLAIN_THREADS / 32) + threadIdx.x / 32, warps);
}

static __global__ void __launch_bounds__(PLAIN_THREADS)
    roots_kernel(const __grid_constant__ ms_trie_program p,
                 const __grid_constant__ ms_trie_memory m, uint64_t first, uint64_t count)
{
  uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    trie_root(p, m, first + i, i);
}

static __global__ void __launch_bounds__(PLAIN_THREADS)
    gather_kernel(const __grid_constant__ ms_trie_program p,
                  const __grid_constant__ ms_trie_memory m, uint64_t first, uint64_t count,
                  uint32_t *rows, uint64_t room)
{
  uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    trie_gather(p, m, first + i, rows, room, i);
}

/* ---- launches ------------------------------------------------------------------------ */

typedef void (*work_function)(ms_trie_program, ms_trie_memory, ms_trie_work, uint32_t);

extern "C" uint64_t ms_trie_most_items(uint32_t multiprocessors)
{
  return (uint64_t)multiprocessors * MULTIPROCESSOR_WARPS * MS_TRIE_BATCH;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

extern "C" cudaError_t ms_trie_launch_work(const ms_trie_program *program,
                                           const ms_trie_memory *memory, const ms_trie_work *work,
                                           ms_trie_job job, uint32_t multiprocessors,
                                           cudaStream_t stream)
{
  static const work_function functions[] = {work_kernel<MS_TRIE_EXPAND>, work_kernel<MS_TRIE_COUNT>,
                                            work_kernel<MS_TRIE_TAIL>};
  ms_trie_work w = *work;
  uint64_t all = work->n_items + (work->end - work->begin);
  uint64_t share = all / ((uint64_t)multiprocessors * LEAST_TURNS) + 1;
  w.batch = (uint32_t)smaller(smaller(share, MS_TRIE_BATCH), memory->most_items);
  uint64_t warps = smaller((all + w.batch - 1) / w.batch, memory->most_items / w.batch);
  uint32_t words = ms_trie_words(program, job); /* at most 15 KiB */
  uint64_t a_block = smaller(smaller(warps, MOST_WARPS), SHARED_BYTES / (words * sizeof(uint32_t)));
  size_t bytes = a_block * words * sizeof(uint32_t);
  int resident = 1;
  cudaError_t error = cudaMemsetAsync(memory->counters, 0, sizeof *memory->counters, stream);
  if (error != cudaSuccess || warps == 0)
    return error;
  error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, functions[job],
                                                        (int)(32 * a_block), bytes);
  if (error != cudaSuccess)
    return error;
  /* all warps together must not leave more than a list can hold */
  uint64_t blocks =
      smaller(warps / a_block, (uint64_t)(resident > 0 ? resident : 1) * multiprocessors);
  functions[job]<<<(unsigned)blocks, (unsigned)(32 * a_block), bytes, stream>>>(*program, *memory,
                                                                                w, words);
  return cudaGetLastError();
}

static uint64_t plain_blocks(uint64_t count)
{
  return (count + PLAIN_THREADS - 1) / PLAIN_THREADS;
}

extern "C" cudaError_t ms_trie_launch_hubs(const ms_trie_program *program, const ms_trie_hubs *hubs,
                                           uint32_t multiprocessors, cudaStream_t stream)
{
  cudaError_t error = cudaMemsetAsync(hubs->number + hubs->n, 0, sizeof *hubs->number, stream);
  if (error == cudaSuccess)
    error = cudaMemsetAsync(hubs->bits, 0, hubs->room * hubs->words * sizeof *hubs->bits, stream);
  if (error != cudaSuccess)
    return error;
  uint64_t blocks =
      smaller(plain_blocks((uint64_t)hubs->n * 32), (uint64_t)multiprocessors * BUSY_BLOCKS);
  hubs_kernel<<<(unsigned)blocks, PLAIN_THREADS, 0, stream>>>(*program, *hubs);
  return cudaGetLastError();
}

extern "C" cudaError_t ms_trie_launch_roots(const ms_trie_program *program,
                                            const ms_trie_memory *memory, uint64_t first,
                                            uint64_t count, cudaStream_t stream)
{
  if (count > 0)
    roots_kernel<<<(unsigned)plain_blocks(count), PLAIN_THREADS, 0, stream>>>(*program, *memory,
                                                                              first, count);
  return cudaGetLastError();
}

extern "C" cudaError_t ms_trie_launch_gather(const ms_trie_program *program,
                                             const ms_trie_memory *memory, uint64_t first,
                                             uint64_t count, uint32_t *rows, uint64_t room,
                                             cudaStream_t stream)
{
  if (count > 0)
    gather_kernel<<<(unsigned)plain_blocks(count), PLAIN_THREADS, 0, stream>>>(
        *program, *memory, first, count, rows, room);
  return cudaGetLastError();
}
