/* The public list of devices. */
#include "base/status.h"
#include "gpu/gpu.h"

#include <stdio.h>

int ms_device_count(void)
{
  return ms_gpu_device_count();
}

const char *ms_device_reason(void)
{
  return ms_gpu_describe();
}

ms_status ms_device_describe(int device, ms_device_info *info, ms_error *err)
{
  MS_REQUIRE(info, err);
  *info = (ms_device_info){0};
  ms_gpu_device facts;
  int count = ms_gpu_device_count();
  if (device < 0 || device >= count)
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; there are %d, numbered from 0 (%s)",
                   device, count, ms_gpu_describe());
  MS_TRY(ms_gpu_device_facts(device, &facts, err));
  *info = (ms_device_info){.major = facts.major,
                           .minor = facts.minor,
                           .multiprocessors = facts.multiprocessors,
                           .memory = facts.memory,
                           .l2 = facts.l2,
                           .clock = facts.clock};
  snprintf(info->name, sizeof info->name, "%s", facts.name);
  return MS_OK;
}
