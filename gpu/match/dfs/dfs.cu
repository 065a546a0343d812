/* The kernels of the engine `dfs`.  Warps count or list units (count_units, list_units).  In
 * programs with a table, warps count roots of few paths (count_paths) and blocks the others
 * (count_roots); where squares are counted, count_squares and count_ranges, and with weights of
 * edges, count_triangles, add_triangles, make_weights, count_weighted_squares and
 * count_weighted_ranges; add_spines and add_pages count books at each vertex.  In local programs,
 * warps count small universes (count_local; count_chains; the same after a screen of their roots,
 * apart so that these two keep their registers: count_screened_local; count_screened_chains), and
 * blocks slices of the others (count_slices; count_chain_slices) or slices of rows
 * (count_codegrees); in graphs of few edges, blocks count batches of small universes of chains
 * (count_team_chains).  count_work and sort_work sort the list of what blocks do.  What bounds each
 * kernel is said where it is defined; docs/MATCHING.md has the measurements. */
#include "gpu/match/dfs/dfs_block.cuh"
#include "gpu/match/dfs/dfs_kernel.cuh"

DFS_KERNEL(count_units, MOST_THREADS, 2, ms_dfs_units<false>)
DFS_KERNEL(list_units, MOST_THREADS, 2, ms_dfs_units<true>)
DFS_KERNEL(count_roots, MOST_THREADS, 2, ms_dfs_roots)
DFS_KERNEL(count_paths, MOST_THREADS, 2, ms_dfs_paths)
DFS_KERNEL(count_squares, MOST_THREADS, 2, ms_dfs_squares<false>)
DFS_KERNEL(count_triangles, MOST_THREADS, 2, ms_dfs_triangles)
DFS_KERNEL(add_triangles, MOST_THREADS, 2, ms_dfs_add_triangles)
DFS_KERNEL(add_spines, MOST_THREADS, 2, ms_dfs_books<false>)
DFS_KERNEL(add_pages, MOST_THREADS, 2, ms_dfs_books<true>)
DFS_KERNEL(make_weights, MOST_THREADS, 2, ms_dfs_weights)
DFS_KERNEL(count_weighted_squares, MOST_THREADS, 2, ms_dfs_squares<true>)
DFS_KERNEL(count_weighted_ranges, MS_WEIGH_THREADS, 2, ms_dfs_ranges<true>)
DFS_KERNEL(count_ranges, MS_RANGE_THREADS, 2, ms_dfs_ranges<false>)
DFS_KERNEL(count_work, MOST_THREADS, 2, ms_dfs_count_work)
DFS_KERNEL(sort_work, MOST_THREADS, 2, ms_dfs_sort_work)
DFS_KERNEL(count_triangle_ends, MOST_THREADS, 2, ms_dfs_triangle_ends)

extern "C" const void *ms_dfs_function(ms_dfs_kernel kernel)
{
  switch (kernel) {
  case MS_DFS_COUNT:
    return (const void *)count_units;
  case MS_DFS_LIST:
    return (const void *)list_units;
  case MS_DFS_PATHS:
    return (const void *)count_paths;
  case MS_DFS_SQUARES:
    return (const void *)count_squares;
  case MS_DFS_TRIANGLES:
    return (const void *)count_triangles;
  case MS_DFS_ADD_TRIANGLES:
    return (const void *)add_triangles;
  case MS_DFS_SPINES:
    return (const void *)add_spines;
  case MS_DFS_PAGES:
    return (const void *)add_pages;
  case MS_DFS_WEIGHTS:
    return (const void *)make_weights;
  case MS_DFS_WEIGHTED_SQUARES:
    return (const void *)count_weighted_squares;
  case MS_DFS_WEIGHTED_RANGES:
    return (const void *)count_weighted_ranges;
  case MS_DFS_RANGES:
    return (const void *)count_ranges;
  case MS_DFS_COUNT_WORK:
    return (const void *)count_work;
  case MS_DFS_SORT_WORK:
    return (const void *)sort_work;
  case MS_DFS_TRIANGLE_ENDS:
    return (const void *)count_triangle_ends;
  case MS_DFS_LOCAL:
  case MS_DFS_CHAIN:
  case MS_DFS_SCREENED_LOCAL:
  case MS_DFS_SCREENED_CHAIN:
    return ms_dfs_local_function(kernel);
  case MS_DFS_SLICES:
  case MS_DFS_CHAIN_SLICES:
  case MS_DFS_CODEGREES:
  case MS_DFS_TEAM_CHAINS:
    return ms_dfs_local_block_function(kernel);
  default:
    return (const void *)count_roots;
  }
}
