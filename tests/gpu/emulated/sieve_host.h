/* CUDA's functions that the kernels of the sieve call, for the host.  Threads run in turns, so that
 * nothing is atomic.  Include it after gpu/sieve/sieve_device.h. */
#ifndef MS_TESTS_GPU_EMULATED_SIEVE_HOST_H
#define MS_TESTS_GPU_EMULATED_SIEVE_HOST_H

static inline uint4 make_uint4(uint32_t x, uint32_t y, uint32_t z, uint32_t w)
{
  uint4 four = {x, y, z, w};
  return four;
}

static inline uint32_t __popc(uint32_t x)
{
  return (uint32_t)__builtin_popcount(x);
}

static inline int __ffs(uint32_t x)
{
  return __builtin_ffs((int)x);
}

static inline uint32_t atomicXor(uint32_t *at, uint32_t x)
{
  uint32_t before = *at;
  *at ^= x;
  return before;
}

#endif
