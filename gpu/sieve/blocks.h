/* The sieve in blocks of vertices, for graphs whose weights and state do not fit a GPU's memory.
 *
 * A step of the sibling recurrence needs the published rows of all vertices, the coefficients of
 * each vertex alone, and its weights.  So only the rows stay on the device.  A step goes through
 * the blocks one by one: the weights of a block are made again, which is cheaper than to bring them
 * from the host, and its coefficients, the state, either stay on the device or are brought from the
 * host's memory and back.  The kernels are those of the whole graph: they get arrays that begin at
 * the block. */
#ifndef MS_GPU_SIEVE_BLOCKS_H
#define MS_GPU_SIEVE_BLOCKS_H

#include "gpu/sieve/sieve_device.h"
#include "motifsieve.h"

struct ms_sieve_context;

typedef struct ms_block_plan {
  uint32_t vertices; /* of a block, but of the last one */
  uint32_t count;    /* blocks */
  bool host_state;
  uint64_t bytes;      /* of device memory, all together */
  uint64_t weights;    /* bytes of a block's weights */
  uint64_t state;      /* bytes of a block's state */
  uint64_t rows[2];    /* bytes of the rows that steps of even and of odd number read */
  uint64_t hub;        /* bytes of the sums of hubs */
  uint64_t host_bytes; /* of the host's memory; 0 unless host_state */
} ms_block_plan;

/* Chooses the blocks and the words of a chunk (plan->word_bits) for `room` bytes of the device.
 * Returns false, with the least number of bytes in out->bytes, if the graph and the rows of one
 * word do not fit. */
bool ms_gpu_blocks_make(const ms_device_problem *p, uint64_t room, ms_global_plan *plan,
                        ms_block_plan *out);

/* Allocates all that the plan has, once the problem is on the device. */
ms_status ms_gpu_blocks_alloc(struct ms_sieve_context *c, ms_error *err);
void ms_gpu_blocks_free(struct ms_sieve_context *c);

/* Clears Q, and makes what the weights of all blocks need of a pass. */
ms_status ms_gpu_blocks_load(struct ms_sieve_context *c, uint32_t repetition, uint32_t variant,
                             ms_error *err);
/* Runs `words` blocks of points from `first` on, for all vertices. */
ms_status ms_gpu_blocks_run(struct ms_sieve_context *c, uint64_t first, uint32_t words,
                            ms_error *err);

#endif
