/* What a kernel asks of its warp and block, under our own names: tests compile the same source
 * for a host, where lanes are emulated (tests/gpu/emulated/emulate.h). */
#ifndef MS_GPU_COMMON_WARP_CUH
#define MS_GPU_COMMON_WARP_CUH

#include <stdint.h>

#ifndef MS_EMULATED

#define MS_DEVICE static __device__ __forceinline__
/* of a class: static members */
#define MS_DEVICE_MEMBER static __device__ __forceinline__
#define MS_LANES 32u
/* a condition that the host guarantees */
#define MS_EXPECT(condition) ((void)0)

MS_DEVICE uint32_t ms_lane()
{
  return threadIdx.x % MS_LANES;
}

MS_DEVICE uint32_t ms_warp()
{
  return threadIdx.x / MS_LANES;
}

MS_DEVICE uint32_t ms_block()
{
  return blockIdx.x;
}

/* Returns the time of a clock that all blocks share. */
MS_DEVICE unsigned long long ms_nanoseconds()
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

/* Waits for all lanes; what they wrote before, to shared or global memory, is there for all lanes
 * afterwards.  No other file has a barrier of a warp: with __syncwarp() alone, code by nvcc 13.0 at
 * -O3 for sm_90 was seen to count wrongly where lanes read in a loop what others had just written
 * to shared memory; with ptxas at -O1, or with this fence, it did not (tests/arrows.sh). */
MS_DEVICE void ms_sync_warp()
{
  __syncwarp();
  __threadfence_block();
}

MS_DEVICE void ms_sync_block()
{
  __syncthreads();
}

/* Returns a mask whose bit i is lane i's argument.  All lanes call it together, as they do the
 * functions below. */
MS_DEVICE uint32_t ms_ballot(bool mine)
{
  return __ballot_sync(0xffffffffu, mine);
}

MS_DEVICE bool ms_any(bool mine)
{
  return __any_sync(0xffffffffu, mine);
}

MS_DEVICE uint32_t ms_of_lane(uint32_t x, uint32_t lane)
{
  return __shfl_sync(0xffffffffu, x, (int)lane);
}

MS_DEVICE unsigned long long ms_of_lane(unsigned long long x, uint32_t lane)
{
  return __shfl_sync(0xffffffffu, x, (int)lane);
}

/* Returns x of the lane whose number differs in these bits. */
MS_DEVICE unsigned long long ms_swap(unsigned long long x, uint32_t bits)
{
  return __shfl_xor_sync(0xffffffffu, x, (int)bits);
}

MS_DEVICE uint32_t ms_add(uint32_t *at, uint32_t x)
{
  return atomicAdd(at, x);
}

MS_DEVICE unsigned long long ms_add(unsigned long long *at, unsigned long long x)
{
  return atomicAdd(at, x);
}

MS_DEVICE uint32_t ms_or(uint32_t *at, uint32_t x)
{
  return atomicOr(at, x);
}

/* Writes x if `old` is there; returns what was there. */
MS_DEVICE uint32_t ms_exchange(uint32_t *at, uint32_t old, uint32_t x)
{
  return atomicCAS(at, old, x);
}

MS_DEVICE unsigned long long ms_exchange(unsigned long long *at, unsigned long long old,
                                         unsigned long long x)
{
  return atomicCAS(at, old, x);
}

MS_DEVICE uint32_t ms_max(uint32_t *at, uint32_t x)
{
  return atomicMax(at, x);
}

/* Reads a value that others may change at any time. */
MS_DEVICE uint32_t ms_peek(const uint32_t *at)
{
  return *(const volatile uint32_t *)at;
}

MS_DEVICE unsigned long long ms_peek(const unsigned long long *at)
{
  return *(const volatile unsigned long long *)at;
}

MS_DEVICE uint32_t ms_count_bits(uint32_t x)
{
  return (uint32_t)__popc(x);
}

/* x > 0 */
MS_DEVICE uint32_t ms_lowest(uint32_t x)
{
  return (uint32_t)__ffs((int)x) - 1;
}

MS_DEVICE uint32_t ms_lowest(uint64_t x)
{
  return (uint32_t)__ffsll((long long)x) - 1;
}

/* Returns the least number with x < 2^result; 0 for x = 0. */
MS_DEVICE uint32_t ms_bit_length(uint32_t x)
{
  return 32 - (uint32_t)__clz((int)x);
}

#endif

/* Returns the sum of all lanes' x. */
MS_DEVICE uint32_t ms_sum_of_lanes(uint32_t x)
{
#ifndef MS_EMULATED
  return __reduce_add_sync(0xffffffffu, x);
#else
  uint32_t sum = 0;
  for (uint32_t lane = 0; lane < MS_LANES; lane++)
    sum += ms_of_lane(x, lane);
  return sum;
#endif
}

/* Returns all bits that are set in some lane's x. */
MS_DEVICE uint32_t ms_or_of_lanes(uint32_t x)
{
#ifndef MS_EMULATED
  return __reduce_or_sync(0xffffffffu, x);
#else
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < MS_LANES; lane++)
    bits |= ms_of_lane(x, lane);
  return bits;
#endif
}

/* Returns the number of lanes of the mask below this one. */
MS_DEVICE uint32_t ms_rank(uint32_t mask)
{
  return ms_count_bits(mask & ((1u << ms_lane()) - 1));
}

/* Returns the i-th lowest bit of the mask, counted from 0; the mask has more than i bits. */
MS_DEVICE uint32_t ms_nth_bit(uint32_t mask, uint32_t i)
{
  uint32_t at = 0;
#pragma unroll
  for (uint32_t step = 16; step > 0; step /= 2)
    at += ms_count_bits(mask & ((1u << (at + step)) - 1)) <= i ? step : 0;
  return at;
}

#endif
