/* Lines of halves_template.h: one element a byte, a slot in an AVX-512 register. */
#include "gf2/line_gfni512.h"

typedef __m256i half;
typedef line both;

#define SLOTS 1

static inline half half_mask(uint32_t lanes)
{
  return _mm256_movm_epi8(lanes);
}

static inline half half_add_masked(half sum, half x, half mask)
{
  return _mm256_ternarylogic_epi64(sum, x, mask, 0x78);
}

static inline half half_blend(half mask, half low, half high)
{
  return _mm256_ternarylogic_epi64(mask, low, high, 0xCA);
}

static inline half half_scale(uint8_t c, half a)
{
  return _mm256_gf2p8mul_epi8(a, _mm256_set1_epi8((char)c));
}

/* Returns a mask of the lanes that have a bit in the lower half, and of the others in the upper. */
static inline both both_mask(uint32_t lanes)
{
  return _mm512_movm_epi8(lanes | (uint64_t)~lanes << 32);
}

static inline both both_zero(void)
{
  return line_zero();
}

static inline both both_load(const half *low, const half *high)
{
  (void)high; /* it follows */
  return _mm512_load_si512(low);
}

static inline both both_add(both sum, both x)
{
  return line_xor(sum, x);
}

static inline both both_add_masked(both sum, half x, both mask)
{
  return _mm512_ternarylogic_epi64(sum, _mm512_broadcast_i64x4(x), mask, 0x78);
}

static inline both both_spread(half x, both mask)
{
  return _mm512_and_si512(_mm512_broadcast_i64x4(x), mask);
}

static inline both both_scale(uint8_t c, both a)
{
  return line_scale(c, a);
}

static inline line line_of_units(const half *unit, size_t stride)
{
  return _mm512_inserti64x4(_mm512_castsi256_si512(unit[0]), unit[stride], 1);
}

static inline line line_of_both(both a)
{
  return a;
}

static inline void line_to_units(line a, half *unit)
{
  unit[0] = _mm512_castsi512_si256(a);
  unit[1] = _mm512_extracti64x4_epi64(a, 1);
}

/* Returns the lines of which each unit has its byte everywhere. */
static inline line line_of_bytes(const uint8_t *byte)
{
  return _mm512_mask_set1_epi8(_mm512_set1_epi8((char)byte[0]), UINT64_C(0xFFFFFFFF00000000),
                               (char)byte[1]);
}

/* Returns a linear form of the units. */
static inline line line_form(const uint64_t *matrix, const uint8_t *constant)
{
  static const uint8_t lanes[64] __attribute__((aligned(64))) = {
      32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53,
      54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75,
      76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95};
  __m512i matrices =
      _mm512_mask_set1_epi64(_mm512_set1_epi64((long long)matrix[0]), 0xF0, (long long)matrix[1]);
  __m512i linear = _mm512_gf2p8affine_epi64_epi8(_mm512_load_si512(lanes), matrices, 0);
  return line_xor(linear, line_of_bytes(constant));
}

/* Sets sum[i] to the sum of the elements of unit i. */
static inline void line_fold_units(line a, uint8_t *sum)
{
  line upper = _mm512_maskz_mov_epi64(0xF0, a);
  sum[0] = line_fold(line_xor(a, upper));
  sum[1] = line_fold(upper);
}
