/* Line type "gfni256": elements one a byte, 32 in an AVX2 register, multiplied
 * by GF2P8MULB. */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LINE_NAME gfni256
#define LINE_LAYOUT "32 elements in an AVX2 register, GFNI"
#define LINE_BITS 5
#define LINE_AVAILABLE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("gfni"))

typedef __m256i line;

static inline void line_setup(void)
{
}

static inline line line_zero(void)
{
  return _mm256_setzero_si256();
}

static inline line line_from_bytes(const uint8_t *bytes)
{
  return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  _mm256_storeu_si256((__m256i *)(void *)bytes, a);
}

static inline line line_xor(line a, line b)
{
  return _mm256_xor_si256(a, b);
}

static inline line line_mul(line a, line b)
{
  return _mm256_gf2p8mul_epi8(a, b);
}

static inline line line_scale(uint8_t c, line a)
{
  return _mm256_gf2p8mul_epi8(a, _mm256_set1_epi8((char)c));
}

/* The same, the constant repeated in each byte of the word: a word broadcasts
 * from memory in one instruction, a byte on some processors in two. */
static inline line line_scale_by_word(uint32_t word, line a)
{
  return _mm256_gf2p8mul_epi8(a, _mm256_set1_epi32((int)word));
}
#define line_scale_word(word, a) line_scale_by_word(word, a)

/* Lane l becomes matrix * l + c over GF(2); row b of the matrix is byte 7 - b
 * (the layout of GF2P8AFFINEQB). */
static inline line line_affine(uint64_t matrix, uint8_t c)
{
  const __m256i lane = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
                                        17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  __m256i linear = _mm256_gf2p8affine_epi64_epi8(lane, _mm256_set1_epi64x((long long)matrix), 0);
  return _mm256_xor_si256(linear, _mm256_set1_epi8((char)c));
}

/* XOR of all elements */
static inline uint8_t line_fold(line a)
{
  __m128i h = _mm_xor_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
  uint64_t w = (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(h, _mm_unpackhi_epi64(h, h)));
  w ^= w >> 32;
  w ^= w >> 16;
  return (uint8_t)(w ^ w >> 8);
}
