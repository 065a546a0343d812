/* What a failed call of the CUDA runtime means. */
#ifndef MS_GPU_COMMON_CUDA_ERROR_H
#define MS_GPU_COMMON_CUDA_ERROR_H

#include "base/status.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns MS_OK for cudaSuccess.  Otherwise it fills *err (may be NULL) with `what` was
 * tried ("copying the graph to GPU 0"), CUDA's message and a remedy, and returns
 *   MS_ERR_MEMORY       the device is out of memory: less at a time may fit;
 *   MS_ERR_DEVICE_LOST  the device or its context cannot be used any more, or
 *                       never could: another device can do its work;
 *   MS_ERR_INTERNAL     a call that should never fail: a bug.
 * It clears the error that the runtime keeps, so that the next call is judged by
 * itself. */
ms_status ms_cuda_status(cudaError_t code, const char *what, ms_error *err);

/* Leaves the function with the status of a call of the runtime that failed, for
 * functions that have `err` and nothing to clean up at this point. */
#define MS_TRY_CUDA(call, what) MS_TRY(ms_cuda_status((call), (what), err))

#ifdef __cplusplus
}
#endif
#endif
