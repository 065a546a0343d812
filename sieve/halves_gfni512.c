/* A slot in an AVX-512 register. */
#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------- */

/* Lines of halves_template.h: one element a byte, a unit in an AVX-512 register. */

#define SLOTS 1
#define HALF_BITS 7
#define LINE_AVAILABLE                                                                             \
  (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&                      \
   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("gfni"))

typedef __m512i half;
typedef struct line {
  half v[2];
} line;

/* ---- halves -------------------------------------------------------------------------------- */

static inline half half_zero(void)
{
  return _mm512_setzero_si512();
}

static inline half half_xor(half a, half b)
{
  return _mm512_xor_si512(a, b);
}

static inline half half_and(half a, half b)
{
  return _mm512_and_si512(a, b);
}

static inline half half_mask(uint64_t lanes)
{
  return _mm512_movm_epi8(lanes);
}

static inline half half_add_masked(half sum, half x, half mask)
{
  return _mm512_ternarylogic_epi64(sum, x, mask, 0x78);
}

static inline half half_blend(half mask, half low, half high)
{
  return _mm512_ternarylogic_epi64(mask, low, high, 0xCA);
}

static inline half half_affine(half x, half matrices)
{
  return _mm512_gf2p8affine_epi64_epi8(x, matrices, 0);
}

static inline half half_reversed_unit(void)
{
  return _mm512_set1_epi64(0x0102040810204080);
}

#include "sieve/kernels/half_moments_gfni.h"

static inline half half_scale(uint8_t c, half a)
{
  return _mm512_gf2p8mul_epi8(a, _mm512_set1_epi8((char)c));
}

/* ---- lines --------------------------------------------------------------------------------- */

static inline line line_xor(line a, line b)
{
  return (line){{half_xor(a.v[0], b.v[0]), half_xor(a.v[1], b.v[1])}};
}

static inline line line_mul(line a, line b)
{
  return (line){{_mm512_gf2p8mul_epi8(a.v[0], b.v[0]), _mm512_gf2p8mul_epi8(a.v[1], b.v[1])}};
}

static inline line line_of_units(const half *unit, size_t stride)
{
  return (line){{unit[0], unit[stride]}};
}

static inline void line_to_units(line a, half *unit)
{
  unit[0] = a.v[0];
  unit[1] = a.v[1];
}

static inline line line_of_bytes(const uint8_t *byte)
{
  return (line){{_mm512_set1_epi8((char)byte[0]), _mm512_set1_epi8((char)byte[1])}};
}

/* Bits 6 and 7 of a lane are for what is added in lower and upper halves. */
static inline line line_form(const uint64_t *matrix, const uint8_t *constant)
{
  static const uint8_t lanes[64] __attribute__((aligned(64))) = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
  const half lane = _mm512_load_si512(lanes);
  line r = line_of_bytes(constant);
  for (int i = 0; i < 2; i++) {
    uint64_t m = matrix[i];
#if defined(__clang__)
    __asm__("" : "+r"(m)); /* as in line_affine of gf2/line_gfni512.h */
#endif
    half place = _mm512_or_si512(lane, _mm512_set1_epi8((char)(i == 0 ? 64 : 128)));
    half linear = _mm512_gf2p8affine_epi64_epi8(place, _mm512_set1_epi64((long long)m), 0);
    r.v[i] = half_xor(r.v[i], linear);
  }
  return r;
}

static inline void line_fold_units(line a, uint8_t *sum)
{
  for (int i = 0; i < 2; i++) {
    __m256i y =
        _mm256_xor_si256(_mm512_castsi512_si256(a.v[i]), _mm512_extracti64x4_epi64(a.v[i], 1));
    __m128i h = _mm_xor_si128(_mm256_castsi256_si128(y), _mm256_extracti128_si256(y, 1));
    uint64_t w = (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(h, _mm_unpackhi_epi64(h, h)));
    w ^= w >> 32;
    w ^= w >> 16;
    sum[i] = (uint8_t)(w ^ w >> 8);
  }
}

/* ---- both ---------------------------------------------------------------------------------- */

#include "sieve/kernels/half_both.h"

static inline both both_scale(uint8_t c, both a)
{
  return (both){{half_scale(c, a.v[0]), half_scale(c, a.v[1])}};
}

static inline line line_of_both(both a)
{
  return (line){{a.v[0], a.v[1]}};
}

/* ---- the kernel ------------------------------------------------------------------------------ */

#define KERNEL ms_sieve_halves_gfni512
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#include "sieve/kernels/live_heads_avx512.h"

#include "sieve/halves_template.h"
