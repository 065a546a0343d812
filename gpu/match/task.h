/* What all engines on GPUs do with a task: choose devices, and share it among them. */
#ifndef MS_GPU_MATCH_TASK_H
#define MS_GPU_MATCH_TASK_H

#include "gpu/common/share.h"

typedef ms_status (*ms_gpu_work_fn)(ms_gpu_share *share, int device, ms_error *err);

/* Count or list a task; `work` is what one device does. */
ms_status ms_gpu_task_count(const ms_pattern_task *task, ms_gpu_work_fn work, mpz_t sum,
                            ms_error *err);
/* The same; the share's `common` is for all devices. */
ms_status ms_gpu_task_count_together(const ms_pattern_task *task, ms_gpu_work_fn work, void *common,
                                     mpz_t sum, ms_error *err);
ms_status ms_gpu_task_list(const ms_pattern_task *task, ms_gpu_work_fn work, ms_rows_fn make,
                           void *user, ms_stream *stream, ms_error *err);
/* Returns the number of candidates of the task's first level. */
uint64_t ms_gpu_task_roots(const ms_pattern_task *task);
/* The functions ms_pattern_engine.devices and .takes of all engines. */
int ms_gpu_task_devices(void);
ms_status ms_gpu_task_supports(const ms_program *program, ms_error *err);

#endif
