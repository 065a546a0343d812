/* Line type "neon": elements one a byte, 64 in four NEON registers, multiplied as polynomials by
 * PMULL.  For 64-bit Arm processors: all of them have PMULL for bytes.  (The optional instruction
 * of the same name multiplies 64-bit polynomials and is of no use here.)
 *
 * Instructions for 16 elements, loads and stores not counted:
 *   a product                    9: 2 PMULL, and 7 to reduce it (reduced)
 *   a product in a sum           4: 2 PMULL and 2 XORs; a sum is reduced once
 *   a product with a constant    5: 2 look-ups of nibbles; 3 if it is one of several
 * docs/SIEVE.md ("Arm processors: NEON") compares them with bit-sliced lines. */
#include "base/compiler.h"
#include "gf2/gf256.h"

#include <arm_neon.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define LINE_NAME neon
#define LINE_LAYOUT "64 elements in four NEON registers, polynomial products"
#define LINE_BITS 6
#define LINE_AVAILABLE true

enum { REGISTERS = 4 };

typedef struct line {
  uint8x16_t v[REGISTERS];
} line;

/* [c][0][x] is c * x, and [c][1][x] is c * 16x. */
static uint8_t line_multiples[256][2][16] __attribute__((aligned(32)));

static void line_make_multiples(void)
{
  for (unsigned c = 0; c < 256; c++)
    for (unsigned x = 0; x < 16; x++) {
      line_multiples[c][0][x] = ms_gf256_mul_reference((uint8_t)c, (uint8_t)x);
      line_multiples[c][1][x] = ms_gf256_mul_reference((uint8_t)c, (uint8_t)(x << 4));
    }
}

static inline void line_setup(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, line_make_multiples);
}

static inline line line_zero(void)
{
  line r;
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++)
    r.v[i] = vdupq_n_u8(0);
  return r;
}

static inline line line_from_bytes(const uint8_t *bytes)
{
  line r;
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++)
    r.v[i] = vld1q_u8(bytes + 16 * i);
  return r;
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++)
    vst1q_u8(bytes + 16 * i, a.v[i]);
}

static inline line line_xor(line a, line b)
{
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++)
    a.v[i] = veorq_u8(a.v[i], b.v[i]);
  return a;
}

/* ---- products --------------------------------------------------------------------------- */

/* Returns the elements of 16 polynomials of degree 14, of which `low` holds the first eight.
 *
 * Let h be the upper byte of a polynomial.  Since x^8 = 0x1B, the element is the lower byte plus
 * h * 0x1B.  This product has up to three bits above its lower byte, too.  They depend on the upper
 * half of h alone, because 0x1B has degree 4, and `overflow` holds 0x1B times these bits. */
static inline uint8x16_t reduced(uint8x16_t low, uint8x16_t high)
{
  static const uint8_t overflow[16] = {0, 0x1B, 0x2D, 0x36, 0x5A, 0x41, 0x77, 0x6C};
  uint8x16_t lower = vuzp1q_u8(low, high), upper = vuzp2q_u8(low, high);
  poly8x16_t fold = vmulq_p8(vreinterpretq_p8_u8(upper), vdupq_n_p8(0x1B));
  uint8x16_t above = vqtbl1q_u8(vld1q_u8(overflow), vshrq_n_u8(upper, 4));
  return veorq_u8(veorq_u8(lower, above), vreinterpretq_u8_p8(fold));
}

/* Returns the products, as polynomials, of the lower eight elements. */
static inline uint8x16_t low_products(uint8x16_t a, uint8x16_t b)
{
  return vreinterpretq_u8_p16(
      vmull_p8(vget_low_p8(vreinterpretq_p8_u8(a)), vget_low_p8(vreinterpretq_p8_u8(b))));
}

/* Returns the products, as polynomials, of the upper eight elements. */
static inline uint8x16_t high_products(uint8x16_t a, uint8x16_t b)
{
  return vreinterpretq_u8_p16(vmull_high_p8(vreinterpretq_p8_u8(a), vreinterpretq_p8_u8(b)));
}

static inline line line_mul(line a, line b)
{
  line r;
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++)
    r.v[i] = reduced(low_products(a.v[i], b.v[i]), high_products(a.v[i], b.v[i]));
  return r;
}

/* A sum whose products are still polynomials */
typedef struct line_sum {
  line first;
  uint8x16_t low[REGISTERS], high[REGISTERS];
} line_sum;
#define LINE_SUM

static inline line_sum line_sum_of(line first)
{
  return (line_sum){.first = first};
}

static inline line_sum line_sum_add(line_sum sum, line a, line b)
{
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++) {
    sum.low[i] = veorq_u8(sum.low[i], low_products(a.v[i], b.v[i]));
    sum.high[i] = veorq_u8(sum.high[i], high_products(a.v[i], b.v[i]));
  }
  return sum;
}

static inline line line_of_sum(line_sum sum)
{
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++)
    sum.first.v[i] = veorq_u8(sum.first.v[i], reduced(sum.low[i], sum.high[i]));
  return sum.first;
}

/* ---- products with constants --------------------------------------------------------------- */

/* out[i] = constants[i] * a, the constant in the low byte.  The nibbles of a are separated once
 * for all constants. */
static inline void line_scale_many(line *out, const uint32_t *constants, uint32_t count, line a)
{
  line low, high;
  MS_UNROLL(4)
  for (int i = 0; i < REGISTERS; i++) {
    low.v[i] = vandq_u8(a.v[i], vdupq_n_u8(15));
    high.v[i] = vshrq_n_u8(a.v[i], 4);
  }
  for (uint32_t c = 0; c < count; c++) {
    const uint8_t *multiples = line_multiples[(uint8_t)constants[c]][0];
    uint8x16_t of_low = vld1q_u8(multiples), of_high = vld1q_u8(multiples + 16);
    MS_UNROLL(4)
    for (int i = 0; i < REGISTERS; i++)
      out[c].v[i] = veorq_u8(vqtbl1q_u8(of_low, low.v[i]), vqtbl1q_u8(of_high, high.v[i]));
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

/* ---- linear forms -----------------------------------------------------------------------------
 */

/* Returns the columns 0 to 5 of a bit matrix, one a byte.  Row b of the matrix is byte 7 - b.
 *
 * A bit of the result is a test of one bit of a row.  Each half of a register takes one column:
 * its eight tests leave the weights of eight different bits, which three additions of neighbours
 * put together. */
static inline uint8x16_t columns_of(uint64_t matrix)
{
  static const uint8_t weights[16] = {128, 64, 32, 16, 8, 4, 2, 1, 128, 64, 32, 16, 8, 4, 2, 1};
  uint8x16_t rows = vreinterpretq_u8_u64(vdupq_n_u64(matrix)), pair[3];
  MS_UNROLL(4)
  for (int i = 0; i < 3; i++) {
    uint8x16_t bit =
        vcombine_u8(vdup_n_u8((uint8_t)(1 << 2 * i)), vdup_n_u8((uint8_t)(2 << 2 * i)));
    pair[i] = vandq_u8(vtstq_u8(rows, bit), vld1q_u8(weights));
  }
  uint8x16_t sums = vpaddq_u8(vpaddq_u8(pair[0], pair[1]), vpaddq_u8(pair[2], pair[2]));
  return vpaddq_u8(sums, sums);
}

/* Lane l becomes matrix * l + c over GF(2); row b of the matrix is byte 7 - b
 * (the layout of GF2P8AFFINEQB, so that all kernels share their tables). */
static inline line line_affine(uint64_t matrix, uint8_t c)
{
  /* [j][l]: the place of column j in columns_of if lane l has bit j, else a place past the end, at
   * which a look-up gives zero */
  enum { NO = 0xFF };
  static const uint8_t place[4][16] = {{NO, 0, NO, 0, NO, 0, NO, 0, NO, 0, NO, 0, NO, 0, NO, 0},
                                       {NO, NO, 1, 1, NO, NO, 1, 1, NO, NO, 1, 1, NO, NO, 1, 1},
                                       {NO, NO, NO, NO, 2, 2, 2, 2, NO, NO, NO, NO, 2, 2, 2, 2},
                                       {NO, NO, NO, NO, NO, NO, NO, NO, 3, 3, 3, 3, 3, 3, 3, 3}};
  uint8x16_t columns = columns_of(matrix);
  line r;
  r.v[0] = vdupq_n_u8(c);
  MS_UNROLL(4)
  for (int j = 0; j < 4; j++)
    r.v[0] = veorq_u8(r.v[0], vqtbl1q_u8(columns, vld1q_u8(place[j])));
  r.v[1] = veorq_u8(r.v[0], vdupq_laneq_u8(columns, 4));
  r.v[2] = veorq_u8(r.v[0], vdupq_laneq_u8(columns, 5));
  r.v[3] = veorq_u8(r.v[1], vdupq_laneq_u8(columns, 5));
  return r;
}

/* XOR of all elements */
static inline uint8_t line_fold(line a)
{
  uint8x16_t v = veorq_u8(veorq_u8(a.v[0], a.v[1]), veorq_u8(a.v[2], a.v[3]));
  uint64x2_t halves = vreinterpretq_u64_u8(v);
  uint64_t w = vgetq_lane_u64(halves, 0) ^ vgetq_lane_u64(halves, 1);
  w ^= w >> 32;
  w ^= w >> 16;
  return (uint8_t)(w ^ w >> 8);
}
