/* The stand-in for the engine for colour motifs on GPUs in a build without CUDA. */
#include "base/status.h"
#include "gpu/gpu.h"
#include "gpu/motif/engine.h"

uint32_t ms_gpu_motif_part;
double ms_gpu_motif_seconds;

static ms_status no_device(ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
}

static ms_status open_none(const ms_instance *instance, int threads, void **context, ms_error *err)
{
  (void)instance;
  (void)threads;
  *context = NULL;
  return no_device(err);
}

static uint64_t no_units(const void *context)
{
  (void)context;
  return 0;
}

static ms_status no_count(void *context, uint64_t first, uint64_t last, ms_count_sink *sink,
                          const ms_stop *stop, ms_error *err)
{
  (void)context;
  (void)first;
  (void)last;
  (void)sink;
  (void)stop;
  return no_device(err);
}

static void close_none(void *context)
{
  (void)context;
}

const ms_engine ms_engine_gpu_sets = {.name = "gpu",
                                      .devices = ms_gpu_device_count,
                                      .open = open_none,
                                      .units = no_units,
                                      .count = no_count,
                                      .close = close_none};
