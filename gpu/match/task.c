#include "gpu/match/task.h"

#include "base/status.h"
#include "gpu/gpu.h"
#include "gpu/match/program.h"

#include <string.h>

#define LEAST_CAPABILITY 8
/* Squared degrees from which on another GPU's start, a third of a second, may
 * pay: a path of length two takes some 10^-10 s and more with each level. */
#define MANY_PATHS 2e9

static bool is_usable(int device)
{
  ms_gpu_device facts;
  return ms_gpu_device_facts(device, &facts, NULL) == MS_OK && facts.major >= LEAST_CAPABILITY;
}

uint32_t ms_gpu_pattern_usable(int device[MS_GPU_MOST_DEVICES])
{
  uint32_t count = 0;
  int present = ms_gpu_device_count();
  for (int d = 0; d < present && count < MS_GPU_MOST_DEVICES; d++)
    if (is_usable(d)) {
      if (device)
        device[count] = d;
      count++;
    }
  return count;
}

static ms_status no_gpu(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "there is no GPU to use (%s); use the CPU engine",
                 ms_gpu_describe());
}

/* The GPUs by number, all of which have to be there. */
static ms_status take_named(const ms_pattern_task *task, int device[MS_GPU_MOST_DEVICES],
                            uint32_t *count, ms_error *err)
{
  int present = ms_gpu_device_count();
  if (task->devices > MS_GPU_MOST_DEVICES)
    return ms_fail(err, MS_ERR_USAGE, "%u GPUs are named; name %d at most", task->devices,
                   MS_GPU_MOST_DEVICES);
  for (uint32_t i = 0; i < task->devices; i++) {
    for (uint32_t j = 0; j < i; j++)
      if (task->device[i] == task->device[j])
        return ms_fail(err, MS_ERR_USAGE, "GPU %d is named twice; leave one out", task->device[i]);
    if (present == 1 && task->device[i] != 0)
      return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; the only one is 0", task->device[i]);
    if (task->device[i] < 0 || task->device[i] >= present)
      return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; there are 0 to %d", task->device[i],
                     present - 1);
    if (!is_usable(task->device[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "GPU %d is older than what this build has code for; leave it out",
                     task->device[i]);
    device[i] = task->device[i];
  }
  *count = task->devices;
  return MS_OK;
}

ms_status ms_gpu_pattern_devices(const ms_pattern_task *task, int device[MS_GPU_MOST_DEVICES],
                                 uint32_t *count, ms_error *err)
{
  const ms_program *p = task->program;
  uint32_t usable = ms_gpu_pattern_usable(device), most = task->devices;
  *count = 0;
  if (usable == 0)
    return no_gpu(err);
  if (task->device && task->devices > 0)
    return take_named(task, device, count, err);
  if (most == 0)
    most = p->index->square_degrees * p->prefix < MANY_PATHS ? 1 : usable;
  *count = usable < most ? usable : most;
  return MS_OK;
}

int ms_gpu_pattern_device_count(void)
{
  return (int)ms_gpu_pattern_usable(NULL);
}

ms_status ms_gpu_pattern_takes(const ms_program *program, ms_error *err)
{
  if (ms_gpu_pattern_usable(NULL) == 0)
    return no_gpu(err);
  return program ? ms_pattern_pack_check(program, err) : MS_OK;
}
