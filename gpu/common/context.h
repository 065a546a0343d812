/* One GPU as one thread uses it: its stream, its pinned buffers, and its memory. */
#ifndef MS_GPU_COMMON_CONTEXT_H
#define MS_GPU_COMMON_CONTEXT_H

#include "gpu/common/staging.h"

typedef struct ms_gpu_context {
  int device, threads; /* threads: of the host, for copies */
  ms_staging staging;  /* its stream is the one to use */
  uint64_t taken;      /* bytes that count against MOTIFSIEVE_GPU_MEMORY already */
  bool failed;         /* the device cannot be trusted any more */
} ms_gpu_context;

/* On failure it is to be closed, too. */
ms_status ms_gpu_context_open(ms_gpu_context *gpu, int device, int threads, ms_error *err);
/* Waits for what runs on the stream; notes whether the device still works.
 * False: there is no stream, the context was never open. */
bool ms_gpu_context_settle(ms_gpu_context *gpu);
/* Once all of its memory was freed. */
void ms_gpu_context_close(ms_gpu_context *gpu);
/* Notes what a status says about the device, and returns it. */
ms_status ms_gpu_context_note(ms_gpu_context *gpu, ms_status status);

/* Device memory comes from the device's pool, which keeps what is freed: the next
 * context pays nothing.  Freed before the context is closed; freeing NULL is
 * nothing. */
ms_status ms_gpu_alloc(ms_gpu_context *gpu, uint64_t bytes, void *out, const char *what,
                       ms_error *err);
void ms_gpu_free(ms_gpu_context *gpu, void *memory);
/* Bytes that may still be taken, at least `wanted` if there are so many: within
 * MOTIFSIEVE_GPU_MEMORY, such as 500M or 4G, which is for tests and for GPUs that
 * are shared. */
ms_status ms_gpu_room(const ms_gpu_context *gpu, uint64_t wanted, uint64_t *bytes, ms_error *err);

/* ---- places in one block of memory ------------------------------------------------ */

/* With base NULL it only adds up, and all places are NULL: the same code measures
 * a block and divides it. */
typedef struct ms_gpu_layout {
  uint8_t *base;
  uint64_t bytes;
} ms_gpu_layout;

/* The place of the next `count` elements. */
static inline void *ms_gpu_place(ms_gpu_layout *layout, uint64_t count, uint64_t size)
{
  void *at = layout->base ? layout->base + layout->bytes : NULL;
  layout->bytes += ms_gpu_aligned(count * size);
  return at;
}

#endif
