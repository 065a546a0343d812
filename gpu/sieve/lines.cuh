/* GF(2^8) modulo 0x11B on 32-bit words: the line types that are measured on GPUs.
 * All of it is plain arithmetic that the host can run, too, so that
 * tests/gpu/lines.cu can check every product.
 *
 * A line is `words` of a thread's registers that hold `lanes` field elements:
 *   packed      bytes side by side; lane l is byte l % 4 of word l / 4;
 *   bit-sliced  bit l of word b is bit b of lane l.
 * Arrays of registers need constant indices: every loop over words unrolls. */
#ifndef MS_GPU_SIEVE_LINES_CUH
#define MS_GPU_SIEVE_LINES_CUH

#include "gf2/gf256.h"

#define MS_BOTH __host__ __device__ __forceinline__
/* Stands in front of a loop; the host's compiler does not know these pragmas. */
#ifdef __CUDA_ARCH__
#define MS_UNROLLED _Pragma("unroll")
#define MS_ROLLED _Pragma("unroll 1")
#else
#define MS_UNROLLED
#define MS_ROLLED
#endif

/* ---- packed: shift and add ---------------------------------------------------- */

#define MS_EVERY_BYTE 0x01010101u

/* Returns all ones in each byte whose top bit is set, else zero. */
MS_BOTH uint32_t ms_byte_signs(uint32_t a)
{
#ifdef __CUDA_ARCH__
  uint32_t mask;
  asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(mask) : "r"(a)); /* 8 + i: the sign of byte i */
  return mask;
#else
  return (a >> 7 & MS_EVERY_BYTE) * 0xFF;
#endif
}

/* Returns four products of bytes, from the top bit of b down. */
MS_BOTH uint32_t ms_packed_mul(uint32_t a, uint32_t b)
{
  uint32_t r = a & ms_byte_signs(b);
  MS_UNROLLED
  for (int bit = 6; bit >= 0; bit--) {
    uint32_t over = ms_byte_signs(r) & MS_EVERY_BYTE * 0x1B;
    b <<= 1; /* a bit that enters a byte from below never reaches its top bit */
    r = (r << 1 & MS_EVERY_BYTE * 0xFE) ^ over;
    r ^= a & ms_byte_signs(b);
  }
  return r;
}

/* ---- bit-sliced: schoolbook ----------------------------------------------------- */

/* Adds a * b as polynomials to c: 64 three-input operations for 32 lanes. */
MS_BOTH void ms_bitslice_mac(uint32_t c[15], const uint32_t a[8], const uint32_t b[8])
{
  MS_UNROLLED
  for (int i = 0; i < 8; i++) {
    MS_UNROLLED
    for (int j = 0; j < 8; j++)
      c[i + j] ^= a[i] & b[j];
  }
}

/* Folds coefficients 8 to 14 down, each output a sum by itself: 17 three-input operations.  x^8
 * = x^4 + x^3 + x + 1, and so on up to x^14 = x^7 + x^4 + x^3 + x. */
MS_BOTH void ms_bitslice_reduce(uint32_t r[8], const uint32_t c[15])
{
  r[0] = c[0] ^ c[8] ^ c[12] ^ c[13];
  r[1] = c[1] ^ c[8] ^ c[9] ^ c[12] ^ c[14];
  r[2] = c[2] ^ c[9] ^ c[10] ^ c[13];
  r[3] = c[3] ^ c[8] ^ c[10] ^ c[11] ^ c[12] ^ c[13] ^ c[14];
  r[4] = c[4] ^ c[8] ^ c[9] ^ c[11] ^ c[14];
  r[5] = c[5] ^ c[9] ^ c[10] ^ c[12];
  r[6] = c[6] ^ c[10] ^ c[11] ^ c[13];
  r[7] = c[7] ^ c[11] ^ c[12] ^ c[14];
}

/* ---- bit-sliced: Karatsuba ------------------------------------------------------- */

/* Evaluates a polynomial of 8 coefficients at 27 points, by three levels of Karatsuba.  Point e
 * has three digits to base 3, one for each bit of a coefficient's index: 0 where the bit is
 * clear, 1 where it is set, 2 for the sum of both.  At the points, a product is 27 single
 * operations, and so is a sum of products; only the sum is interpolated. */
MS_BOTH void ms_karatsuba_evaluate(uint32_t e[27], const uint32_t a[8])
{
  MS_UNROLLED
  for (int i = 0; i < 8; i++)
    e[(i & 1) + 3 * (i >> 1 & 1) + 9 * (i >> 2)] = a[i];
  MS_UNROLLED
  for (int level = 1; level <= 9; level *= 3) {
    MS_UNROLLED
    for (int i = 0; i < 27; i++)
      if (i / level % 3 == 2)
        /* digits of higher levels that are 2 are made later from these */
        if (level == 9 || (i / (3 * level) % 3 < 2 && (level == 3 || i / 9 < 2)))
          e[i] = e[i - level] ^ e[i - 2 * level];
  }
}

MS_BOTH void ms_karatsuba_mac(uint32_t c[27], const uint32_t a[27], const uint32_t b[27])
{
  MS_UNROLLED
  for (int i = 0; i < 27; i++)
    c[i] ^= a[i] & b[i];
}

/* Sets out = low + (both - low - high) x^shift + high x^(2 shift); low, both and high have n
 * coefficients, out has n + 2 shift. */
MS_BOTH void ms_karatsuba_join(uint32_t *out, const uint32_t *low, const uint32_t *high,
                               const uint32_t *both, int n, int shift)
{
  MS_UNROLLED
  for (int i = 0; i < n + 2 * shift; i++)
    out[i] = (i < n ? low[i] : 0) ^ (i >= 2 * shift ? high[i - 2 * shift] : 0);
  MS_UNROLLED
  for (int i = 0; i < n; i++)
    out[i + shift] ^= low[i] ^ high[i] ^ both[i];
}

/* Turns values at the 27 points into the 15 coefficients. */
MS_BOTH void ms_karatsuba_interpolate(uint32_t c[15], const uint32_t e[27])
{
  uint32_t pair[9][3], four[3][7];
  MS_UNROLLED
  for (int i = 0; i < 9; i++)
    ms_karatsuba_join(pair[i], e + 3 * i, e + 3 * i + 1, e + 3 * i + 2, 1, 1);
  MS_UNROLLED
  for (int i = 0; i < 3; i++)
    ms_karatsuba_join(four[i], pair[3 * i], pair[3 * i + 1], pair[3 * i + 2], 3, 2);
  ms_karatsuba_join(c, four[0], four[1], four[2], 7, 4);
}

/* ---- line types ------------------------------------------------------------------- */

template <int WORDS> struct ms_words {
  uint32_t w[WORDS];
};

/* words, lanes, chains (independent pairs of lines of a thread, enough to hide
 * the latency of a product), mul; get and put one lane. */
template <int WORDS, int LANES, int CHAINS> struct ms_line_packed {
  enum { words = WORDS, lanes = LANES, chains = CHAINS };

  static MS_BOTH ms_words<WORDS> mul(ms_words<WORDS> a, ms_words<WORDS> b, const ms_gf256_tables *)
  {
    MS_UNROLLED
    for (int i = 0; i < WORDS; i++)
      a.w[i] = ms_packed_mul(a.w[i], b.w[i]);
    return a;
  }
  static MS_BOTH uint8_t get(const ms_words<WORDS> &a, int lane)
  {
    return (uint8_t)(a.w[lane / 4] >> 8 * (lane % 4));
  }
  static MS_BOTH void put(ms_words<WORDS> &a, int lane, uint8_t element)
  {
    a.w[lane / 4] = (a.w[lane / 4] & ~(0xFFu << 8 * (lane % 4))) | (uint32_t)element
                                                                       << 8 * (lane % 4);
  }
};

/* Products by logarithms; the tables are in the kernel's shared memory.  Each product takes
 * three look-ups.  They are volatile: otherwise the logarithm of a factor of two products in a
 * row would be looked up once. */
struct ms_line_table : ms_line_packed<1, 1, 4> {
  static MS_BOTH ms_words<1> mul(ms_words<1> a, ms_words<1> b, const ms_gf256_tables *tables)
  {
    const volatile uint8_t *exp = tables->exp;
    const volatile uint16_t *log = tables->log;
    a.w[0] = exp[log[a.w[0]] + log[b.w[0]]];
    return a;
  }
};

struct ms_line_bitslice32 {
  enum { words = 8, lanes = 32, chains = 1 };

  static MS_BOTH ms_words<8> mul(ms_words<8> a, ms_words<8> b, const ms_gf256_tables *)
  {
    uint32_t c[15] = {0};
    ms_bitslice_mac(c, a.w, b.w);
    ms_bitslice_reduce(a.w, c);
    return a;
  }
  static MS_BOTH uint8_t get(const ms_words<8> &a, int lane)
  {
    unsigned element = 0;
    for (int b = 0; b < 8; b++)
      element |= (a.w[b] >> lane & 1) << b;
    return (uint8_t)element;
  }
  static MS_BOTH void put(ms_words<8> &a, int lane, uint8_t element)
  {
    for (int b = 0; b < 8; b++)
      a.w[b] = (a.w[b] & ~(1u << lane)) | (uint32_t)(element >> b & 1) << lane;
  }
};

/* Unreduced sums of products: `words` of an operand, which need not be a line of
 * elements, and `sums` of the result. */
struct ms_mac_bitslice32 {
  enum { words = 8, sums = 15, lanes = 32 };

  static MS_BOTH void mac(uint32_t *c, const uint32_t *a, const uint32_t *b)
  {
    ms_bitslice_mac(c, a, b);
  }
  static MS_BOTH void reduce(uint32_t r[8], const uint32_t *c)
  {
    ms_bitslice_reduce(r, c);
  }
};

struct ms_mac_karatsuba32 {
  enum { words = 27, sums = 27, lanes = 32 };

  static MS_BOTH void mac(uint32_t *c, const uint32_t *a, const uint32_t *b)
  {
    ms_karatsuba_mac(c, a, b);
  }
  static MS_BOTH void reduce(uint32_t r[8], const uint32_t *c)
  {
    uint32_t full[15];
    ms_karatsuba_interpolate(full, c);
    ms_bitslice_reduce(r, full);
  }
};

typedef ms_line_packed<1, 1, 4> ms_line_packed1; /* lanes 1 to 3 stay zero */
typedef ms_line_packed<1, 4, 4> ms_line_packed4;
typedef ms_line_packed<4, 16, 1> ms_line_packed16;
typedef ms_line_packed<8, 32, 1> ms_line_packed32;

/* ---- what a thread computes when it is measured ------------------------------------- */

/* Returns a word for `place` of thread `seed`: the finaliser of MurmurHash3. */
MS_BOTH uint32_t ms_scramble(uint32_t seed, uint32_t place)
{
  uint32_t h = seed * 0x9E3779B1u + place * 0x85EBCA6Bu + 1;
  h = (h ^ h >> 16) * 0x85EBCA6Bu;
  h = (h ^ h >> 13) * 0xC2B2AE35u;
  return h ^ h >> 16;
}

/* Runs 2 * chains * lanes products a round.  Both factors vary: x <- x y, then y <- y x.
 * Returns a digest of all of them. */
template <class L>
MS_BOTH uint32_t ms_spin_products(uint32_t seed, uint32_t rounds, const ms_gf256_tables *tables)
{
  ms_words<L::words> x[L::chains], y[L::chains];
  uint32_t digest = 0;
  MS_UNROLLED
  for (int c = 0; c < L::chains; c++) {
    MS_UNROLLED
    for (int i = 0; i < L::words; i++) {
      uint32_t full = L::lanes == 1 ? 0xFFu : 0xFFFFFFFFu;
      x[c].w[i] = ms_scramble(seed, 2 * (c * L::words + i)) & full;
      y[c].w[i] = ms_scramble(seed, 2 * (c * L::words + i) + 1) & full;
    }
  }
  MS_ROLLED
  for (uint32_t r = 0; r < rounds; r++) {
    MS_UNROLLED
    for (int c = 0; c < L::chains; c++)
      x[c] = L::mul(x[c], y[c], tables);
    MS_UNROLLED
    for (int c = 0; c < L::chains; c++)
      y[c] = L::mul(y[c], x[c], tables);
  }
  MS_UNROLLED
  for (int c = 0; c < L::chains; c++) {
    MS_UNROLLED
    for (int i = 0; i < L::words; i++)
      digest ^= x[c].w[i] ^ y[c].w[i];
  }
  return digest;
}

/* Runs 3 * lanes products a round, with one reduction after all of them.  The sums are the next
 * operands: no field elements, but the same operations, none of which can be taken out of the
 * loop. */
template <class M> MS_BOTH uint32_t ms_spin_macs(uint32_t seed, uint32_t rounds)
{
  uint32_t x[M::sums], y[M::sums], z[M::sums], line[8], digest = 0;
  MS_UNROLLED
  for (int i = 0; i < M::sums; i++) {
    x[i] = ms_scramble(seed, 3 * i);
    y[i] = ms_scramble(seed, 3 * i + 1);
    z[i] = ms_scramble(seed, 3 * i + 2);
  }
  MS_ROLLED
  for (uint32_t r = 0; r < rounds; r++) {
    M::mac(x, y, z);
    M::mac(y, z, x);
    M::mac(z, x, y);
  }
  MS_UNROLLED
  for (int i = 0; i < M::sums; i++)
    x[i] ^= y[i] ^ z[i];
  M::reduce(line, x);
  MS_UNROLLED
  for (int i = 0; i < 8; i++)
    digest ^= line[i];
  return digest;
}

#endif
