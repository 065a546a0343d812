/* Line type "gfni256": elements one a byte, 32 in an AVX2 register, multiplied
 * by GF2P8MULB.  LINE_BITS may be set to 6, 7 or 8 by the includer (64, 128 or
 * 256 elements); 6 if not. */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LINE_NAME gfni256
#define LINE_LAYOUT "32 elements in an AVX2 register, GFNI"
#ifndef LINE_BITS
#define LINE_BITS 6
#endif
#define LINE_AVAILABLE (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("gfni"))

#define LINE_WORDS (1 << (LINE_BITS - 5))

typedef struct line {
  __m256i v[LINE_WORDS];
} line;

static inline void line_setup(void)
{
}

#define EACH_WORD(i) for (int i = 0; i < LINE_WORDS; i++)

static inline line line_zero(void)
{
  line r;
  EACH_WORD(i)
    r.v[i] = _mm256_setzero_si256();
  return r;
}

static inline line line_from_bytes(const uint8_t *bytes)
{
  line r;
  EACH_WORD(i)
    r.v[i] = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 32 * i));
  return r;
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  EACH_WORD(i)
    _mm256_storeu_si256((__m256i *)(void *)(bytes + 32 * i), a.v[i]);
}

static inline line line_xor(line a, line b)
{
  EACH_WORD(i)
    a.v[i] = _mm256_xor_si256(a.v[i], b.v[i]);
  return a;
}

static inline line line_mul(line a, line b)
{
  EACH_WORD(i)
    a.v[i] = _mm256_gf2p8mul_epi8(a.v[i], b.v[i]);
  return a;
}

static inline line line_scale(uint8_t c, line a)
{
  __m256i k = _mm256_set1_epi8((char)c);
  EACH_WORD(i)
    a.v[i] = _mm256_gf2p8mul_epi8(a.v[i], k);
  return a;
}

/* The same, the constant repeated in each byte of the word: a word broadcasts
 * from memory in one instruction, a byte on some processors in two. */
static inline line line_scale_by_word(uint32_t word, line a)
{
  __m256i k = _mm256_set1_epi32((int)word);
  EACH_WORD(i)
    a.v[i] = _mm256_gf2p8mul_epi8(a.v[i], k);
  return a;
}
#define line_scale_word(word, a) line_scale_by_word(word, a)

/* Lane l becomes matrix * l + c over GF(2); row b of the matrix is byte 7 - b
 * (the layout of GF2P8AFFINEQB). */
static inline line line_affine(uint64_t matrix, uint8_t c)
{
  line r;
  __m256i m = _mm256_set1_epi64x((long long)matrix), k = _mm256_set1_epi8((char)c);
  const __m256i lane0 = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
                                         18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  EACH_WORD(i)
  {
    __m256i lane = _mm256_or_si256(lane0, _mm256_set1_epi8((char)(32 * i)));
    r.v[i] = _mm256_xor_si256(_mm256_gf2p8affine_epi64_epi8(lane, m, 0), k);
  }
  return r;
}

/* XOR of all elements */
static inline uint8_t line_fold(line a)
{
  __m256i s = a.v[0];
  for (int i = 1; i < LINE_WORDS; i++)
    s = _mm256_xor_si256(s, a.v[i]);
  __m128i h = _mm_xor_si128(_mm256_castsi256_si128(s), _mm256_extracti128_si256(s, 1));
  uint64_t w = (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(h, _mm_unpackhi_epi64(h, h)));
  w ^= w >> 32;
  w ^= w >> 16;
  return (uint8_t)(w ^ w >> 8);
}
