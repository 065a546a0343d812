/* The library without the sieve's GPU back end and without the measurements of
 * `bench`, whose kernels nobody emulates. */
#include "base/status.h"
#include "gpu/gpu.h"
#include "sieve/backend.h"

static int no_devices(void)
{
  return 0;
}

const ms_sieve_backend ms_sieve_backend_cuda = {.name = "cuda", .devices = no_devices};

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
  return ms_fail(err, MS_ERR_USAGE, "nothing is measured on emulated GPUs");
}

ms_status ms_gpu_measure(int device, uint64_t bytes, double seconds, ms_gpu_ceilings *out,
                         ms_error *err)
{
  (void)bytes;
  *out = (ms_gpu_ceilings){0};
  return ms_gpu_products(device, 0, seconds, &out->logic, err);
}
