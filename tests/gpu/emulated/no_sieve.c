/* The library without the sieve's GPU back end, whose kernels nobody emulates. */
#include "sieve/backend.h"

static int no_devices(void)
{
  return 0;
}

const ms_sieve_backend ms_sieve_backend_cuda = {.name = "cuda", .devices = no_devices};
