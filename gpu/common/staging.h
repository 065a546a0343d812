/* Copies to and from a GPU through pinned memory.
 *
 * The driver copies from ordinary memory by one thread, at a fifth of the bus's bandwidth.  Here
 * several threads fill pinned buffers while others are being copied.  Pinned memory and
 * streams take longer to create than a small graph takes to sieve, so both are kept for the next
 * context. */
#ifndef MS_GPU_COMMON_STAGING_H
#define MS_GPU_COMMON_STAGING_H

#include "base/threads/parallel.h"
#include "motifsieve.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

enum { MS_STAGING_BUFFERS = 3 };
#define MS_STAGING_BYTES ((uint64_t)4 << 20)

/* The stream and the buffers of one context, used by one thread at a time. */
typedef struct ms_staging {
  int device;
  cudaStream_t stream;
  uint8_t *buffer[MS_STAGING_BUFFERS]; /* MS_STAGING_BYTES each, readable and writable by kernels;
                                          NULL: not created yet */
  cudaEvent_t copied[MS_STAGING_BUFFERS]; /* the last copy out of the buffer is done */
} ms_staging;

#define MS_GPU_ALIGN ((uint64_t)256)

static inline uint64_t ms_gpu_aligned(uint64_t bytes)
{
  return (bytes + MS_GPU_ALIGN - 1) / MS_GPU_ALIGN * MS_GPU_ALIGN;
}

/* Host memory and the place of its copy. */
typedef struct ms_staging_part {
  const void *from;
  uint64_t bytes, at; /* at: from the start of the block, a multiple of MS_GPU_ALIGN */
} ms_staging_part;

enum { MS_STAGING_PARTS = 520 };

/* Host memory that is copied into one block of device memory. */
typedef struct ms_staging_list {
  ms_staging_part part[MS_STAGING_PARTS]; /* [parts] in ascending order of `at` */
  uint32_t parts;
  uint64_t bytes; /* of the block */
} ms_staging_list;

/* Appends a part, of which there are MS_STAGING_PARTS at most, and returns its place. */
uint64_t ms_staging_add(ms_staging_list *list, const void *from, uint64_t bytes);
/* Returns the address of the copy of `from` in the block at `base`; NULL if the list does not
 * have it, or if from is NULL. */
const void *ms_staging_place(const ms_staging_list *list, const void *base, const void *from);

/* Takes a staging that nobody uses, or creates one; the device becomes the thread's current one.
 * Any thread may call it.  On failure *out is all zeros. */
ms_status ms_staging_acquire(int device, ms_staging *out, ms_error *err);
/* Gives a staging back, once nothing runs on its stream any more.  If it is not `usable`, after
 * an error of the device, it is destroyed.  With all zeros nothing happens. */
void ms_staging_release(ms_staging *staging, bool usable);

/* Creates the first `count` buffers. */
ms_status ms_staging_make_buffers(ms_staging *staging, uint32_t count, ms_error *err);

/* Waits until the work that was recorded in the buffer's event, usually copies into it, is done. */
ms_status ms_staging_wait(ms_staging *staging, uint32_t buffer, const uint32_t **rows,
                          ms_error *err);

/* Copies the list into to[0 .. list->bytes) on the device; bytes between parts become
 * undefined.  Returns when the parts have been read; they arrive later, in the order of the
 * stream.  threads: as for ms_threads; a block of less than 1 MB is copied by the calling one. */
ms_status ms_staging_upload(ms_staging *staging, const ms_staging_list *list, void *to, int threads,
                            ms_error *err);

/* Work of the host that the threads of an upload do while the link is busy. */
typedef struct ms_staging_work {
  ms_range_fn *fn; /* as for ms_parallel, with ranges of `chunk` numbers out of 0..n */
  void *user;
  uint64_t n, chunk;
  uint64_t before; /* what the list has from this place on is read only after all of the work */
} ms_staging_work;

/* Does the same, and the work beside it.  On return all of the work is done, also after an error.
 * work: NULL for none. */
ms_status ms_staging_upload_beside(ms_staging *staging, const ms_staging_list *list, void *to,
                                   int threads, const ms_staging_work *work, ms_error *err);

/* Notes bytes that the calling thread has copied between host and device, beside those that
 * ms_staging_upload copies. */
void ms_staging_note(uint64_t bytes);
/* Returns the bytes that the calling thread has copied since the last such call. */
uint64_t ms_staging_take_noted(void);

#endif
