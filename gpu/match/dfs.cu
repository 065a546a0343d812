/* The kernels of the engine `dfs`.  Warps count or list units (count_units, list_units).  In
 * programs with a table, warps count roots of few paths (count_paths) and blocks the others
 * (count_roots); where squares are counted, count_squares and count_ranges, and with weights of
 * edges, count_triangles, add_triangles, make_weights, count_weighted_squares and
 * count_weighted_ranges.  In local programs, warps count small universes (count_local;
 * count_chains; the same after a screen of their roots, apart so that these two keep their
 * registers: count_screened_local; count_screened_chains), and blocks slices of the others
 * (count_slices; count_chain_slices) or slices of rows (count_codegrees); in graphs of few edges,
 * blocks count batches of small universes of chains (count_team_chains).  count_work and sort_work
 * sort the list of what blocks do.  What bounds each kernel is said where it is defined;
 * docs/MATCHING.md has the measurements. */
#include "gpu/match/dfs_team.cuh"

enum { MOST_THREADS = 512, RANGE_THREADS = 1024 };

extern __shared__ uint4 shared_memory[];

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_units(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_units<false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    list_units(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_units<true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_roots(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_roots(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_paths(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_paths(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_screened_local(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_local<false, true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_screened_chains(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_local<true, true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_local(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_local<false, false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_chains(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_local<true, false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_slices(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_slices<false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MS_ALONE_THREADS, 1)
    count_chain_slices(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_slices<true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_codegrees(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_codegrees(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_squares(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_squares<false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_triangles(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_triangles(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    add_triangles(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_add_triangles(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    make_weights(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_weights(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_weighted_squares(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_squares<true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(RANGE_THREADS, 1)
    count_weighted_ranges(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_ranges<true>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(RANGE_THREADS, 1)
    count_ranges(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_ranges<false>(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_work(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_count_work(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    sort_work(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_sort_work(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MOST_THREADS, 2)
    count_triangle_ends(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_triangle_ends(launch, (uint8_t *)shared_memory);
}

static __global__ void __launch_bounds__(MS_TEAM_THREADS, MS_TEAM_BLOCKS)
    count_team_chains(const __grid_constant__ ms_dfs_launch launch)
{
  ms_dfs_team_chains(launch, (uint8_t *)shared_memory);
}

extern "C" const void *ms_dfs_function(ms_dfs_kernel kernel)
{
  switch (kernel) {
  case MS_DFS_COUNT:
    return (const void *)count_units;
  case MS_DFS_LIST:
    return (const void *)list_units;
  case MS_DFS_PATHS:
    return (const void *)count_paths;
  case MS_DFS_LOCAL:
    return (const void *)count_local;
  case MS_DFS_SLICES:
    return (const void *)count_slices;
  case MS_DFS_CHAIN:
    return (const void *)count_chains;
  case MS_DFS_CHAIN_SLICES:
    return (const void *)count_chain_slices;
  case MS_DFS_CODEGREES:
    return (const void *)count_codegrees;
  case MS_DFS_SQUARES:
    return (const void *)count_squares;
  case MS_DFS_RANGES:
    return (const void *)count_ranges;
  case MS_DFS_TRIANGLES:
    return (const void *)count_triangles;
  case MS_DFS_ADD_TRIANGLES:
    return (const void *)add_triangles;
  case MS_DFS_WEIGHTS:
    return (const void *)make_weights;
  case MS_DFS_WEIGHTED_SQUARES:
    return (const void *)count_weighted_squares;
  case MS_DFS_WEIGHTED_RANGES:
    return (const void *)count_weighted_ranges;
  case MS_DFS_SCREENED_LOCAL:
    return (const void *)count_screened_local;
  case MS_DFS_SCREENED_CHAIN:
    return (const void *)count_screened_chains;
  case MS_DFS_COUNT_WORK:
    return (const void *)count_work;
  case MS_DFS_SORT_WORK:
    return (const void *)sort_work;
  case MS_DFS_TRIANGLE_ENDS:
    return (const void *)count_triangle_ends;
  case MS_DFS_TEAM_CHAINS:
    return (const void *)count_team_chains;
  default:
    return (const void *)count_roots;
  }
}
