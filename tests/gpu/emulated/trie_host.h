/* The kernels of the engine `trie` on the host, and the cases that use them. */
#ifndef MS_TESTS_GPU_EMULATED_TRIE_HOST_H
#define MS_TESTS_GPU_EMULATED_TRIE_HOST_H

#include "gpu/match/trie/trie_device.h"

/* trie_host_many.cc defines the same for programs of many levels. */
#ifdef MS_MANY_LEVELS
#define trie_host_seed trie_many_seed
#define trie_host_random trie_many_random
#define trie_host_work trie_many_work
#define trie_host_hubs trie_many_hubs
#define trie_host_root trie_many_root
#define trie_host_gather trie_many_gather
#define trie_host_add_terms trie_many_add_terms
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Seeds the random numbers and the order in which lanes continue. */
void trie_host_seed(uint64_t seed);
uint64_t trie_host_random(void);
/* Runs a job by a block of `warps` warps, 32 lanes each. */
void trie_host_work(const ms_conjunction_program *program, const ms_trie_memory *memory,
                    const ms_trie_work *work, ms_trie_job job, uint32_t warps);
void trie_host_hubs(const ms_conjunction_program *program, const ms_trie_hubs *hubs);
void trie_host_root(const ms_conjunction_program *program, const ms_trie_memory *memory, uint64_t i,
                    uint64_t entry);
void trie_host_gather(const ms_conjunction_program *program, const ms_trie_memory *memory,
                      uint64_t entry, uint32_t *rows, uint64_t room, uint64_t i);

/* Adds the terms of size[][32] to the counters' sum, by a warp, one lane for each column. */
void trie_host_add_terms(const ms_conjunction_program *program, const ms_trie_memory *memory,
                         const uint32_t *size);

#ifdef __cplusplus
}
#endif
#endif
