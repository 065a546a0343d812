/* Sums that cannot overflow: 256 bits, in two's complement.  A tail's value is a sum of at most
 * 64 terms, and a term a product of at most 6 sizes and a factor below 2^16.  With sizes below
 * 2^30 (rows of 4 GB) the value is less than 2^202, and 2^53 such values fit, more than the
 * threads of a launch add in a day. */
#ifndef MS_GPU_COMMON_WIDE_CUH
#define MS_GPU_COMMON_WIDE_CUH

#include "gpu/common/queue.h"
#include "gpu/common/warp.cuh"

__extension__ typedef __int128 ms_int128;
__extension__ typedef unsigned __int128 ms_uint128;

typedef struct ms_wide {
  uint64_t word[4];
} ms_wide;

MS_DEVICE void ms_wide_add(ms_wide *sum, const ms_wide &x)
{
  uint64_t carry = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    ms_uint128 s = (ms_uint128)sum->word[i] + x.word[i] + carry;
    sum->word[i] = (uint64_t)s;
    carry = (uint64_t)(s >> 64);
  }
}

MS_DEVICE ms_wide ms_wide_of(ms_int128 x)
{
  uint64_t sign = x < 0 ? ~(uint64_t)0 : 0;
  ms_wide w = {{(uint64_t)(ms_uint128)x, (uint64_t)((ms_uint128)x >> 64), sign, sign}};
  return w;
}

/* The product is modulo 2^256, which is right for negative numbers, too. */
MS_DEVICE void ms_wide_multiply(ms_wide *x, uint32_t by)
{
  uint64_t carry = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    ms_uint128 product = (ms_uint128)x->word[i] * by + carry;
    x->word[i] = (uint64_t)product;
    carry = (uint64_t)(product >> 64);
  }
}

MS_DEVICE bool ms_wide_is_zero(const ms_wide &x)
{
  return (x.word[0] | x.word[1] | x.word[2] | x.word[3]) == 0;
}

/* Adds the x of all lanes to a sum that many warps add to; all lanes call it together.  An addition
 * of 64 bits in shared memory is a loop, in which the lanes of a block would wait for each other:
 * at the end of a search of chains that takes 0.01 ms. */
MS_DEVICE void ms_wide_add_lanes(const ms_wide &x, ms_gpu_sum *to)
{
#pragma unroll
  for (int i = 0; i < MS_SUM_DIGITS; i++) {
    uint32_t digit = (uint32_t)(x.word[i / 2] >> i % 2 * 32);
    if (!ms_any(digit != 0))
      continue;
    unsigned long long low = ms_sum_of_lanes(digit & 0xffff), high = ms_sum_of_lanes(digit >> 16);
    if (ms_lane() == 0)
      ms_add(&to->digit[i], low + (high << 16));
  }
}

/* Adds x to a sum that many threads add to. */
MS_DEVICE void ms_wide_add_to(const ms_wide &x, ms_gpu_sum *to)
{
#pragma unroll
  for (int i = 0; i < MS_SUM_DIGITS; i++) {
    uint32_t digit = (uint32_t)(x.word[i / 2] >> i % 2 * 32);
    if (digit)
      ms_add(&to->digit[i], (unsigned long long)digit);
  }
}

#endif
