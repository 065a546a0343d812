/* The engine for colour motifs on GPUs, which motif/engine.h declares: what tests vary. */
#ifndef MS_GPU_MOTIF_ENGINE_H
#define MS_GPU_MOTIF_ENGINE_H

#include "motif/engine.h"

#include <stdint.h>

/* How sets are held; only tests and benchmarks write these variables. */
typedef enum ms_motif_way { MS_MOTIF_CHOOSE, MS_MOTIF_ROWS, MS_MOTIF_LISTS } ms_motif_way;
extern ms_motif_way ms_gpu_motif_way;
/* Entries of the tables of lists, in the first and in the second search: powers of two. */
extern uint32_t ms_gpu_motif_hash[2];
/* Candidates of a unit for each of its parts. */
extern uint32_t ms_gpu_motif_part;
/* Seconds in which devices have searched, all of them together, since a benchmark set it to 0. */
extern double ms_gpu_motif_seconds;

#endif
