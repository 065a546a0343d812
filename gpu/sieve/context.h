/* The CUDA sieve back end on one GPU: what its host files share. */
#ifndef MS_GPU_SIEVE_CONTEXT_H
#define MS_GPU_SIEVE_CONTEXT_H

#include "gpu/common/context.h"
#include "gpu/gpu.h"
#include "gpu/sieve/blocks.h"
#include "gpu/sieve/sieve_device.h"
#include "sieve/backend.h"

typedef enum ms_sieve_mode {
  MS_MODE_SHARED,
  MS_MODE_GLOBAL,
  MS_MODE_CLASSIC,
  MS_MODE_BLOCKS
} ms_sieve_mode;

typedef struct ms_sieve_context {
  const ms_sieve_problem *problem;
  ms_sieve_config config;
  ms_gpu_sieve_kernel kernel; /* that the configuration names */
  ms_gpu_context gpu;
  int multiprocessors;
  ms_sieve_mode mode;
  ms_device_problem p;
  ms_shared_plan shared;
  ms_global_plan global;
  ms_block_plan part; /* of MS_MODE_BLOCKS, as all down to the repetition */
  uint32_t *spare_q;
  uint4 *rows[2], *hub_sum;
  uint8_t *host_state;
  uint64_t host_reserved; /* bytes of the budget */
  uint32_t repetition, variant;
  ms_device_pass pass[MS_MOST_PASSES];
  uint32_t passes;
  uint64_t blocks; /* blocks of a pass */
  uint64_t loaded; /* the first pass whose weights are loaded; UINT64_MAX: none */
  uint32_t loaded_count;
  uint64_t slice; /* units between two checks of the stop token */
  uint4 *scratch;
  unsigned long long *counter;
  uint32_t *q;     /* [passes][n] on the device, of all passes */
  void *block[64]; /* all device memory, for its release */
  uint32_t block_count;
  uint8_t *free; /* reserved device memory that is not in use yet */
  uint64_t free_bytes;
} ms_sieve_context;

/* ---- gpu/sieve/problem.c ------------------------------------------------------------ */

/* Fills c->p except for pointers and segments; plans are made from it. */
void ms_gpu_sieve_describe(ms_sieve_context *c);
/* Copies the problem to the device. */
ms_status ms_gpu_sieve_upload(ms_sieve_context *c, ms_error *err);

/* ---- gpu/sieve/plan.c --------------------------------------------------------------- */

/* Finds the kernel with this name, MS_GPU_SIEVE_AUTO for NULL; false if there is none. */
bool ms_gpu_sieve_find_kernel(const char *name, ms_gpu_sieve_kernel *kernel);

/* Chooses the mode, the words of a chunk and the passes held at a time, for the free memory, and
 * reserves it. */
ms_status ms_gpu_sieve_plan(ms_sieve_context *c, const ms_gpu_device *facts, ms_error *err);
uint64_t ms_gpu_sieve_bytes(const ms_sieve_context *c);
/* Allocates room for weights and state, once the problem is on the device. */
ms_status ms_gpu_sieve_alloc_passes(ms_sieve_context *c, ms_error *err);

/* Allocates a block of device memory, from which the next call takes its pieces. */
ms_status ms_gpu_sieve_reserve(ms_sieve_context *c, uint64_t bytes, const char *what,
                               ms_error *err);
/* Allocates device memory, usually from the one block that the plan has reserved. */
ms_status ms_gpu_sieve_alloc(ms_sieve_context *c, uint64_t bytes, void *out, const char *what,
                             ms_error *err);
/* Frees `first` and all memory that was allocated since. */
void ms_gpu_sieve_return(ms_sieve_context *c, void *first);

#endif
