/* Measures the copies of a listing (list.c) without the listing. */
#include "base/threads/stop.h"
#include "gpu/common/context.h"
#include "gpu/common/cuda_error.h"
#include "gpu/motif/engine.h"

#include <stddef.h>

enum { COPIES = 2000 };

static ms_status copy(ms_gpu_context *gpu, const void *from, double *seconds, ms_error *err)
{
  static const char what[] = "measuring the link";
  ms_staging *s = &gpu->staging;
  MS_TRY(ms_staging_make_buffers(s, MS_STAGING_BUFFERS, err));
  MS_TRY_CUDA(cudaStreamSynchronize(s->stream), what);
  double begin = ms_seconds();
  for (uint32_t i = 0; i < COPIES; i++) {
    const uint32_t *ignored;
    uint32_t buffer = 1 + i % 2;
    if (i >= 2)
      MS_TRY(ms_staging_wait(s, buffer, &ignored, err));
    MS_TRY_CUDA(cudaMemcpyAsync(s->buffer[buffer], from, MS_STAGING_BYTES, cudaMemcpyDeviceToHost,
                                s->stream),
                what);
    MS_TRY_CUDA(cudaEventRecord(s->copied[buffer], s->stream), what);
  }
  MS_TRY_CUDA(cudaStreamSynchronize(s->stream), what);
  *seconds = ms_seconds() - begin;
  return MS_OK;
}

ms_status ms_gpu_motif_link(int device, double *bytes_a_second, ms_error *err)
{
  ms_gpu_context gpu;
  void *memory = NULL;
  double seconds = 1;
  ms_status status = ms_gpu_context_open(&gpu, device, 1, 0, err);
  if (status == MS_OK)
    status = ms_gpu_alloc(&gpu, MS_STAGING_BYTES, &memory, "measuring the link", err);
  if (status == MS_OK)
    status = copy(&gpu, memory, &seconds, err);
  *bytes_a_second = COPIES * (double)MS_STAGING_BYTES / seconds;
  ms_gpu_free(&gpu, memory);
  ms_gpu_context_close(&gpu);
  return status;
}
