/* One GPU as one thread uses it: a stream, pinned buffers, and memory. */
#ifndef MS_GPU_COMMON_CONTEXT_H
#define MS_GPU_COMMON_CONTEXT_H

#include "gpu/common/staging.h"

/* What to do where memory is too small, for messages. */
#define MS_GPU_MORE_MEMORY                                                                         \
  "free memory on the GPU, raise `memory` or MOTIFSIEVE_GPU_MEMORY if one of them is set"

typedef struct ms_gpu_context {
  int device, threads; /* threads: of the host, for copies */
  ms_staging staging;  /* its stream is the one that the context uses */
  uint64_t bound;      /* bytes that the context may use; 0: no bound */
  uint64_t taken;      /* bytes that already count against the bound */
  bool failed;         /* the device is not to be trusted any more */
} ms_gpu_context;

/* Opens a context that may use `bound` bytes of the device's memory (0: all that is free).  The
 * environment variable MOTIFSIEVE_GPU_MEMORY, for example 500M or 4G, takes the place of the
 * bound.  MS_ERR_USAGE: the variable is no size.  The caller closes it even on failure. */
ms_status ms_gpu_context_open(ms_gpu_context *gpu, int device, int threads, uint64_t bound,
                              ms_error *err);
/* True once a context of this process was open. */
bool ms_gpu_is_started(void);
/* Waits for the work on the stream, and notes whether the device still works.  False if there is
 * no stream because the context was never open. */
bool ms_gpu_context_wait(ms_gpu_context *gpu);
/* Closes a context, once all of its memory has been freed. */
void ms_gpu_context_close(ms_gpu_context *gpu);
/* Notes what a status says about the device, and returns it. */
ms_status ms_gpu_context_note_status(ms_gpu_context *gpu, ms_status status);

/* Device memory comes from the device's pool, which keeps what is freed, so that the next
 * context gets it at once.  It is freed before the context is closed; freeing NULL does nothing. */
ms_status ms_gpu_alloc(ms_gpu_context *gpu, uint64_t bytes, void *out, const char *what,
                       ms_error *err);
void ms_gpu_free(ms_gpu_context *gpu, void *memory);
/* Finds the number of bytes that can still be allocated within the bound; if they exceed `wanted`,
 * the number may be smaller, but not below `wanted`. */
ms_status ms_gpu_room(const ms_gpu_context *gpu, uint64_t wanted, uint64_t *bytes, ms_error *err);

/* ---- places in one block of memory ------------------------------------------------ */

/* With base NULL a layout only adds up bytes, and all places are NULL: the same code measures a
 * block and divides it. */
typedef struct ms_gpu_layout {
  uint8_t *base;
  uint64_t bytes;
} ms_gpu_layout;

/* Returns the place of the next `count` elements. */
static inline void *ms_gpu_place(ms_gpu_layout *layout, uint64_t count, uint64_t size)
{
  void *at = layout->base ? layout->base + layout->bytes : NULL;
  layout->bytes += ms_gpu_aligned(count * size);
  return at;
}

#endif
