/* A CUDA runtime whose devices are the host: calls are done at once, in order. */
#ifndef MS_TESTS_GPU_EMULATED_FAKE_CUDA_H
#define MS_TESTS_GPU_EMULATED_FAKE_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern bool fake_cuda;                /* false: real GPUs, all below is without effect */
extern int fake_devices;              /* how many there are */
extern int fake_multiprocessors;      /* of each */
extern uint64_t fake_memory;          /* of each, bytes */
extern uint64_t fake_shared;          /* of a multiprocessor */
extern uint64_t fake_shared_reported; /* the most that was said of one: it is asked for once */
extern uint64_t fake_taken;           /* bytes that are allocated now, of all */
extern uint64_t fake_most;            /* the most that was */
extern uint64_t fake_slow;            /* streams are busy for so many questions */
extern uint64_t fake_launches;        /* of kernels whose warps work together */

/* Called now and then while an emulated kernel runs; true: it is told to stop, if
 * its engine has a way to.  NULL: nothing. */
extern bool (*fake_while_running)(void);

/* ---- kernels, which a function ms_ENGINE_function names by address */
typedef struct fake_grid {
  uint32_t blocks, threads, shared_bytes;
} fake_grid;

typedef struct fake_kernel {
  void (*run)(void **arguments, const fake_grid *grid);
  uint32_t most_threads; /* of a block */
} fake_kernel;

extern uint32_t emulated_width;  /* lanes of a warp, but for trie, which has 32 */
extern uint32_t emulated_blocks; /* that a multiprocessor holds */
extern uint32_t emulated_value;  /* MS_VALUE_..: sums in at least so many bits */
extern uint64_t emulated_seed;   /* of the order of lanes */

#ifdef __cplusplus
}
#endif
#endif
