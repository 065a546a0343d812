/* GF(2^8) modulo 0x11B, bit-sliced: word b of an element holds bit b of 32
 * points.  The code runs on host and device, so that a machine without a GPU can
 * test it.
 *
 * A product costs 64 AND-XORs and about 17 XORs of up to three words, one LOP3
 * each. */
#ifndef MS_GPU_SIEVE_FIELD_CUH
#define MS_GPU_SIEVE_FIELD_CUH

#include <stdint.h>

#ifdef __CUDACC__
#define MS_FIELD static __host__ __device__ __forceinline__
#else
#define MS_FIELD static inline
#endif

enum { MS_LANES = 32 };

typedef struct ms_sliced {
  uint32_t w[8];
} ms_sliced;

/* The 15 coefficients of a sum of products before reduction. */
typedef struct ms_unreduced {
  uint32_t c[15];
} ms_unreduced;

MS_FIELD ms_sliced ms_sliced_zero(void)
{
  ms_sliced r;
#pragma unroll
  for (int b = 0; b < 8; b++)
    r.w[b] = 0;
  return r;
}

MS_FIELD void ms_sliced_add(ms_sliced *a, const ms_sliced &b)
{
#pragma unroll
  for (int i = 0; i < 8; i++)
    a->w[i] ^= b.w[i];
}

MS_FIELD void ms_unreduced_clear(ms_unreduced *s)
{
#pragma unroll
  for (int i = 0; i < 15; i++)
    s->c[i] = 0;
}

/* sum += a * b */
MS_FIELD void ms_unreduced_mac(ms_unreduced *s, const ms_sliced &a, const ms_sliced &b)
{
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++)
      s->c[i + j] ^= a.w[i] & b.w[j];
}

/* sum += a */
MS_FIELD void ms_unreduced_add(ms_unreduced *s, const ms_sliced &a)
{
#pragma unroll
  for (int i = 0; i < 8; i++)
    s->c[i] ^= a.w[i];
}

/* x^8 = x^4 + x^3 + x + 1, written out so that XORs pair up to LOP3 */
MS_FIELD ms_sliced ms_reduce(const ms_unreduced &s)
{
  const uint32_t *c = s.c;
  uint32_t h10 = c[10] ^ c[14], h9 = c[9] ^ c[14] ^ c[13], h8 = c[8] ^ c[13] ^ c[12];
  ms_sliced r;
  r.w[0] = c[0] ^ h8;
  r.w[1] = c[1] ^ h9 ^ h8;
  r.w[2] = c[2] ^ h10 ^ h9;
  r.w[3] = (c[3] ^ c[11] ^ h10) ^ h8;
  r.w[4] = (c[4] ^ c[12] ^ c[11]) ^ h9 ^ h8;
  r.w[5] = (c[5] ^ c[13] ^ c[12]) ^ h10 ^ h9;
  r.w[6] = (c[6] ^ c[14] ^ c[13]) ^ c[11] ^ h10;
  r.w[7] = (c[7] ^ c[14] ^ c[12]) ^ c[11];
  return r;
}

MS_FIELD ms_sliced ms_sliced_mul(const ms_sliced &a, const ms_sliced &b)
{
  ms_unreduced s;
  ms_unreduced_clear(&s);
  ms_unreduced_mac(&s, a, b);
  return ms_reduce(s);
}

/* a * x */
MS_FIELD void ms_sliced_times_x(ms_sliced *a)
{
  uint32_t top = a->w[7];
#pragma unroll
  for (int b = 7; b > 0; b--)
    a->w[b] = a->w[b - 1];
  a->w[0] = top;
  a->w[1] ^= top;
  a->w[3] ^= top;
  a->w[4] ^= top;
}

/* Masks with all ones where bit b of the byte is set.  Bits 7..4 and 3..0 are first spread to
 * the tops of four bytes; then one byte permutation with sign makes each mask. */
typedef struct ms_masks {
  uint32_t high, low;
} ms_masks;

MS_FIELD ms_masks ms_masks_of(uint32_t byte)
{
  ms_masks m = {byte * 0x08040201u, ((byte & 15) << 4) * 0x08040201u};
  return m;
}

template <int BIT> MS_FIELD uint32_t ms_mask_of_bit(const ms_masks &m)
{
  uint32_t word = BIT >= 4 ? m.high : m.low;
#ifdef __CUDA_ARCH__
  uint32_t mask;
  asm("prmt.b32 %0, %1, 0, %2;" : "=r"(mask) : "r"(word), "n"(0xBBBB - 0x1111 * (BIT & 3)));
  return mask;
#else
  return (uint32_t)((int32_t)(word << 8 * (BIT & 3)) >> 31);
#endif
}

#endif
