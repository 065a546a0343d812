/* The GPUs of this machine. */
#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/gpu.h"

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

static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER; /* of the one that follows */
static ms_gpu_device known[MOST_KNOWN];                        /* major 0: not asked yet */

static ms_status ask(int device, ms_gpu_device *out, ms_error *err)
{
  struct cudaDeviceProp facts;
  int clock = 0;
  ms_status status = ms_cuda_status(cudaGetDeviceProperties(&facts, device),
                                    "asking for the GPU's properties", err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, device),
                            "asking for the GPU's clock", err);
  if (status != MS_OK)
    return status;
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
  ms_status status = ask(device, out, err);
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
  ms_status status = ms_cuda_status(cudaSetDevice(device), "starting the GPU", err);
  if (status == MS_OK)
    status =
        ms_cuda_status(cudaMemGetInfo(&memory_free, &memory), "asking for the GPU's memory", err);
  *bytes = memory_free;
  return status;
}

ms_status ms_gpu_device_at(int device, ms_gpu_device *out, ms_error *err)
{
  ms_status status = ms_gpu_device_facts(device, out, err);
  if (status == MS_OK)
    status = ms_gpu_memory_free(device, &out->memory_free, err);
  return status;
}
