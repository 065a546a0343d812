/* The kernel that tests vertices of domains, emulated: what gpu/match/domains.cu does on a GPU. */
#include "tests/gpu/emulated/fake_cuda.h"

#include "tests/gpu/emulated/emulate.h"

#include "gpu/match/domains.cuh"

#include <mutex>

static std::mutex one_at_a_time;
static const ms_domain_launch *launched;

static void body(uint32_t)
{
  ms_domain_run(*launched);
}

static void run(void **arguments, const fake_grid *grid)
{
  std::lock_guard<std::mutex> guard(one_at_a_time);
  unsigned int stop = 0;
  launched = (const ms_domain_launch *)arguments[0];
  emulated_launch(grid, &stop, body);
}

extern "C" const void *ms_domain_function(void)
{
  static const fake_kernel kernel = {run, 256};
  return &kernel;
}
