/* The GPUs of this machine that can be used. */
#ifndef MS_GPU_COMMON_DEVICE_H
#define MS_GPU_COMMON_DEVICE_H

#include "gpu/gpu.h"

enum { MS_GPU_MOST_DEVICES = 16, MS_GPU_LEAST_CAPABILITY = 8 };

/* Fails with "there is no GPU to use", why, and what to use instead. */
ms_status ms_gpu_fail_none(const char *instead, ms_error *err);
/* Returns the number of GPUs that this build has code for, and their numbers; device may be
 * NULL. */
uint32_t ms_gpu_usable(int device[MS_GPU_MOST_DEVICES]);
#endif
