/* A launch of the engine `dfs` on a large program: what the host (C) lays out and the kernels use.
 *
 * An ms_device_program has no room for a large program (gpu/match/program_device.h), and the
 * candidate sets of an induced pattern of 40 vertices are hundreds.  So no sets are kept: the
 * program is a conjunction for each level (gpu/match/squares/conjunction.h), and a warp tests 32
 * candidates of the shortest row at a time.  One persistent kernel, as for other programs: each
 * warp searches depth first and takes stretches of roots from a queue; its stack is in global
 * memory, where it stays while a full output is emptied. */
#ifndef MS_GPU_MATCH_DFS_LARGE_DEVICE_H
#define MS_GPU_MATCH_DFS_LARGE_DEVICE_H

#include "gpu/match/dfs/dfs_device.h"
#include "gpu/match/squares/conjunction_device.h"

typedef struct ms_large_level {
  ms_walk_level walk;
  uint32_t link; /* of the row that the candidates are from (conjunction.cuh) */
} ms_large_level;

/* A warp's search when the output was full; all zero: nothing is left of it. */
typedef struct ms_large_place {
  uint32_t waits, depth; /* levels [0, depth] of the stack are in use */
} ms_large_place;

/* All pointers are to device memory. */
typedef struct ms_large_launch {
  ms_conjunction_program program;
  ms_gpu_queue *queue;
  uint64_t first, end;    /* roots, by number */
  uint64_t most;          /* roots of a stretch */
  uint32_t blocks, warps; /* warps: of a block */
  uint32_t sizes;         /* words for sizes of a warp: the tail's sets, and MS_GPU_WARP at least */
  ms_large_place *place;  /* [blocks * warps] of a listing; NULL: count */
  ms_large_level *level;  /* [blocks * warps][prefix] */
  uint32_t *match;        /* [blocks * warps][prefix] */
  uint32_t *size;         /* [blocks * warps][sizes] */
  uint32_t *rows;         /* [capacity][prefix] the output of a listing */
  uint64_t capacity;
  bool enough; /* as in ms_dfs_launch */
} ms_large_launch;

#ifdef __cplusplus
extern "C"
#endif
    /* The address of the kernel that counts or lists; its only argument is an ms_large_launch. */
    const void *
    ms_large_function(bool listing);

#endif
