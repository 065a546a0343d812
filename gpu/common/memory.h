/* How much of a GPU's memory may be taken. */
#ifndef MS_GPU_COMMON_MEMORY_H
#define MS_GPU_COMMON_MEMORY_H

#include "motifsieve.h"

/* MOTIFSIEVE_GPU_MEMORY, such as 500M or 4G: what to keep within, for tests and
 * for GPUs that are shared; 0 for none. */
ms_status ms_gpu_memory_limit(uint64_t *bytes, ms_error *err);
/* Bytes that the pool holds and nobody uses: free to us, not to the driver. */
ms_status ms_gpu_pool_free(int device, uint64_t *bytes, ms_error *err);

#endif
