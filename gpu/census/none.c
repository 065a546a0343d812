/* The stand-in for the census on GPUs in a build without CUDA. */
#include "base/status.h"
#include "gpu/census/engine.h"
#include "gpu/gpu.h"

uint32_t ms_gpu_census_words, ms_gpu_census_widest, ms_gpu_census_shared, ms_gpu_census_merged,
    ms_gpu_census_bits;
uint64_t ms_gpu_census_cache, ms_gpu_census_room;
double ms_gpu_census_seconds;

static bool no(void)
{
  return false;
}

static ms_status open_none(const ms_census_on *on, void **context, ms_error *err)
{
  (void)on;
  *context = NULL;
  return ms_fail(err, MS_ERR_USAGE, "this build has no accelerator support; use the CPU");
}

static void close_none(void *context)
{
  (void)context;
}

/* Without a context, nobody calls the other functions. */
const ms_census_accelerator ms_census_gpus = {.devices = ms_gpu_device_count,
                                              .check = ms_gpu_check_named,
                                              .may_have_devices = no,
                                              .is_started = no,
                                              .open = open_none,
                                              .close = close_none};
