/* Which GPUs a task of pattern listing runs on. */
#ifndef MS_GPU_MATCH_TASK_H
#define MS_GPU_MATCH_TASK_H

#include "match/engine.h"

enum { MS_GPU_MOST_DEVICES = 16 };

/* GPUs that this build has code for; device may be NULL. */
uint32_t ms_gpu_pattern_usable(int device[MS_GPU_MOST_DEVICES]);
/* Those of the task: the ones it names, or as many as it says; where it says
 * nothing, one, and all for what looks like seconds of work.  MS_ERR_USAGE:
 * there is none, or not all that it names. */
ms_status ms_gpu_pattern_devices(const ms_pattern_task *task, int device[MS_GPU_MOST_DEVICES],
                                 uint32_t *count, ms_error *err);
/* ms_pattern_engine.devices, and .takes of all engines. */
int ms_gpu_pattern_device_count(void);
ms_status ms_gpu_pattern_takes(const ms_program *program, ms_error *err);

#endif
