/* Stands for the kernel of the sieve for small graphs: none fits, so that the tests of the other
 * kernels have them for small graphs, too. */
#include "gpu/sieve/sieve_device.h"

bool ms_shared_plan_make(const ms_device_problem *p, uint32_t multiprocessors,
                         uint32_t shared_bytes, ms_shared_plan *plan)
{
  (void)p;
  (void)multiprocessors;
  (void)shared_bytes;
  (void)plan;
  return false;
}

cudaError_t ms_shared_run(const ms_device_problem *p, const ms_shared_plan *plan,
                          const ms_device_pass *passes, uint4 *scratch, unsigned long long *counter,
                          uint64_t first, uint64_t last, cudaStream_t stream)
{
  (void)p;
  (void)plan;
  (void)passes;
  (void)scratch;
  (void)counter;
  (void)first;
  (void)last;
  (void)stream;
  return cudaErrorNotSupported;
}
