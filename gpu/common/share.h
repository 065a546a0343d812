/* One task on several GPUs: the devices share its units, and what one of them
 * finds, or fails with, is everybody's. */
#ifndef MS_GPU_COMMON_SHARE_H
#define MS_GPU_COMMON_SHARE_H

#include "gpu/common/device.h"
#include "gpu/common/emit.h"
#include "gpu/common/sum.h"

typedef struct ms_gpu_share {
  const ms_pattern_task *task;
  int device[MS_GPU_MOST_DEVICES];
  uint32_t devices;
  ms_gpu_sink sink; /* of a listing; sink.threads: host threads of a device, always */
  mpz_ptr sum;      /* of a count, under ms_gpu_share_add */
  /* What a device does: takes units until there are none.  On a thread of its own. */
  ms_status (*work)(struct ms_gpu_share *share, int device, ms_error *err);
  atomic_bool halt; /* no device is to go on */
  /* under one lock, as the sum: */
  uint64_t left; /* units that nobody has taken: the first ones */
  bool begun;
  ms_status status; /* of the first device that failed */
  ms_error error;
} ms_gpu_share;

/* The token stopped it: what was found until then counts. */
static inline bool ms_gpu_is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

/* `work` on all devices; task, device, devices, work, and sum or make, user and
 * stream of the sink are set. */
ms_status ms_gpu_share_run(ms_gpu_share *share, ms_error *err);
/* The next units of `all`: the last ones of those that are left.  False: there are none. */
bool ms_gpu_share_take(ms_gpu_share *share, uint64_t all, uint64_t *first, uint64_t *end);
/* Add a sum, read from a device, to share->sum; a number. */
void ms_gpu_share_add(ms_gpu_share *share, const ms_gpu_sum *sum);
void ms_gpu_share_add_number(ms_gpu_share *share, mpz_srcptr number);

#endif
