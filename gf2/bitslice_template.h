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
 * A product is 48 ANDs and 74 XORs, for 2^LINE_BITS elements at once. */

typedef struct line {
  WORD w[8];
} line;

/* Words have constant numbers in what follows, without loops: so the compiler keeps them in
 * registers, or reads them where they are. From loops it made copies of whole lines, in pieces of
 * 16 bytes for which a wider load then has to wait. */

static inline line line_zero(void)
{
  const WORD z = word_splat(0);
  return (line){{z, z, z, z, z, z, z, z}};
}

static inline line line_xor(line a, line b)
{
  return (line){{a.w[0] ^ b.w[0], a.w[1] ^ b.w[1], a.w[2] ^ b.w[2], a.w[3] ^ b.w[3],
                 a.w[4] ^ b.w[4], a.w[5] ^ b.w[5], a.w[6] ^ b.w[6], a.w[7] ^ b.w[7]}};
}

/* A product of polynomials of degree 7 by Karatsuba's rule: with A = a + a' x^4, and p, q and m the
 * products of the lower halves, of the upper halves and of their sums,
 *   A B = (p + q x^4) (1 + x^4) + m x^4.
 * Its coefficients from 8 on are folded down.  x^8 = 1 + x + x^3 + x^4 = (1 + x) (1 + x^3), so what
 * they add is the lower part of a multiple of this, by the polynomial of these coefficients with
 * what x^12 .. x^14 make of x^8 .. x^10 added: g0, g1, g2, q3, .. */
static inline line line_mul(line a, line b)
{
#define HALF_PRODUCT(p, A, B, i)                                                                   \
  const WORD p##0 = A(i) & B(i), p##1 = (A(i) & B(i + 1)) ^ (A(i + 1) & B(i)),                     \
             p##2 = (A(i) & B(i + 2)) ^ (A(i + 1) & B(i + 1)) ^ (A(i + 2) & B(i)),                 \
             p##3 = (A(i) & B(i + 3)) ^ (A(i + 1) & B(i + 2)) ^ (A(i + 2) & B(i + 1)) ^            \
                    (A(i + 3) & B(i)),                                                             \
             p##4 = (A(i + 1) & B(i + 3)) ^ (A(i + 2) & B(i + 2)) ^ (A(i + 3) & B(i + 1)),         \
             p##5 = (A(i + 2) & B(i + 3)) ^ (A(i + 3) & B(i + 2)), p##6 = A(i + 3) & B(i + 3)
#define OF_A(i) a.w[i]
#define OF_B(i) b.w[i]
#define SUM_A(i) sum_a[i]
#define SUM_B(i) sum_b[i]
  const WORD sum_a[4] = {a.w[0] ^ a.w[4], a.w[1] ^ a.w[5], a.w[2] ^ a.w[6], a.w[3] ^ a.w[7]};
  const WORD sum_b[4] = {b.w[0] ^ b.w[4], b.w[1] ^ b.w[5], b.w[2] ^ b.w[6], b.w[3] ^ b.w[7]};
  HALF_PRODUCT(p, OF_A, OF_B, 0);
  HALF_PRODUCT(q, OF_A, OF_B, 4);
  HALF_PRODUCT(m, SUM_A, SUM_B, 0);
  /* t = p + q x^4.  Its coefficients 0 to 3 are p0 to p3, and coefficients 7 to 10 are q3 to q6. */
  const WORD t4 = p4 ^ q0, t5 = p5 ^ q1, t6 = p6 ^ q2;
  const WORD h0 = q4 ^ t4 ^ m4, h1 = q5 ^ t5 ^ m5, h2 = q6 ^ t6 ^ m6;
  /* x^11 .. x^14 have coefficients q3 .. q6 */
  const WORD s5 = q4 ^ q5, s6 = q5 ^ q6, g0 = h0 ^ s5, g1 = h1 ^ s6, g2 = h2 ^ q6;
  const WORD f0 = g0, f1 = g0 ^ g1, f2 = g1 ^ g2, f3 = g2 ^ q3, f4 = q3 ^ q4;
  return (line){{p0 ^ f0, p1 ^ f1, p2 ^ f2, p3 ^ f3 ^ f0, t4 ^ p0 ^ m0 ^ f4 ^ f1,
                 t5 ^ p1 ^ m1 ^ s5 ^ f2, t6 ^ p2 ^ m2 ^ s6 ^ f3, q3 ^ p3 ^ m3 ^ q6 ^ f4}};
#undef HALF_PRODUCT
#undef OF_A
#undef OF_B
#undef SUM_A
#undef SUM_B
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
