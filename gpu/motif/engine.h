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
/* Entries of the longest row, and the least number of kinds, with which sets are counted side by
 * side in lists. */
extern uint32_t ms_gpu_motif_short, ms_gpu_motif_least_kinds;
/* Candidates of a unit for each of its parts. */
extern uint32_t ms_gpu_motif_part;
/* The same for listings of sets of four, and of more vertices. */
extern uint32_t ms_gpu_motif_list_part[2];
/* Of a listing: entries of a piece, vertices that complete a set in a record, units of the first
 * batch, and bytes of each output (gpu/motif/list.c). */
extern uint32_t ms_gpu_motif_piece, ms_gpu_motif_together, ms_gpu_motif_batch;
extern uint64_t ms_gpu_motif_output;
/* For benchmarks of listings: records are fetched and not read; the bytes of records that were
 * fetched since a benchmark set it to 0. */
extern bool ms_gpu_motif_unread;
extern uint64_t ms_gpu_motif_bytes;
/* Seconds in which devices have searched, all of them together, since a benchmark set it to 0. */
extern double ms_gpu_motif_seconds;

/* For benchmarks: measures how many bytes a second a GPU copies to pinned memory, in the way of a
 * listing. */
ms_status ms_gpu_motif_link(int device, double *bytes_a_second, ms_error *err);

#endif
