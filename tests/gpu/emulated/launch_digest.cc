/* The kernel that makes digests, emulated: what gpu/common/digest.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/common/digest.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_digest_launch *launched;

static void body(uint32_t)
{
  ms_digest_run(*launched);
}

static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  unsigned int stop = 0;
  launched = (const ms_digest_launch *)arguments[0];
  emulated_launch(grid, &stop, body);
}

extern "C" const void *ms_digest_function(void)
{
  static const fake_kernel kernel = {run, MS_DIGEST_WARPS * 32};
  return &kernel;
}
