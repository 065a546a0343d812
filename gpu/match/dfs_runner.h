/* The engine `dfs` on one GPU: memory, launches, waiting. */
#ifndef MS_GPU_MATCH_DFS_RUNNER_H
#define MS_GPU_MATCH_DFS_RUNNER_H

#include "base/stop.h"
#include "gpu/common/share.h"
#include "gpu/match/context.h"
#include "gpu/match/dfs_device.h"

typedef enum ms_runner_use {
  MS_RUNNER_COUNT,
  MS_RUNNER_LIST,
  MS_RUNNER_WALK /* another engine's kernels walk as MS_DFS_COUNT does, in half of the memory at
                    most */
} ms_runner_use;

typedef struct ms_gpu_runner {
  ms_gpu_pattern context;
  ms_dfs_launch launch;
  ms_dfs_kernel kernel;
  ms_dfs_launch second; /* of programs with a table and local ones: for what the first has listed */
  uint8_t *scratch;     /* device memory of all that the launch points to */
  uint64_t scratch_bytes;
  uint32_t *output[2];   /* of a listing: [room][prefix] each, on the device */
  uint64_t room;         /* rows of an output */
  ms_device_queue *seen; /* pinned: the queue after a launch */
  ms_gpu_wait wait;
} ms_gpu_runner;

/* Does not move afterwards; on failure it is to be closed, too.  MS_ERR_MEMORY:
 * not even one warp's sets fit. */
ms_status ms_gpu_runner_open(ms_gpu_runner *runner, const ms_program *program, int device,
                             int threads, ms_runner_use use, ms_error *err);
void ms_gpu_runner_close(ms_gpu_runner *runner);

/* Start units [first, end), or go on with them (`again`) after the output was
 * full.  A listing writes at most `rows` rows, at most runner->room, to
 * output[which]. */
ms_status ms_gpu_runner_start(ms_gpu_runner *runner, uint64_t first, uint64_t end, bool again,
                              uint32_t which, uint64_t rows, ms_error *err);
/* Wait until the kernel has ended, soon if it is not `wanted`.  The token's
 * status if that stopped it.  runner->seen is what the queue was in the end. */
ms_status ms_gpu_runner_wait(ms_gpu_runner *runner, bool wanted, const ms_stop *stop,
                             ms_error *err);
/* Something of the launch is not done: start it again. */
bool ms_gpu_runner_unfinished(const ms_gpu_runner *runner);

#endif
