/* The engines for pattern graphs on GPUs, which enumerate/pattern_engine.h
 * declares.
 *
 *   dfs   depth first, a stack per warp (STMatch, SC'22; G2Miner, OSDI'22), over
 *         the same programs as the CPU's engine; the memory that a program takes
 *         does not depend on how many matches there are (gpu/pattern.c);
 *   trie  breadth first in bounded memory (cuTS, SC'21): gpu/trie_device.h,
 *         gpu/trie_drive.h;
 *   reuse breadth first, with kept candidate sets that serve again (RPS,
 *         TKDE'22): gpu/reuse_device.h.  Programs with a table have no sets to
 *         keep, and are dfs's.
 *
 * Rows of a listing come in an order that differs from run to run. */
#ifndef MS_GPU_PATTERN_H
#define MS_GPU_PATTERN_H

#include "enumerate/pattern_engine.h"

/* Device memory that `reuse` takes for levels and sets, at most.  Only tests and
 * benchmarks write it, and the next. */
extern uint64_t ms_gpu_reuse_bytes;
/* Neighbours from which on a row is worth looking a cached set up that takes its place. */
extern uint32_t ms_gpu_reuse_long_row;
/* Sets that were found under another partial match, and that were not there;
 * only tests and benchmarks read them. */
extern uint64_t ms_gpu_reuse_hits, ms_gpu_reuse_misses;

/* Rows of the first output of a listing; later ones are larger.  Only tests write it. */
extern uint64_t ms_gpu_pattern_first_rows;
/* Bytes of a warp's sets in shared memory; longer sets are in global memory.
 * Only tests and benchmarks write it. */
extern uint32_t ms_gpu_pattern_near_bytes;

#endif
