/* One task on several GPUs: the devices share its units, their results and their failures. */
#ifndef MS_GPU_COMMON_SHARE_H
#define MS_GPU_COMMON_SHARE_H

#include "gpu/common/device.h"
#include "gpu/common/emit.h"
#include "gpu/common/sum.h"

#include <pthread.h>

typedef struct ms_gpu_share {
  const ms_pattern_task *task;
  int device[MS_GPU_MOST_DEVICES];
  uint32_t devices;
  ms_gpu_sink sink; /* of a listing; a count has sink.threads, too: host threads of a device */
  mpz_ptr sum;      /* of a count; ms_gpu_share_add protects it */
  /* Does one device's work, on a thread of its own: takes units until none is left. */
  ms_status (*work)(struct ms_gpu_share *share, int device, ms_error *err);
  void *common;         /* what `work` of all devices has in common; may be NULL */
  uint64_t roots;       /* for progress: all units together are the search of so many roots */
  atomic_bool halt;     /* all devices should stop */
  pthread_mutex_t lock; /* of the members below, and the sum */
  uint64_t left;        /* units [0, left) are not taken yet */
  bool begun;
  uint64_t division;      /* of the first device that divides the work; 0: none has */
  uint64_t all, finished; /* units; finished: of parts that are done */
  uint64_t reported;      /* roots at the last report */
  ms_status status;       /* of the first device that failed */
  ms_error error;
} ms_gpu_share;

/* True if the token stopped the work: what was found until then counts. */
static inline bool ms_gpu_is_stop(ms_status status)
{
  return status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
}

/* Runs `work` on all devices.  Set before: task, device, devices, work, and sum or make, user
 * and stream of the sink. */
ms_status ms_gpu_share_run(ms_gpu_share *share, ms_error *err);
/* Takes the next units of `all`, the last ones that are left; what this device took before is
 * done.  False if none is left. */
bool ms_gpu_share_take(ms_gpu_share *share, uint64_t all, uint64_t *first, uint64_t *end);
/* True if this device divides the work into units and parts as the first one that asked does, where
 * `division`, not 0, stands for all on which the division depends.  Otherwise it takes no units,
 * and the other devices take all. */
bool ms_gpu_share_divides(ms_gpu_share *share, uint64_t division);
/* Reports the progress of a count: this fraction of what this device took last is done.  The first
 * device's thread, which called the engine, reports for all; calls of others do nothing. */
void ms_gpu_share_report(ms_gpu_share *share, double fraction);
/* Add a sum that was read from a device, or a number, to share->sum. */
void ms_gpu_share_add(ms_gpu_share *share, const ms_gpu_sum *sum);
void ms_gpu_share_add_number(ms_gpu_share *share, mpz_srcptr number);
/* Adds what a device did to the task's work. */
void ms_gpu_share_add_work(ms_gpu_share *share, const ms_work *work);

#endif
