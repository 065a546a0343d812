/* The GPUs of this machine. */
#include "gpu/common/device.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

int ms_gpu_device_count(void)
{
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess)
    return count;
  (void)cudaGetLastError();
  return 0;
}

const char *ms_gpu_describe(void)
{
  static _Thread_local char text[160];
  int count = 0, driver = 0, runtime = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  (void)cudaGetLastError();
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  if (error != cudaSuccess && driver == 0)
    snprintf(text, sizeof text, "none: this machine has no NVIDIA driver");
  else if (error != cudaSuccess)
    snprintf(text, sizeof text, "none: %s", cudaGetErrorString(error));
  else
    snprintf(text, sizeof text, "CUDA runtime %d.%d, driver for %d.%d", runtime / 1000,
             runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
  return text;
}

/* ---- facts ------------------------------------------------------------------ */

enum { MOST_KNOWN = 64 };

static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER; /* of `known` */
static ms_gpu_device known[MOST_KNOWN];                        /* major 0: not asked yet */

static ms_status ask_driver(int device, ms_gpu_device *out, ms_error *err)
{
  struct cudaDeviceProp facts;
  int clock = 0;
  MS_TRY_CUDA(cudaGetDeviceProperties(&facts, device), "asking for the GPU's properties");
  MS_TRY_CUDA(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device),
              "asking for the GPU's clock");
  snprintf(out->name, sizeof out->name, "%.63s", facts.name);
  out->major = facts.major;
  out->minor = facts.minor;
  out->multiprocessors = facts.multiProcessorCount;
  out->memory = facts.totalGlobalMem;
  out->l2 = (uint64_t)facts.l2CacheSize;
  out->shared = facts.sharedMemPerBlockOptin;
  out->clock = 1000.0 * clock;
  return MS_OK;
}

ms_status ms_gpu_device_facts(int device, ms_gpu_device *out, ms_error *err)
{
  *out = (ms_gpu_device){0};
  bool keeps = device >= 0 && device < MOST_KNOWN;
  if (keeps) {
    pthread_mutex_lock(&known_lock);
    *out = known[device];
    pthread_mutex_unlock(&known_lock);
  }
  if (out->major > 0)
    return MS_OK;
  ms_status status = ask_driver(device, out, err);
  if (status == MS_OK && keeps) {
    pthread_mutex_lock(&known_lock);
    known[device] = *out;
    pthread_mutex_unlock(&known_lock);
  }
  return status;
}

ms_status ms_gpu_memory_free(int device, uint64_t *bytes, ms_error *err)
{
  size_t memory_free = 0, memory = 0;
  *bytes = 0;
  MS_TRY_CUDA(cudaSetDevice(device), "starting the GPU");
  MS_TRY_CUDA(cudaMemGetInfo(&memory_free, &memory), "asking for the GPU's memory");
  *bytes = memory_free;
  return MS_OK;
}

/* ---- which of them ------------------------------------------------------------ */

static bool is_usable(int device)
{
  ms_gpu_device facts;
  return ms_gpu_device_facts(device, &facts, NULL) == MS_OK &&
         facts.major >= MS_GPU_LEAST_CAPABILITY;
}

ms_status ms_gpu_fail_none(const char *instead, ms_error *err)
{
  return ms_fail(err, MS_ERR_USAGE, "there is no GPU to use (%s); use %s", ms_gpu_describe(),
                 instead);
}

ms_status ms_gpu_device_at(int device, ms_gpu_device *out, ms_error *err)
{
  int count = ms_gpu_device_count();
  if (count == 0)
    return ms_gpu_fail_none("the CPU", err);
  if (device < 0 || device >= count)
    return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; they are numbered from 0 to %d", device,
                   count - 1);
  MS_TRY(ms_gpu_device_facts(device, out, err));
  return ms_gpu_memory_free(device, &out->memory_free, err);
}

uint32_t ms_gpu_usable(int device[MS_GPU_MOST_DEVICES])
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

ms_status ms_gpu_check_named(const int *named, uint32_t count, ms_error *err)
{
  int present = count > 0 ? ms_gpu_device_count() : 0;
  if (count > MS_GPU_MOST_DEVICES)
    return ms_fail(err, MS_ERR_USAGE, "%u GPUs are named; name %d at most", count,
                   MS_GPU_MOST_DEVICES);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t j = 0; j < i; j++)
      if (named[i] == named[j])
        return ms_fail(err, MS_ERR_USAGE, "GPU %d is named twice; leave one out", named[i]);
    if (present == 0)
      return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d (%s); leave out `devices`", named[i],
                     ms_gpu_describe());
    if (present == 1 && named[i] != 0)
      return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; the only one is 0", named[i]);
    if (named[i] < 0 || named[i] >= present)
      return ms_fail(err, MS_ERR_USAGE, "there is no GPU %d; there are 0 to %d", named[i],
                     present - 1);
    if (!is_usable(named[i]))
      return ms_fail(err, MS_ERR_USAGE,
                     "GPU %d is older than what this build has code for; leave it out", named[i]);
  }
  return MS_OK;
}
