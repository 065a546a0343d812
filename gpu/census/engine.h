/* The census on GPUs. */
#ifndef MS_GPU_CENSUS_ENGINE_H
#define MS_GPU_CENSUS_ENGINE_H

#include "census/accelerator.h"

extern const ms_census_accelerator ms_census_gpus;

/* ---- for tests ----------------------------------------------------------------------- */

extern uint32_t ms_gpu_census_words;  /* words of the first kernel; 0: as many as most roots need */
extern uint32_t ms_gpu_census_widest; /* words of the last one */
extern uint32_t ms_gpu_census_shared; /* most cells of which blocks count in their own memory */
extern uint32_t ms_gpu_census_merged; /* most kinds of which a ball has rows */
extern uint64_t ms_gpu_census_cache;  /* bytes of the L2 cache; 0: those of the device */
extern uint32_t ms_gpu_census_bits; /* of the largest table of a vertex; 0: as many as are useful */
extern uint64_t ms_gpu_census_room; /* entries that a device holds, at most */
extern double ms_gpu_census_seconds; /* that devices have searched */

#endif
