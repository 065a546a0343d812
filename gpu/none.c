/* The stand-in for accelerators in a build without any. */
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

static ms_status no_open(const ms_sieve_problem *problem, const ms_sieve_config *config, int device,
                         void **context, ms_sieve_plan *plan, ms_error *err)
{
  (void)problem;
  (void)config;
  (void)device;
  (void)plan;
  *context = NULL;
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
}

static ms_status no_run(void *context, uint64_t first, uint64_t last, uint8_t *q, ms_error *err)
{
  (void)context;
  (void)first;
  (void)last;
  (void)q;
  return ms_fail(err, MS_ERR_INTERNAL, "a device that does not exist was asked to work");
}

static void no_close(void *context)
{
  (void)context;
}

const ms_sieve_backend ms_sieve_backend_gpu = {
  .name = "gpu",
  .devices = ms_gpu_device_count,
  .open = no_open,
  .run = no_run,
  .close = no_close,
};
