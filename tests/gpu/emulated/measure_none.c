/* The stand-in for measurements of GPUs: an emulated one has no rates. */
#include "base/status.h"
#include "gpu/gpu.h"

static ms_status no_device(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "the emulated GPU is not measured; use the CPU");
}

uint32_t ms_gpu_line_count(void)
{
  return 0;
}

const ms_gpu_line *ms_gpu_line_at(uint32_t index)
{
  (void)index;
  return NULL;
}

ms_status ms_gpu_products(int device, uint32_t line, double seconds, double *rate, ms_error *err)
{
  (void)device;
  (void)line;
  (void)seconds;
  *rate = 0;
  return no_device(err);
}

ms_status ms_gpu_measure(int device, uint64_t bytes, double seconds, ms_gpu_ceilings *out,
                         ms_error *err)
{
  (void)device;
  (void)bytes;
  (void)seconds;
  *out = (ms_gpu_ceilings){0};
  return no_device(err);
}
