/* The kernel that tests vertices of domains. */
#include "gpu/match/domains.cuh"

static __global__ void __launch_bounds__(256)
    test_domains(const __grid_constant__ ms_domain_launch launch)
{
  ms_domain_run(launch);
}

extern "C" const void *ms_domain_function(void)
{
  return (const void *)test_domains;
}
