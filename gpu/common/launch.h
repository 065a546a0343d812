/* Launches of kernels, which .cu files name by address: this is C. */
#ifndef MS_GPU_COMMON_LAUNCH_H
#define MS_GPU_COMMON_LAUNCH_H

#include "base/status.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

/* Threads of a warp, and the shared memory that a block may have without asking for more. */
enum { MS_GPU_WARP = 32, MS_GPU_PLAIN_SHARED = 48 << 10 };

typedef struct ms_gpu_grid {
  uint32_t blocks, threads; /* threads: of a block */
  uint32_t shared_bytes;    /* of a block, beside what the kernel declares */
} ms_gpu_grid;

/* Blocks of so many threads and bytes that a multiprocessor holds at a time; the
 * kernel may have as many bytes from now on. */
ms_status ms_gpu_occupancy(const void *kernel, uint32_t threads, uint32_t shared_bytes,
                           uint32_t *blocks, ms_error *err);
/* arguments: as of cudaLaunchKernel, read before it returns.  Without blocks nothing is run. */
ms_status ms_gpu_launch(const void *kernel, ms_gpu_grid grid, void **arguments, cudaStream_t stream,
                        const char *what, ms_error *err);

#endif
