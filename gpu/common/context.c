#include "gpu/common/context.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/device.h"
#include "gpu/gpu.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool is_started;

/* ---- open and close --------------------------------------------------------------- */

/* Reads the variable that takes the place of the bound, if it is set. */
static ms_status read_variable(uint64_t *bytes, ms_error *err)
{
  const char *text = getenv("MOTIFSIEVE_GPU_MEMORY");
  if (!text || !*text)
    return MS_OK;
  char *end;
  uint64_t number = strtoull(text, &end, 10);
  int shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
  end += shift > 0;
  if (text[0] < '0' || text[0] > '9' || *end || number == 0 || number > UINT64_MAX >> shift)
    return ms_fail(err, MS_ERR_USAGE,
                   "MOTIFSIEVE_GPU_MEMORY is '%s'; give a size such as 500M or 4G", text);
  *bytes = number << shift;
  return MS_OK;
}

ms_status ms_gpu_context_open(ms_gpu_context *gpu, int device, int threads, uint64_t bound,
                              ms_error *err)
{
  *gpu = (ms_gpu_context){.device = device, .threads = threads, .bound = bound};
  MS_TRY(read_variable(&gpu->bound, err));
  MS_TRY(ms_staging_acquire(device, &gpu->staging, err));
  atomic_store(&is_started, true);
  return MS_OK;
}

bool ms_gpu_is_started(void)
{
  return atomic_load(&is_started);
}

void ms_gpu_start_first(void)
{
  int device[MS_GPU_MOST_DEVICES];
  ms_gpu_context gpu;
  ms_error ignored;
  if (ms_gpu_usable(device) > 0 && ms_gpu_context_open(&gpu, device[0], 1, 0, &ignored) == MS_OK)
    ms_gpu_context_close(&gpu);
}

bool ms_gpu_context_wait(ms_gpu_context *gpu)
{
  if (!gpu->staging.stream)
    return false;
  gpu->failed |= cudaSetDevice(gpu->device) != cudaSuccess;
  gpu->failed |= cudaStreamSynchronize(gpu->staging.stream) != cudaSuccess;
  return true;
}

void ms_gpu_context_close(ms_gpu_context *gpu)
{
  if (!ms_gpu_context_wait(gpu))
    return;
  (void)cudaGetLastError();
  ms_staging_release(&gpu->staging, !gpu->failed);
}

ms_status ms_gpu_context_note_status(ms_gpu_context *gpu, ms_status status)
{
  gpu->failed |= status == MS_ERR_DEVICE_LOST || status == MS_ERR_INTERNAL;
  return status;
}

/* ---- memory ------------------------------------------------------------------------ */

ms_status ms_gpu_alloc(ms_gpu_context *gpu, uint64_t bytes, void *out, const char *what,
                       ms_error *err)
{
  void *memory = NULL;
  cudaMemPool_t pool;
  cudaError_t error = cudaMallocAsync(&memory, bytes ? bytes : 1, gpu->staging.stream);
  if (error == cudaErrorMemoryAllocation) { /* the memory that the pool keeps may be fragmented */
    (void)cudaGetLastError();
    if (cudaDeviceGetDefaultMemPool(&pool, gpu->device) == cudaSuccess)
      (void)cudaMemPoolTrimTo(pool, 0);
    error = cudaMallocAsync(&memory, bytes ? bytes : 1, gpu->staging.stream);
  }
  memcpy(out, &memory, sizeof memory);
  return ms_cuda_status(error, what, err);
}

void ms_gpu_free(ms_gpu_context *gpu, void *memory)
{
  if (memory && cudaFreeAsync(memory, gpu->staging.stream) != cudaSuccess)
    gpu->failed = true;
}

/* Finds the bytes that the pool holds and nobody uses: free for us, though not for the driver. */
static ms_status pool_free(int device, uint64_t *bytes, ms_error *err)
{
  static const char what[] = "asking for the GPU's memory pool";
  uint64_t reserved = 0, used = 0;
  cudaMemPool_t pool;
  MS_TRY_CUDA(cudaDeviceGetDefaultMemPool(&pool, device), what);
  MS_TRY_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved), what);
  MS_TRY_CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), what);
  *bytes = reserved - used;
  return MS_OK;
}

/* The driver takes long to answer, so it is asked only where the pool has too little. */
ms_status ms_gpu_room(const ms_gpu_context *gpu, uint64_t wanted, uint64_t *bytes, ms_error *err)
{
  uint64_t pool = 0, others = 0;
  *bytes = 0;
  MS_TRY(pool_free(gpu->device, &pool, err));
  if (pool < wanted) {
    MS_TRY(ms_gpu_memory_free(gpu->device, &others, err));
    others -= others / 16;
  }
  *bytes = pool + others;
  uint64_t most = gpu->bound > gpu->taken ? gpu->bound - gpu->taken : 0;
  if (gpu->bound > 0 && *bytes > most)
    *bytes = most;
  return MS_OK;
}
