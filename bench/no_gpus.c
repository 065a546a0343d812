/* What benchmarks read and write of the code for GPUs, in a build without CUDA. */
#include "base/status.h"
#include "gpu/census/engine.h"
#include "gpu/motif/engine.h"

double ms_gpu_census_seconds;
uint32_t ms_gpu_motif_part, ms_gpu_motif_hash[2], ms_gpu_motif_short;
double ms_gpu_motif_seconds;
bool ms_gpu_motif_unread;
uint64_t ms_gpu_motif_bytes;

ms_status ms_gpu_motif_link(int device, double *bytes_a_second, ms_error *err)
{
  (void)device;
  *bytes_a_second = 0;
  return ms_fail(err, MS_ERR_USAGE, "this program was built without CUDA; use the CPU");
}
