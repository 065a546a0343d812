/* Local programs: all candidates of levels 1 and up, and of the tail, are in the root's row, its
 * universe, of which a kernel makes a matrix of bits (gpu/match/dfs/dfs_local.cuh). */
#ifndef MS_GPU_MATCH_LOCAL_PROGRAM_H
#define MS_GPU_MATCH_LOCAL_PROGRAM_H

#include "gpu/match/program.h"

/* Finds whether the packed program is local, and its form; completes packed->program, whose steps,
 * sets, tail and value are filled in, and packed->filter_bits. */
void ms_find_local_program(ms_packed_program *packed);

/* Returns the number of vertices of the largest universe of any root of a local program. */
uint32_t ms_local_universe(const ms_program *program, const ms_device_program *device);
/* Returns a bound on the words of the largest matrix of any root of a local program; for programs
 * of ends, on the numbers of neighbours. */
uint64_t ms_local_matrix_words(const ms_program *program, const ms_device_program *device);

#endif
