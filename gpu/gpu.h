/* Accelerators.  A build without CUDA links gpu/none.c, which offers zero
 * devices; nothing outside gpu/ needs to know which it is. */
#ifndef MS_GPU_GPU_H
#define MS_GPU_GPU_H

#include "sieve/backend.h"

/* Devices that this build can use on this machine. */
int ms_gpu_device_count(void);
/* A phrase for `motifsieve info`: why there are none, or what there is. */
const char *ms_gpu_describe(void);

extern const ms_sieve_backend ms_sieve_backend_gpu;

#endif
