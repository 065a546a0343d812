/* Which programs are local: counted by the root's neighbours as a bit matrix
 * (gpu/match/dfs_local.cuh). */
#ifndef MS_GPU_MATCH_DFS_LOCAL_H
#define MS_GPU_MATCH_DFS_LOCAL_H

#include "gpu/match/program.h"

/* Levels of a chain, at most, and of other local programs. */
#define MS_CHAIN_LEVELS 7u
#define MS_LOCAL_LEVELS 3u

typedef enum ms_local_kind {
  MS_LOCAL_NONE,
  MS_LOCAL_CHAIN,
  MS_LOCAL_ENDS,
  MS_LOCAL_MATRIX
} ms_local_kind;

ms_local_kind ms_local_kind_of(const ms_program *program);

/* Fill in what a local program has, if it is one; the rest of the pack's program
 * is filled in already. */
void ms_pattern_local(const ms_program *program, ms_pattern_pack *pack);
/* Vertices of the largest universe of any root. */
uint32_t ms_local_universe(const ms_program *program, const ms_device_program *device);

#endif
