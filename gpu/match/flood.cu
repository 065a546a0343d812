/* The kernels of the engine `flood`.
 *
 * What is expected to bound them, before anything was measured, and what to try
 * next: binary searches of candidates in rows, eight or ten dependent loads each
 * from L1 and L2, of which 1280 threads a multiprocessor hide most of the wait;
 * three conjuncts for a candidate of K5's last vertex where an engine that keeps
 * sets has one.  So: keep the candidates of a path beside it where a level's set
 * contains the next one's; a block whose paths share a root could hold the root's
 * row as a hash in shared memory. */
#include "gpu/match/flood.cuh"

enum { PLAIN_THREADS = 256, LEAST_BLOCKS = 3 };

extern __shared__ uint4 flood_memory[];

static __global__ void __launch_bounds__(PLAIN_THREADS)
    roots_kernel(const __grid_constant__ ms_trie_program p, uint64_t first, uint64_t count,
                 uint32_t *to)
{
  uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    ms_flood_root(p, first + count - 1 - i, to + i * ms_flood_words(0));
}

static __global__ void __launch_bounds__(MS_FLOOD_THREADS)
    step_kernel(const __grid_constant__ ms_flood_step step)
{
  ms_flood_paths_of(step);
}

template <int ACTION>
static __global__ void __launch_bounds__(MS_FLOOD_THREADS, LEAST_BLOCKS)
    search_kernel(const __grid_constant__ ms_flood_search search)
{
  ms_flood_hyper<ACTION>(search, (uint8_t *)flood_memory);
}

static const void *kernel_of(ms_flood_action action)
{
  switch (action) {
  case MS_FLOOD_ONES:
    return (const void *)search_kernel<MS_FLOOD_ONES>;
  case MS_FLOOD_COUNT:
    return (const void *)search_kernel<MS_FLOOD_COUNT>;
  case MS_FLOOD_TAIL:
    return (const void *)search_kernel<MS_FLOOD_TAIL>;
  default:
    return (const void *)search_kernel<MS_FLOOD_LIST>;
  }
}

cudaError_t ms_flood_occupancy(ms_flood_action action, uint32_t shared_bytes, uint32_t *blocks)
{
  int count = 0;
  const void *function = kernel_of(action);
  cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           (int)shared_bytes);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, MS_FLOOD_THREADS,
                                                          shared_bytes);
  *blocks = count > 0 ? (uint32_t)count : 0;
  return error;
}

cudaError_t ms_flood_launch_roots(const ms_trie_program *program, uint64_t first, uint64_t count,
                                  uint32_t *to, cudaStream_t stream)
{
  unsigned blocks = (unsigned)((count + PLAIN_THREADS - 1) / PLAIN_THREADS);
  if (count > 0)
    roots_kernel<<<blocks, PLAIN_THREADS, 0, stream>>>(*program, first, count, to);
  return cudaGetLastError();
}

cudaError_t ms_flood_launch_step(const ms_flood_step *step, cudaStream_t stream)
{
  step_kernel<<<step->blocks, MS_FLOOD_THREADS, 0, stream>>>(*step);
  return cudaGetLastError();
}

cudaError_t ms_flood_launch_search(const ms_flood_search *search, cudaStream_t stream)
{
  void *arguments[] = {(void *)search};
  return cudaLaunchKernel(kernel_of(search->action), dim3(search->blocks), dim3(MS_FLOOD_THREADS),
                          arguments, search->shared_bytes, stream);
}
