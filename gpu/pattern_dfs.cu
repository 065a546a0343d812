/* The kernels of the engine `dfs`.
 *
 * What is expected to bound the usual patterns, before anything was measured, and
 * what to try next:
 *   cliques: sets are rows cut to larger ids, mostly shorter than a warp; the last
 *     two levels are pairs, a lane each (ms_flat_level), bound by binary searches
 *     in L1 and L2.  Next: a root's larger neighbours as a bit matrix in shared
 *     memory, 16 lanes a set, AND and count.
 *   diamond, K5 minus an edge, octahedron: one intersection of two rows an edge,
 *     a binary search an element of the shorter one.  Next: the longer row as
 *     bits or a hash in shared memory where an edge's root has many children;
 *     that needs the children of a root in one block, as with a table.
 *   wheel: a count of a short set against a row for each pair of rim vertices,
 *     a warp each and half of its lanes idle.  Next: a lane a candidate where the
 *     set has fewer than 32 elements.
 *   4-cycle, house: the table (pattern_table.cuh) and one look-up for each edge
 *     under a root (ms_quick_level).  Small roots wait at barriers: next, a table
 *     a warp, hashed, for roots of fewer than some hundred paths.
 *   a root of very many candidates: units are arcs, so that its work is shared
 *     from the start; below level 1 nothing is given away yet. */
#include "gpu/pattern_slices.cuh"

enum { MOST_THREADS = 512 };

extern __shared__ uint4 shared_memory[];

static __global__ void __launch_bounds__(MOST_THREADS, 2) count_units(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_units<false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) list_units(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_units<true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) count_roots(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_roots(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) count_paths(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_paths(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) count_local(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_local(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2) count_slices(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_slices(launch, (uint8_t *)shared_memory);
}

static const void *kernel_of(ms_dfs_kernel kernel)
{
  switch (kernel) {
  case MS_DFS_COUNT: return (const void *)count_units;
  case MS_DFS_LIST: return (const void *)list_units;
  case MS_DFS_PATHS: return (const void *)count_paths;
  case MS_DFS_LOCAL: return (const void *)count_local;
  case MS_DFS_SLICES: return (const void *)count_slices;
  default: return (const void *)count_roots;
  }
}

cudaError_t ms_dfs_occupancy(ms_dfs_kernel kernel, uint32_t warps, uint32_t shared_bytes, uint32_t *blocks)
{
  int count = 0;
  const void *function = kernel_of(kernel);
  cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes);
  if (error == cudaSuccess)
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, function, (int)(warps * MS_LANES), shared_bytes);
  *blocks = count > 0 ? (uint32_t)count : 0;
  return error;
}

cudaError_t ms_dfs_run(const ms_dfs_launch *launch, ms_dfs_kernel kernel, cudaStream_t stream)
{
  void *arguments[] = {(void *)launch};
  return cudaLaunchKernel(kernel_of(kernel), dim3(launch->blocks), dim3(launch->warps * MS_LANES), arguments,
                          launch->shared_bytes, stream);
}
