/* The engines for pattern graphs on GPUs, which match/engine.h declares.
 *
 *   dfs   depth first, with a stack for each warp (STMatch, SC'22; G2Miner,
 *         OSDI'22), over the same programs as the CPU's engine; its memory does
 *         not depend on the number of matches (gpu/match/dfs.c);
 *   trie  breadth first in bounded memory (cuTS, SC'21): gpu/match/trie_device.h,
 *         gpu/match/trie_drive.h;
 *   reuse breadth first; it keeps candidate sets and uses them again (RPS,
 *         TKDE'22): gpu/match/reuse_device.h.  Its plans have no table; dfs runs
 *         a program that has one;
 *   flood breadth first until there are paths for all of the device, then a queue
 *         of paths, and depth first over chunks within a block (GRASS, ICPP 2019):
 *         gpu/match/flood_device.h;
 *   gpu   the best of the others for a program: dfs for local programs
 *         (gpu/match/dfs_local.cuh) and for those with a table, trie for all other
 *         counts, flood for lists (gpu/match/best.c).
 *
 * The order of a listing's rows differs from run to run. */
#ifndef MS_GPU_MATCH_ENGINES_H
#define MS_GPU_MATCH_ENGINES_H

#include "match/engine.h"

/* Most device memory that `reuse` takes for levels and sets.  Only tests and benchmarks write
 * this and the next variable. */
extern uint64_t ms_gpu_reuse_bytes;
/* In rows of at least this many neighbours, it pays to search for a cached set that replaces the
 * row. */
extern uint32_t ms_gpu_reuse_long_row;

/* Bytes of a warp's sets in shared memory; longer sets are in global memory.
 * Only tests and benchmarks write it. */
extern uint32_t ms_gpu_dfs_near_bytes;
/* Most neighbours of a root that a warp counts by itself; candidates that a block takes at a
 * time of a root with more.  Only tests and benchmarks write them. */
extern uint32_t ms_gpu_dfs_warp_degree, ms_gpu_dfs_slice_length;
/* Most paths of length two from a root that a warp counts by itself.  Only tests and benchmarks
 * write it. */
extern uint32_t ms_gpu_dfs_warp_paths;
/* Most paths of a part of a root that blocks share; 0: as the graph demands. */
extern uint32_t ms_gpu_dfs_part_paths;
/* Most vertices of a universe for which there is always room.  Only tests write it. */
extern uint32_t ms_gpu_dfs_sure_universe;
/* Most vertices of a universe whose ids and sets blocks keep in shared memory, where a matrix has
 * rows for vertices above the root alone.  Only tests write it. */
extern uint32_t ms_gpu_dfs_near_universe;
/* Most edges that a mean universe is expected to have where roots are screened
 * (dfs_local_block.cuh). Only tests write it. */
extern double ms_gpu_dfs_screen;
/* most paths of the roots that a warp counts together, and most counters of a block (even), where
 * codegrees are all that counts */
extern uint32_t ms_gpu_dfs_few_paths, ms_gpu_dfs_range;
/* Least vertices of a graph whose squares are counted without a table. */
extern uint32_t ms_gpu_dfs_square_ids;
/* Where 4-cycles in neighbourhoods are counted (match/count/count_products.c): most vertices of a
 * warp's neighbourhood, at most 128; most words of a block's filter; least rows of a slice; words
 * of the matrices of a launch, about.  Only tests write them. */
extern uint32_t ms_gpu_hub_small, ms_gpu_hub_filter, ms_gpu_hub_slice;
extern uint64_t ms_gpu_hub_words;
/* Arcs from which on a graph has too many for blocks that count chains in batches of universes
 * (dfs_team.cuh).  Only tests write it. */
extern uint64_t ms_gpu_dfs_team_arcs;
/* Least arcs of a graph in which lists of work are sorted (dfs_list.cuh).  Only tests write it. */
extern uint64_t ms_gpu_dfs_sorted_arcs;
/* Most vertices of a small matrix, at most 128 (dfs_small.cuh).  Only tests and benchmarks write
 * it. */
extern uint32_t ms_gpu_dfs_chain_room;
/* Blocks of chains have wide rows (dfs_small.cuh) wherever there is room for them, not only those
 * that have a multiprocessor alone.  Only tests write it. */
extern bool ms_gpu_dfs_wide_always;
/* Twice the vertices of the largest universe that has a table of places; in larger universes places
 * are searched for (dfs_universe.cuh).  Only tests write it. */
extern uint32_t ms_gpu_dfs_finder;
/* For flood: partial matches of a block's pool; bytes of its pools in shared memory; partial
 * matches at which flooding ends (0: by the device's threads); most rows of an output (0: by the
 * memory).  Only tests and benchmarks write them. */
extern uint32_t ms_gpu_flood_room;
extern uint32_t ms_gpu_flood_near_bytes;
extern uint64_t ms_gpu_flood_paths;
extern uint64_t ms_gpu_flood_rows;

#endif
