#include "gpu/common/digest.h"

#include "base/status.h"
#include "gpu/common/cuda_error.h"
#include "gpu/common/digest_device.h"
#include "gpu/common/launch.h"

/* Words of one block, at least, and blocks, at most. */
enum { LEAST_WORDS = 8192, MOST_BLOCKS = 1024 };

static const char checking[] = "checking a copy";

static ms_status copy(ms_gpu_context *gpu, void *to, const void *from, uint64_t bytes,
                      enum cudaMemcpyKind kind, ms_error *err)
{
  MS_TRY_CUDA(cudaMemcpyAsync(to, from, bytes, kind, gpu->staging.stream), checking);
  return ms_cuda_status(cudaStreamSynchronize(gpu->staging.stream), checking, err);
}

static ms_status make_digest(ms_gpu_context *gpu, const uint32_t *words, uint64_t count,
                             uint32_t mask, unsigned long long *sum, uint64_t *digest,
                             ms_error *err)
{
  uint64_t blocks = (count + LEAST_WORDS - 1) / LEAST_WORDS;
  ms_digest_launch launch = {.word = words,
                             .words = count,
                             .mask = mask,
                             .blocks = (uint32_t)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS),
                             .sum = sum};
  ms_gpu_grid grid = {.blocks = launch.blocks, .threads = MS_DIGEST_WARPS * MS_GPU_WARP};
  unsigned long long got;
  MS_TRY_CUDA(cudaMemsetAsync(sum, 0, sizeof *sum, gpu->staging.stream), checking);
  MS_TRY(ms_gpu_launch(ms_digest_function(), grid, (void *[]){&launch}, gpu->staging.stream,
                       checking, err));
  MS_TRY(copy(gpu, &got, sum, sizeof got, cudaMemcpyDeviceToHost, err));
  *digest = got;
  return MS_OK;
}

ms_status ms_gpu_digest(ms_gpu_context *gpu, const uint32_t *words, uint64_t count, uint32_t mask,
                        uint64_t *digest, ms_error *err)
{
  unsigned long long *sum;
  MS_TRY(ms_gpu_alloc(gpu, sizeof *sum, &sum, checking, err));
  ms_status status = make_digest(gpu, words, count, mask, sum, digest, err);
  ms_gpu_free(gpu, sum);
  return status;
}

ms_status ms_gpu_inject(ms_gpu_context *gpu, const ms_integrity *in, void *device, uint64_t bytes,
                        bool *flipped, ms_error *err)
{
  uint64_t bit = in->fault && bytes > 0 ? in->fault(MS_FAULT_DEVICE, bytes) : UINT64_MAX;
  uint8_t *at = device, byte;
  *flipped = bit < 8 * bytes;
  if (!*flipped)
    return MS_OK;
  MS_TRY(copy(gpu, &byte, at + bit / 8, 1, cudaMemcpyDeviceToHost, err));
  byte ^= (uint8_t)(1u << bit % 8);
  return copy(gpu, at + bit / 8, &byte, 1, cudaMemcpyHostToDevice, err);
}

ms_status ms_gpu_fail_damaged(const ms_gpu_context *gpu, ms_error *err)
{
  return ms_fail(err, MS_ERR_DEVICE_LOST,
                 "what GPU %d sends is damaged again and again, and is not used; test the GPU and "
                 "its bus",
                 gpu->device);
}

ms_status ms_gpu_check_copy(ms_gpu_context *gpu, ms_integrity *in, void *device, void *host,
                            uint64_t bytes, ms_error *err)
{
  uint64_t digest;
  bool flipped;
  if (!in || bytes == 0)
    return MS_OK;
  MS_TRY(ms_gpu_inject(gpu, in, device, bytes, &flipped, err));
  if (flipped)
    MS_TRY(copy(gpu, host, device, bytes, cudaMemcpyDeviceToHost, err));
  ms_inject(in, MS_FAULT_TRANSFER, host, bytes);
  if (!in->checks)
    return MS_OK;
  MS_TRY(ms_gpu_digest(gpu, device, bytes / sizeof(uint32_t), UINT32_MAX, &digest, err));
  atomic_fetch_add(&in->transfers, 1);
  for (int tries = 0; ms_digest_words(host, bytes / sizeof(uint32_t)) != digest; tries++) {
    atomic_fetch_add(&in->damaged, 1);
    if (tries == MS_MOST_TRANSFERS)
      return ms_gpu_fail_damaged(gpu, err);
    MS_TRY(copy(gpu, host, device, bytes, cudaMemcpyDeviceToHost, err));
    ms_inject(in, MS_FAULT_TRANSFER, host, bytes);
  }
  return MS_OK;
}
