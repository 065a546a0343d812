/* A build without accelerators has no devices.  The stand-ins for gpu/sieve, gpu/match and
 * gpu/motif are the files none.c there. */
#include "gpu/gpu.h"

#include "base/status.h"

int ms_gpu_device_count(void)
{
  return 0;
}

const char *ms_gpu_describe(void)
{
  return "none: built without accelerator support";
}

static ms_status no_device(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
}

ms_status ms_gpu_check_named(const int *named, uint32_t count, ms_error *err)
{
  return count == 0 ? MS_OK
                    : ms_fail(err, MS_ERR_USAGE,
                              "there is no GPU %d: this build has no accelerator support; leave "
                              "out `devices`",
                              named[0]);
}

ms_status ms_gpu_device_at(int device, ms_gpu_device *out, ms_error *err)
{
  (void)device;
  *out = (ms_gpu_device){0};
  return no_device(err);
}

ms_status ms_gpu_device_facts(int device, ms_gpu_device *out, ms_error *err)
{
  return ms_gpu_device_at(device, out, err);
}
