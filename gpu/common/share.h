/* What engines for pattern graphs on several GPUs have in common: devices that
 * share the units of a task, waiting for a kernel, rows on their way to the
 * stream. */
#ifndef MS_GPU_COMMON_SHARE_H
#define MS_GPU_COMMON_SHARE_H

#include "gpu/common/staging.h"
#include "gpu/match/program_device.h"
#include "gpu/match/task.h"
#include "match/engine.h"

#include <stdatomic.h>

typedef struct ms_gpu_share {
  const ms_pattern_task *task;
  int threads; /* a device's */
  uint32_t devices;
  int device[MS_GPU_MOST_DEVICES];
  ms_row_fn make; /* NULL: count */
  void *user;
  ms_stream *stream;
  mpz_ptr sum; /* under ms_gpu_share_add */
  /* What a device does: takes units until there are none.  On a thread of its own. */
  ms_status (*work)(struct ms_gpu_share *share, int device, ms_error *err);
  atomic_bool halt; /* no device is to go on */
  uint64_t left;    /* critical, as all below: units nobody has taken: the first ones */
  bool begun;
  ms_status status; /* of the first device that failed */
  ms_error error;
} ms_gpu_share;

/* `work` on one device or several; task, make, user, stream, sum and work are set. */
ms_status ms_gpu_share_run(ms_gpu_share *share, ms_error *err);
/* Candidates of the task's first level; without one nothing is run. */
uint64_t ms_gpu_share_roots(const ms_pattern_task *task);
/* The next units of `all`: the last ones of those that are left.  False: there are none. */
bool ms_gpu_share_take(ms_gpu_share *share, uint64_t all, uint64_t *first, uint64_t *end);
/* Add a sum, read from a device, to share->sum; a number. */
void ms_gpu_share_add(ms_gpu_share *share, const ms_device_sum *sum);
void ms_gpu_share_add_number(ms_gpu_share *share, mpz_srcptr number);

/* ---- waiting ------------------------------------------------------------------------ */

typedef struct ms_gpu_wait {
  cudaStream_t stream; /* where the kernel runs */
  cudaStream_t aside;  /* for what goes on meanwhile; NULL: not made yet */
  unsigned int *stop;  /* on the device: not 0 asks the kernel to end */
} ms_gpu_wait;

ms_status ms_gpu_wait_aside(ms_gpu_wait *wait, cudaStream_t *stream, ms_error *err);
/* Until the stream's work has ended, soon if it is not `wanted`.  The token's
 * status in *stopped if that stopped it. */
ms_status ms_gpu_wait_end(ms_gpu_wait *wait, bool wanted, const ms_stop *stop, ms_status *stopped,
                          ms_error *err);
/* False: the device failed. */
bool ms_gpu_wait_close(ms_gpu_wait *wait);

/* ---- rows ------------------------------------------------------------------------------ */

/* count matches of `length` ids by level to the stream, by several threads:
 * columns == 0: rows[count][length]; else rows[length][columns]. */
ms_status ms_gpu_share_emit(ms_gpu_share *share, const uint32_t *rows, uint64_t count,
                            uint32_t length, uint64_t columns, ms_error *err);
/* rows[count][length], on the device, ids by level, to the stream: one piece is
 * copied while the one before it is made into rows.  Uses buffers 1 and 2 of the
 * staging, and the stream `by`. */
ms_status ms_gpu_share_drain(ms_gpu_share *share, ms_staging *staging, cudaStream_t by,
                             const uint32_t *rows, uint64_t count, uint32_t length, ms_error *err);

#endif
