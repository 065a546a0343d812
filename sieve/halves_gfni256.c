/* A slot in two AVX2 registers. */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------- */

/* Lines of halves_template.h: one element a byte, a slot in two AVX2 registers, products by
 * GF2P8MULB. */

#define SLOTS 1
#define HALF_BITS 6
#define LINE_AVAILABLE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("gfni"))

typedef __m256i half;
typedef struct line {
  half v[2];
} line;

/* ---- lines --------------------------------------------------------------------------------- */

static inline line line_xor(line a, line b)
{
  return (line){{_mm256_xor_si256(a.v[0], b.v[0]), _mm256_xor_si256(a.v[1], b.v[1])}};
}

static inline line line_mul(line a, line b)
{
  return (line){{_mm256_gf2p8mul_epi8(a.v[0], b.v[0]), _mm256_gf2p8mul_epi8(a.v[1], b.v[1])}};
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
  return (line){{_mm256_set1_epi8((char)byte[0]), _mm256_set1_epi8((char)byte[1])}};
}

static inline line line_form(const uint64_t *matrix, const uint8_t *constant)
{
  const __m256i lanes =
      _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                       22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  line r = line_of_bytes(constant);
  for (int i = 0; i < 2; i++)
    r.v[i] = _mm256_xor_si256(
        r.v[i], _mm256_gf2p8affine_epi64_epi8(
                    _mm256_or_si256(lanes, _mm256_set1_epi8((char)(i == 0 ? 32 : 64))),
                    _mm256_set1_epi64x((long long)matrix[i]), 0));
  return r;
}

static inline void line_fold_units(line a, uint8_t *sum)
{
  for (int i = 0; i < 2; i++) {
    __m128i h = _mm_xor_si128(_mm256_castsi256_si128(a.v[i]), _mm256_extracti128_si256(a.v[i], 1));
    uint64_t w = (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(h, _mm_unpackhi_epi64(h, h)));
    w ^= w >> 32;
    w ^= w >> 16;
    sum[i] = (uint8_t)(w ^ w >> 8);
  }
}

/* ---- halves -------------------------------------------------------------------------------- */

static inline half half_mask(uint64_t lanes)
{
  uint8_t bytes[32];
  for (int x = 0; x < 32; x++)
    bytes[x] = (uint8_t) - (lanes >> x & 1);
  return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

static inline half half_affine(half x, half matrices)
{
  return _mm256_gf2p8affine_epi64_epi8(x, matrices, 0);
}

static inline half half_reversed_unit(void)
{
  return _mm256_set1_epi64x(0x0102040810204080);
}

#include "sieve/kernels/half_moments_gfni.h"

static inline half half_scale(uint8_t c, half a)
{
  return _mm256_gf2p8mul_epi8(a, _mm256_set1_epi8((char)c));
}

#include "sieve/kernels/half_rows_avx2.h"

static inline both both_scale(uint8_t c, both a)
{
  return (both){{half_scale(c, a.v[0]), half_scale(c, a.v[1])}};
}

static inline line line_of_both(both a)
{
  return (line){{a.v[0], a.v[1]}};
}

/* ---- the kernel ------------------------------------------------------------------------------ */

#define KERNEL ms_sieve_halves_gfni256
#define GATHER_TILE 15
#define SCALE_AT_HEAD 2
#include "sieve/halves_template.h"
