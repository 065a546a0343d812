/* Launches of kernels in C; .cu files give the kernels' addresses. */
#ifndef MS_GPU_COMMON_LAUNCH_H
#define MS_GPU_COMMON_LAUNCH_H

#include "base/status.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

/* Threads of a warp, and bytes of shared memory that a block has by default. */
enum { MS_GPU_WARP = 32, MS_GPU_PLAIN_SHARED = 48 << 10 };

typedef struct ms_gpu_grid {
  uint32_t blocks, threads; /* threads: of a block */
  uint32_t shared_bytes;    /* of a block, beside what the kernel declares */
} ms_gpu_grid;

/* Finds how many blocks of this size a multiprocessor holds at a time.  If the blocks have shared
 * memory, it also allows the kernel, which declares none itself, as much as the current device
 * gives a block; a later launch may thus take more than shared_bytes. */
ms_status ms_gpu_occupancy(const void *kernel, uint32_t threads, uint32_t shared_bytes,
                           uint32_t *blocks, ms_error *err);
/* Launches a kernel; does nothing without blocks.  arguments: as for cudaLaunchKernel, read
 * before this returns. */
ms_status ms_gpu_launch(const void *kernel, ms_gpu_grid grid, void **arguments, cudaStream_t stream,
                        const char *what, ms_error *err);

#endif
