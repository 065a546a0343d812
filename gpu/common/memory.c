#include "gpu/common/memory.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"

#include <stdlib.h>

ms_status ms_gpu_memory_limit(uint64_t *bytes, ms_error *err)
{
  const char *text = getenv("MOTIFSIEVE_GPU_MEMORY");
  *bytes = 0;
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

ms_status ms_gpu_pool_free(int device, uint64_t *bytes, ms_error *err)
{
  static const char what[] = "asking for the GPU's memory pool";
  uint64_t reserved = 0, used = 0;
  cudaMemPool_t pool;
  ms_status status = ms_cuda_status(cudaDeviceGetDefaultMemPool(&pool, device), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(
        cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved), what, err);
  if (status == MS_OK)
    status = ms_cuda_status(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used),
                            what, err);
  *bytes = reserved - used;
  return status;
}
