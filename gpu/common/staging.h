/* Copies to and from a GPU through pinned memory.
 *
 * The driver copies from ordinary memory by one thread, at a fifth of what the
 * bus carries.  Here several threads fill one pinned buffer while those before
 * it are on their way.  Pinned memory and streams take longer to make than a
 * small graph takes to sieve, so both are kept for the next context. */
#ifndef MS_GPU_COMMON_STAGING_H
#define MS_GPU_COMMON_STAGING_H

#include "motifsieve.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

enum { MS_STAGING_BUFFERS = 3 };
#define MS_STAGING_BYTES ((uint64_t)4 << 20)

/* One context's, used by one thread at a time. */
typedef struct ms_staging {
  int device;
  cudaStream_t stream;
  uint8_t *buffer[MS_STAGING_BUFFERS]; /* MS_STAGING_BYTES each, readable and writable by kernels;
                                          NULL: not made yet */
  cudaEvent_t copied[MS_STAGING_BUFFERS]; /* the last copy out of the buffer is done */
} ms_staging;

/* Host memory and the place where its copy belongs. */
typedef struct ms_staging_part {
  const void *from;
  uint64_t bytes, at; /* at: from the start of what is filled; ascending, no two overlap */
} ms_staging_part;

/* One that nobody uses, or a new one; the device becomes the thread's current
 * one.  From any thread.  On failure *out is all zeros. */
ms_status ms_staging_take(int device, ms_staging *out, ms_error *err);
/* Once nothing runs on its stream any more.  Not `usable`, after an error of
 * the device: it is not kept.  All zeros: nothing happens. */
void ms_staging_give(ms_staging *staging, bool usable);

/* Make the first `count` buffers. */
ms_status ms_staging_make_buffers(ms_staging *staging, uint32_t count, ms_error *err);

/* Wait until what was recorded in buffer's event, mostly copies into it, is there. */
ms_status ms_staging_wait(ms_staging *staging, uint32_t buffer, const uint32_t **rows,
                          ms_error *err);

/* Fill to[0 .. bytes), on the device, with the parts; bytes between them become
 * anything.  Returns when the parts have been read, which is before they have
 * arrived: the stream's order sees to that. */
ms_status ms_staging_upload(ms_staging *staging, const ms_staging_part *parts, uint32_t count,
                            void *to, uint64_t bytes, int threads, ms_error *err);

#endif
