/* The launches of the engine `trie`; all pointers in the structs are to the
 * device. */
#ifndef MS_GPU_MATCH_TRIE_LAUNCH_H
#define MS_GPU_MATCH_TRIE_LAUNCH_H

#include "gpu/match/trie_device.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Items that a launch can leave, at most. */
uint64_t ms_trie_most_items(uint32_t multiprocessors);

/* Clears the counters, then works.  It leaves no more items than a list has room
 * for; the batch is chosen here. */
cudaError_t ms_trie_launch_work(const ms_trie_program *program, const ms_trie_memory *memory,
                                const ms_trie_work *work, ms_trie_job job, uint32_t multiprocessors,
                                cudaStream_t stream);
cudaError_t ms_trie_launch_hubs(const ms_trie_program *program, const ms_trie_hubs *hubs,
                                uint32_t multiprocessors, cudaStream_t stream);
/* Entries 0, 1, .. of level 0 = roots first, first + 1, .. */
cudaError_t ms_trie_launch_roots(const ms_trie_program *program, const ms_trie_memory *memory,
                                 uint64_t first, uint64_t count, cudaStream_t stream);
/* rows[prefix][room], which may be pinned memory of the host: the matches of
 * entries first, first + 1, .. of the deepest level. */
cudaError_t ms_trie_launch_gather(const ms_trie_program *program, const ms_trie_memory *memory,
                                  uint64_t first, uint64_t count, uint32_t *rows, uint64_t room,
                                  cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
