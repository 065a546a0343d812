/* What the kernels share: rows of a vertex, linear forms, liveness. */
#ifndef MS_GPU_SIEVE_DEVICE_CUH
#define MS_GPU_SIEVE_DEVICE_CUH

#include "gpu/sieve/field.cuh"
#include "gpu/sieve/launch.cuh"
#include "gpu/sieve/sieve_device.h"

/* Loads a row: two uint4, `apart` uint4 from each other. */
static __device__ __forceinline__ ms_sliced load_row(const uint4 *row, size_t apart)
{
  uint4 a = row[0], b = row[apart];
  ms_sliced r = {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
  return r;
}

static __device__ __forceinline__ void store_row(uint4 *row, size_t apart, const ms_sliced &r)
{
  row[0] = make_uint4(r.w[0], r.w[1], r.w[2], r.w[3]);
  row[apart] = make_uint4(r.w[4], r.w[5], r.w[6], r.w[7]);
}

/* Returns the outer bits of a block. */
static __device__ __forceinline__ uint32_t outer_of(uint64_t block)
{
  return (uint32_t)(block ^ block >> 1);
}

/* Returns the points of a word as a set of point bits: a vertex is zero on all of them unless
 * active & points. */
static __device__ __forceinline__ uint32_t points_of(const ms_device_problem &p, uint32_t outer)
{
  return outer << p.inner_bits | (uint32_t)(((uint64_t)1 << p.inner_bits) - 1);
}

/* Returns four forms of v at the outer bits, one byte each. */
static __device__ __forceinline__ uint32_t outer_value(const ms_device_problem &p,
                                                       const uint32_t *value, uint32_t v,
                                                       uint32_t quad, uint32_t outer)
{
  uint32_t sum = 0;
  const uint32_t *at = value + ((size_t)p.inner_bits * p.quads + quad) * p.n + v;
  for (uint32_t rest = outer; rest; rest &= rest - 1)
    sum ^= at[(size_t)(__ffs(rest) - 1) * p.quads * p.n];
  return sum;
}

/* Adds a byte at all points. */
static __device__ __forceinline__ void add_constant(ms_sliced *r, uint32_t byte)
{
  ms_masks m = ms_masks_of(byte);
  r->w[0] ^= ms_mask_of_bit<0>(m);
  r->w[1] ^= ms_mask_of_bit<1>(m);
  r->w[2] ^= ms_mask_of_bit<2>(m);
  r->w[3] ^= ms_mask_of_bit<3>(m);
  r->w[4] ^= ms_mask_of_bit<4>(m);
  r->w[5] ^= ms_mask_of_bit<5>(m);
  r->w[6] ^= ms_mask_of_bit<6>(m);
  r->w[7] ^= ms_mask_of_bit<7>(m);
}

/* Returns form f of v on the 32 points, where the outer bits are zero. */
static __device__ __forceinline__ ms_sliced inner_form_of(const ms_device_problem &p,
                                                          const uint4 *inner, uint32_t v,
                                                          uint32_t f)
{
  return load_row(inner + ((size_t)f * p.n + v) * 2, 1);
}

/* Returns form f of v on the 32 points; constant: its byte at the outer bits. */
static __device__ __forceinline__ ms_sliced form_of(const ms_device_problem &p, const uint4 *inner,
                                                    uint32_t v, uint32_t f, uint32_t constant)
{
  ms_sliced r = inner_form_of(p, inner, v, f);
  add_constant(&r, constant & 255);
  return r;
}

/* Clears lanes past the last point (where there are fewer than 32 points), which must not count. */
static __device__ __forceinline__ ms_sliced only_points(const ms_device_problem &p, ms_sliced a)
{
  if (p.inner_bits < MS_WORD_BITS) {
    uint32_t valid = (1u << (1u << p.inner_bits)) - 1;
#pragma unroll
    for (int b = 0; b < 8; b++)
      a.w[b] &= valid;
  }
  return a;
}

/* Returns a times a constant byte that each thread has. */
static __device__ __forceinline__ ms_sliced scale(ms_sliced a, uint32_t byte)
{
  ms_masks m = ms_masks_of(byte);
  ms_sliced b = {{ms_mask_of_bit<0>(m), ms_mask_of_bit<1>(m), ms_mask_of_bit<2>(m),
                  ms_mask_of_bit<3>(m), ms_mask_of_bit<4>(m), ms_mask_of_bit<5>(m),
                  ms_mask_of_bit<6>(m), ms_mask_of_bit<7>(m)}};
  return ms_sliced_mul(a, b);
}

/* Returns the XOR of the 32 points as a byte. */
static __device__ __forceinline__ uint32_t fold(const ms_sliced &a)
{
  uint32_t byte = 0;
#pragma unroll
  for (int b = 0; b < 8; b++)
    byte |= (uint32_t)(__popc(a.w[b]) & 1) << b;
  return byte;
}

static __device__ __forceinline__ uint32_t siblings_of(uint32_t size, uint32_t t)
{
  return (size - 1) / t;
}

#endif
