/* Bit-sliced lines: word b of a line holds bit b of all its elements.
 *
 * Include with
 *   WORD            a type of 2^LINE_BITS bits with the operators ^ and & (a
 *                   64-bit integer, or a vector type of the compiler)
 *   LINE_BITS       log2 of its bits, at most 8
 *   word_splat(bit) all ones if bit, else zero
 *   line_patterns   WORD[2^LINE_BITS]; bit l of entry r is the parity of r & l;
 *                   filled by line_setup
 *   line_rows       uint8_t[256][8]; filled by line_setup with ms_gf256_matrices
 *
 * A product is 64 ANDs and 49 XORs for the 15 coefficients of the schoolbook
 * product and 28 XORs for the reduction, for 2^LINE_BITS elements at once. */
#include "base/compiler.h"

typedef struct line {
  WORD w[8];
} line;

static inline line line_zero(void)
{
  line r;
  for (int b = 0; b < 8; b++)
    r.w[b] = word_splat(0);
  return r;
}

static inline line line_xor(line a, line b)
{
  for (int i = 0; i < 8; i++)
    a.w[i] ^= b.w[i];
  return a;
}

/* Fold coefficients 14..8 of a product down: x^8 = x^4 + x^3 + x + 1. */
static inline line line_reduce(WORD c[15])
{
  line r;
  MS_UNROLL(8)
  for (int i = 14; i >= 8; i--) {
    c[i - 4] ^= c[i];
    c[i - 5] ^= c[i];
    c[i - 7] ^= c[i];
    c[i - 8] ^= c[i];
  }
  for (int i = 0; i < 8; i++)
    r.w[i] = c[i];
  return r;
}

static inline line line_mul(line a, line b)
{
  WORD c[15];
  MS_UNROLL(16)
  for (int s = 0; s < 15; s++) {
    WORD sum = word_splat(0);
    MS_UNROLL(8)
    for (int i = 0; i < 8; i++)
      if (s - i >= 0 && s - i < 8)
        sum ^= a.w[i] & b.w[s - i];
    c[s] = sum;
  }
  return line_reduce(c);
}

/* out[i] = constants[i] * a, the constant in the low byte.  Each bit of the
 * product is a sum of bits of a, chosen by a row of the constant's matrix: the
 * sums over the two halves of a are tabled once for all constants (the method
 * of the four Russians), 22 XORs, and a constant costs 8 more. */
static inline void line_scale_many(line *out, const uint32_t *constants, uint32_t count, line a)
{
  WORD low[16], high[16];
  low[0] = high[0] = word_splat(0);
  for (int i = 1; i < 16; i++) {
    low[i] = low[i & (i - 1)] ^ a.w[__builtin_ctz((unsigned)i)];
    high[i] = high[i & (i - 1)] ^ a.w[4 + __builtin_ctz((unsigned)i)];
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint8_t *row = line_rows[(uint8_t)constants[i]];
    for (int b = 0; b < 8; b++)
      out[i].w[b] = low[row[b] & 15] ^ high[row[b] >> 4];
  }
}
#define LINE_SCALE_MANY line_scale_many

static inline line line_scale(uint8_t c, line a)
{
  const uint32_t constant = c;
  line r;
  line_scale_many(&r, &constant, 1, a);
  return r;
}

/* Lane l becomes matrix * l + c over GF(2); row b of the matrix is byte 7 - b
 * (the layout of GF2P8AFFINEQB, so that all kernels share their tables). */
static inline line line_affine(uint64_t matrix, uint8_t c)
{
  line r;
  for (int b = 0; b < 8; b++)
    r.w[b] = line_patterns[matrix >> 8 * (7 - b) & 0xFF] ^ word_splat(c >> b & 1);
  return r;
}
