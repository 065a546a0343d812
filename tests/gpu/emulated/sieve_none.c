/* The stand-in for the sieve on GPUs: most emulated GPUs only enumerate. */
#include "base/status.h"
#include "gpu/gpu.h"

#include <math.h>

static ms_status no_device(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "the emulated GPU has no sieve; use the CPU");
}

ms_status ms_gpu_prune(ms_instance *whole, const ms_gpu_prune_options *options, ms_instance *to,
                       uint32_t *components, ms_gpu_rows **rows, ms_error *err)
{
  (void)whole;
  (void)options;
  (void)to;
  (void)err;
  *components = 0;
  *rows = NULL; /* not taken */
  return MS_OK;
}

void ms_gpu_rows_free(ms_gpu_rows *rows)
{
  (void)rows;
}

static int no_devices(void)
{
  return 0;
}

static double no_estimate(const ms_sieve_problem *problem, const ms_sieve_config *config,
                          int device, uint32_t repetitions)
{
  (void)problem;
  (void)config;
  (void)device;
  (void)repetitions;
  return HUGE_VAL;
}

static ms_status no_open(const ms_sieve_problem *problem, const ms_sieve_config *config, int device,
                         void **context, ms_sieve_plan *plan, ms_error *err)
{
  (void)problem;
  (void)config;
  (void)device;
  (void)plan;
  *context = NULL;
  return no_device(err);
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

const ms_sieve_backend ms_sieve_backend_cuda = {
    .name = "cuda",
    .devices = no_devices,
    .estimate = no_estimate,
    .open = no_open,
    .run = no_run,
    .close = no_close,
};
