/* Line types: what a row of 32 points looks like, and how its elements are multiplied.  The steps
 * over all vertices (gpu/sieve/recurrence.cuh) are templates over a LINE of this file:
 *
 *   row, sum      a row of field elements, and a sum of products of rows;
 *   few           most siblings whose sums early steps keep in registers: 4; 0: none;
 *   halves        true if a vertex with one inner label has half a row (gpu/sieve/halves.cuh);
 *   open          begins a kernel; all threads of a block call it;
 *   mul, scale    products of two rows, and of a row with a byte;
 *   clear, add, mac, reduce   a sum of rows and of products;
 *   add_words     adds a row, given as words, to a row.
 *
 * The sieve uses ms_tuned_line.  The others are for the experiment that compares the arithmetic in
 * the same steps with the same memory accesses (docs/EXPERIMENTS.md): no kernel is faster with
 * them. */
#ifndef MS_GPU_SIEVE_LINE_TYPES_CUH
#define MS_GPU_SIEVE_LINE_TYPES_CUH

#include "gpu/sieve/device.cuh"
#include "gpu/sieve/halves.cuh"
#include "gpu/sieve/lines.cuh"

#define MS_STEP static __device__ __forceinline__

/* Adds a row to a row, whatever its layout: the sum is that of the words. */
template <class ROW> MS_STEP void add_row(ROW *to, const ROW &from)
{
#pragma unroll
  for (int i = 0; i < 8; i++)
    to->w[i] ^= from.w[i];
}

template <class ROW>
MS_STEP void add_whole_row(ROW *to, const uint32_t low[4], const uint32_t high[4])
{
#pragma unroll
  for (int i = 0; i < 4; i++) {
    to->w[i] ^= low[i];
    to->w[i + 4] ^= high[i];
  }
}

template <class ROW> MS_STEP ROW zero_row()
{
  ROW r = {};
  return r;
}

/* ---- bit-sliced -------------------------------------------------------------------- */

/* Word b has bit b of the 32 points. */
template <bool HALVES> struct ms_sliced_line {
  typedef ms_sliced row;
  typedef ms_unreduced sum;
  enum { halves = HALVES, few = 4 };

  MS_STEP void open(const ms_device_problem &)
  {
  }
  MS_STEP row mul(const row &a, const row &b)
  {
    return ms_sliced_mul(a, b);
  }
  MS_STEP row scale(const row &a, uint32_t byte)
  {
    return ::scale(a, byte);
  }
  MS_STEP void clear(sum *s)
  {
    ms_unreduced_clear(s);
  }
  MS_STEP void add(sum *s, const row &a)
  {
    ms_unreduced_add(s, a);
  }
  MS_STEP void mac(sum *s, const row &a, const row &b)
  {
    ms_unreduced_mac(s, a, b);
  }
  MS_STEP row reduce(const sum &s)
  {
    return ms_reduce(s);
  }
  MS_STEP void add_words(row *to, const uint32_t low[4], const uint32_t high[4], uint32_t half)
  {
    if (HALVES)
      ms_half_add(to, low, high, half);
    else
      add_whole_row(to, low, high);
  }
};

/* Adds the multiples of a byte by bit b of the points 0 .. 31. */
MS_STEP void add_form_bit(ms_sliced *r, uint32_t b, uint32_t byte)
{
  const uint32_t pattern[5] = {0xAAAAAAAAu, 0xCCCCCCCCu, 0xF0F0F0F0u, 0xFF00FF00u, 0xFFFF0000u};
#pragma unroll
  for (int i = 0; i < 8; i++)
    r->w[i] ^= byte >> i & 1 ? pattern[b] : 0;
}

/* ---- bytes --------------------------------------------------------------------------- */

/* Byte l % 4 of word l / 4 is the element at point l. */
typedef struct ms_byte_row {
  uint32_t w[8];
} ms_byte_row;

MS_STEP void add_constant(ms_byte_row *r, uint32_t byte)
{
#pragma unroll
  for (int i = 0; i < 8; i++)
    r->w[i] ^= byte * MS_EVERY_BYTE;
}

MS_STEP void add_form_bit(ms_byte_row *r, uint32_t b, uint32_t byte)
{
  uint32_t word = b == 0 ? byte * 0x01000100u : b == 1 ? byte * 0x01010000u : byte * MS_EVERY_BYTE;
#pragma unroll
  for (uint32_t i = 0; i < 8; i++)
    r->w[i] ^= b < 2 || i >> (b - 2) & 1 ? word : 0;
}

/* The same as for bit-sliced rows. */
MS_STEP ms_byte_row only_points(const ms_device_problem &p, ms_byte_row a)
{
  if (p.inner_bits < MS_WORD_BITS) {
    uint32_t points = 1u << p.inner_bits;
#pragma unroll
    for (uint32_t i = 0; i < 8; i++)
      a.w[i] &= 4 * i >= points ? 0 : points - 4 * i < 4 ? (1u << 8 * (points - 4 * i)) - 1 : ~0u;
  }
  return a;
}

MS_STEP uint32_t fold(const ms_byte_row &a)
{
  uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < 8; i++)
    word ^= a.w[i];
  word ^= word >> 16;
  return (word ^ word >> 8) & 255;
}

/* Four products at a time, shifted and added from the top bit of a factor down. */
struct ms_packed_products {
  enum { few = 4 };

  MS_STEP void open(const ms_device_problem &)
  {
  }
  MS_STEP uint32_t mul(uint32_t a, uint32_t b)
  {
    return ms_packed_mul(a, b);
  }
  MS_STEP uint32_t scale(uint32_t a, uint32_t byte)
  {
    return ms_packed_mul(a, byte * MS_EVERY_BYTE);
  }
};

/* One product at a time, by tables of logarithms and powers in shared memory.  The compiler would
 * take the elements of sums in registers apart once for all products, 32 registers for a row. */
struct ms_table_products {
  enum { few = 0 };

  MS_STEP ms_gf256_tables *tables()
  {
#ifdef MS_SERIAL
    static thread_local ms_gf256_tables shared_tables;
#else
    __shared__ ms_gf256_tables shared_tables;
#endif
    return &shared_tables;
  }
  MS_STEP void open(const ms_device_problem &p)
  {
#ifdef MS_SERIAL /* the threads of a block run one after another */
    *tables() = *p.tables;
#else
    const uint16_t *from = (const uint16_t *)p.tables;
    uint16_t *to = (uint16_t *)tables();
    for (uint32_t i = threadIdx.x; i < sizeof(ms_gf256_tables) / sizeof *to; i += blockDim.x)
      to[i] = from[i];
    __syncthreads();
#endif
  }
  MS_STEP uint32_t mul(uint32_t a, uint32_t b)
  {
    uint32_t r = 0;
#pragma unroll
    for (int i = 0; i < 32; i += 8)
      r |= ms_line_table::mul({{a >> i & 255}}, {{b >> i & 255}}, tables()).w[0] << i;
    return r;
  }
  MS_STEP uint32_t scale(uint32_t a, uint32_t byte)
  {
    return mul(a, byte * MS_EVERY_BYTE);
  }
};

template <class PRODUCTS> struct ms_byte_line {
  typedef ms_byte_row row, sum; /* each product of a sum is reduced at once */
  enum { halves = false, few = PRODUCTS::few };

  MS_STEP void open(const ms_device_problem &p)
  {
    PRODUCTS::open(p);
  }
  MS_STEP row mul(row a, const row &b)
  {
#pragma unroll
    for (int i = 0; i < 8; i++)
      a.w[i] = PRODUCTS::mul(a.w[i], b.w[i]);
    return a;
  }
  MS_STEP row scale(row a, uint32_t byte)
  {
#pragma unroll
    for (int i = 0; i < 8; i++)
      a.w[i] = PRODUCTS::scale(a.w[i], byte);
    return a;
  }
  MS_STEP void clear(sum *s)
  {
    *s = zero_row<row>();
  }
  MS_STEP void add(sum *s, const row &a)
  {
    add_row(s, a);
  }
  MS_STEP void mac(sum *s, const row &a, const row &b)
  {
    /* b may be a factor of many sums, and what depends on the second factor alone would be kept for
     * all of them: too much for the registers */
    add_row(s, mul(b, a));
  }
  MS_STEP row reduce(const sum &s)
  {
    return s;
  }
  MS_STEP void add_words(row *to, const uint32_t low[4], const uint32_t high[4], uint32_t)
  {
    add_whole_row(to, low, high);
  }
};

typedef ms_sliced_line<true> ms_tuned_line;
typedef ms_sliced_line<false> ms_plain_line;
typedef ms_byte_line<ms_packed_products> ms_packed_line;
typedef ms_byte_line<ms_table_products> ms_table_line;

#endif
