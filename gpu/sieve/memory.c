/* Pieces of the memory of a GPU, which is allocated in few blocks. */
#include "base/status.h"
#include "gpu/sieve/context.h"

#include <string.h>

ms_status ms_gpu_sieve_reserve(ms_sieve_context *c, uint64_t bytes, const char *what, ms_error *err)
{
  void *memory = NULL;
  MS_TRY(ms_gpu_alloc(&c->gpu, bytes, &memory, what, err));
  c->block[c->block_count++] = memory;
  c->free = memory;
  c->free_bytes = bytes;
  return MS_OK;
}

ms_status ms_gpu_sieve_alloc(ms_sieve_context *c, uint64_t bytes, void *out, const char *what,
                             ms_error *err)
{
  bytes = ms_gpu_aligned(bytes ? bytes : 1);
  if (c->free_bytes < bytes)
    MS_TRY(ms_gpu_sieve_reserve(c, bytes, what, err));
  memcpy(out, &c->free, sizeof c->free);
  c->free += bytes;
  c->free_bytes -= bytes;
  return MS_OK;
}

void ms_gpu_sieve_return(ms_sieve_context *c, void *first)
{
  c->free_bytes += (uint64_t)(c->free - (uint8_t *)first);
  c->free = first;
}
