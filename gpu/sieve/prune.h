/* The rows that pruning leaves on a GPU (ms_gpu_prune). */
#ifndef MS_GPU_SIEVE_PRUNE_H
#define MS_GPU_SIEVE_PRUNE_H

#include "gpu/gpu.h"
#include "gpu/sieve/sieve_device.h"

struct ms_gpu_rows {
  int device;
  void *memory;         /* on the device, the block with offset, head, mask and more */
  uint64_t bytes;       /* of the block */
  uint64_t *offset;     /* [n + 1] at the start of the block */
  uint32_t *head;       /* [arcs] */
  const uint32_t *mask; /* [n] if all vertices are left; else NULL */
  uint32_t hubs;        /* number of rows of more than MS_HUB arcs */
  uint32_t most;        /* arcs of a row */
};

/* True if the sieve cuts rows into segments, for which the host needs their places. */
static inline bool ms_gpu_rows_need_places(const ms_gpu_rows *rows)
{
  return rows->most > MS_SEGMENT;
}

#endif
