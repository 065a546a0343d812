#include "gpu/common/launch.h"

#include "gpu/common/cuda_error.h"
#include "gpu/common/device.h"

ms_status ms_gpu_occupancy(const void *kernel, uint32_t threads, uint32_t shared_bytes,
                           uint32_t *blocks, ms_error *err)
{
  static const char what[] = "asking what a multiprocessor holds";
  int count = 0, device;
  ms_gpu_device facts;
  *blocks = 0;
  if (shared_bytes > 0) {
    /* The limit belongs to the kernel, not to the launch.  It is always the device's, so that a
     * smaller plan of another thread does not lower it between this plan and its launch. */
    MS_TRY_CUDA(cudaGetDevice(&device), what);
    MS_TRY(ms_gpu_device_facts(device, &facts, err));
    MS_TRY_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)facts.shared),
                what);
  }
  MS_TRY_CUDA(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&count, kernel, (int)threads, shared_bytes),
      what);
  *blocks = count > 0 ? (uint32_t)count : 0;
  return MS_OK;
}

ms_status ms_gpu_launch(const void *kernel, ms_gpu_grid grid, void **arguments, cudaStream_t stream,
                        const char *what, ms_error *err)
{
  if (grid.blocks == 0)
    return MS_OK;
  return ms_cuda_status(cudaLaunchKernel(kernel, (dim3){grid.blocks, 1, 1},
                                         (dim3){grid.threads, 1, 1}, arguments, grid.shared_bytes,
                                         stream),
                        what, err);
}
