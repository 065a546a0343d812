/* A CUDA runtime whose devices are the host: calls are done at once, in order. */
#ifndef MS_TESTS_GPU_EMULATED_FAKE_CUDA_H
#define MS_TESTS_GPU_EMULATED_FAKE_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern bool fake_cuda;           /* false: real GPUs, and all below is without effect */
extern int fake_devices;         /* number of devices */
extern int fake_multiprocessors; /* of each device */
extern uint64_t fake_memory;     /* bytes of each device */
extern uint64_t fake_shared;     /* of a multiprocessor */
extern uint64_t
    fake_shared_reported;         /* the most that was reported for one; engines ask only once */
extern uint64_t fake_taken;       /* bytes that are allocated now, on all devices */
extern uint64_t fake_most;        /* the most that were allocated */
extern uint64_t fake_slow;        /* how many queries find a stream or an event busy */
extern uint64_t fake_copied;      /* bytes that all copies of streams have moved */
extern uint64_t fake_copies_left; /* copies of streams until all fail; UINT64_MAX: none fails */
extern uint64_t fake_launches;    /* launches of kernels whose warps work together */

/* Called now and then while an emulated kernel runs; if it returns true, the kernel is asked to
 * stop, where its engine supports that.  NULL: not called. */
extern bool (*fake_while_running)(void);

/* ---- kernels, which a function ms_ENGINE_function names by address */
typedef struct fake_grid {
  uint32_t blocks, threads, shared_bytes;
} fake_grid;

typedef struct fake_kernel {
  void (*run)(void **arguments, const fake_grid *grid);
  uint32_t most_threads; /* most threads of a block */
} fake_kernel;

extern uint32_t emulated_width;  /* lanes of a warp; trie always has 32 */
extern uint32_t emulated_blocks; /* blocks that a multiprocessor holds */
extern uint32_t emulated_value;  /* one of MS_VALUE_..: sums have at least as many bits */
extern uint64_t emulated_seed;   /* for the order of lanes */

#ifdef __cplusplus
}
#endif
#endif
