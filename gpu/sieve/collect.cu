/* Copies the sums to the host. */
#include "gpu/sieve/launch.cuh"
#include "gpu/sieve/sieve_device.h"

/* Each thread packs four bytes; `to` may be pinned host memory: the words of a warp leave as one
 * packet. */
static __global__ void pack_q(const uint32_t *q, uint64_t count, uint32_t *to)
{
  uint64_t i = ((uint64_t)blockIdx.x * blockDim.x + threadIdx.x) * 4;
  uint32_t word = 0;
  if (i >= count)
    return;
  for (uint32_t j = 0; j < 4; j++)
    word |= i + j < count ? (q[i + j] & 255) << 8 * j : 0;
  to[i / 4] = word;
}

extern "C" cudaError_t ms_device_pack_q(const uint32_t *q, uint64_t count, uint8_t *to,
                                        cudaStream_t stream)
{
  const uint64_t a_block = 4 * 256;
  if (count > 0)
    MS_LAUNCH(pack_q, (unsigned)((count + a_block - 1) / a_block), 256, stream, q, count,
              (uint32_t *)(void *)to);
  return cudaGetLastError();
}
