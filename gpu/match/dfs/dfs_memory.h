/* What the launches of the engine `dfs` (dfs.h) take of a GPU: blocks and memory. */
#ifndef MS_GPU_MATCH_DFS_MEMORY_H
#define MS_GPU_MATCH_DFS_MEMORY_H

#include "gpu/match/dfs/dfs.h"

/* True if the runner makes matrices of local programs (local_program.h). */
static inline bool ms_dfs_is_local(const ms_dfs_runner *runner)
{
  return runner->kernel == MS_DFS_LOCAL || runner->kernel == MS_DFS_CHAIN;
}

/* True if a second launch is planned. */
static inline bool ms_dfs_has_second(const ms_dfs_runner *runner)
{
  return runner->second.blocks > 0;
}

/* True if the runner counts a chain of more levels than MS_SHORT_CHAIN, whose universes are in
 * slices where they are dense (dfs_slices.cuh). */
static inline bool ms_dfs_is_long_chain(const ms_dfs_runner *runner)
{
  return runner->kernel == MS_DFS_CHAIN && runner->match.packed.program.prefix > MS_SHORT_CHAIN &&
         !runner->launch.teams;
}

/* Returns the most vertices of a universe that the first launch never lists. */
static inline uint32_t ms_dfs_light(const ms_dfs_runner *runner)
{
  uint32_t small = runner->launch.small;
  return ms_dfs_is_long_chain(runner) && small > MS_CHAIN_LIGHT ? MS_CHAIN_LIGHT : small;
}

/* Returns a bound on the length of each list: roots, or slices of them, of which each root's last
 * one may not be full. */
uint64_t ms_dfs_list_room(const ms_dfs_runner *runner);
/* Sets the number of blocks to what all multiprocessors hold.  MS_ERR_USAGE: they hold none. */
ms_status ms_dfs_plan_blocks(ms_dfs_runner *runner, ms_dfs_launch *launch, ms_dfs_kernel kernel,
                             const ms_gpu_device *facts, ms_error *err);
/* Sets the places of blocks and warps in global memory, from runner->scratch on, and returns the
 * number of bytes. */
uint64_t ms_dfs_place_scratch(ms_dfs_runner *runner, bool listing);
/* Reduces the planned launches until they fit the free memory, of which they take *bytes.
 * MS_ERR_MEMORY: not even one warp's sets fit. */
ms_status ms_dfs_fit_memory(ms_dfs_runner *runner, ms_dfs_use use, uint64_t *bytes, ms_error *err);

#endif
