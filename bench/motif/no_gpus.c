/* What benchmarks read and write of the code for GPUs, in a build without CUDA. */
#include "base/status.h"
#include "census/accelerator.h"
#include "gpu/motif/engine.h"

ms_status ms_gpu_motif_link(int device, double *bytes_a_second, ms_error *err)
{
  (void)device;
  *bytes_a_second = 0;
  return ms_fail(err, MS_ERR_USAGE, "this program was built without CUDA; use the CPU");
}
