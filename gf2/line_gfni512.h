/* Line type "gfni512": elements one a byte, 64 in an AVX-512 register,
 * multiplied by GF2P8MULB. */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LINE_NAME gfni512
#define LINE_LAYOUT "64 elements in an AVX-512 register, GFNI"
#define LINE_BITS 6
#define LINE_AVAILABLE                                                                             \
  (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&                      \
   __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("gfni"))

typedef __m512i line;

static inline void line_setup(void)
{
}

static inline line line_zero(void)
{
  return _mm512_setzero_si512();
}

static inline line line_from_bytes(const uint8_t *bytes)
{
  return _mm512_loadu_si512(bytes);
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  _mm512_storeu_si512(bytes, a);
}

static inline line line_xor(line a, line b)
{
  return _mm512_xor_si512(a, b);
}

static inline line line_mul(line a, line b)
{
  return _mm512_gf2p8mul_epi8(a, b);
}

static inline line line_scale(uint8_t c, line a)
{
  return _mm512_gf2p8mul_epi8(a, _mm512_set1_epi8((char)c));
}

/* The same, the constant repeated in each byte of the word: a word broadcasts
 * from memory in one instruction, a byte on some processors in two. */
static inline line line_scale_by_word(uint32_t word, line a)
{
  return _mm512_gf2p8mul_epi8(a, _mm512_set1_epi32((int)word));
}
#define line_scale_word(word, a) line_scale_by_word(word, a)

/* Lane l becomes matrix * l + c over GF(2); row b of the matrix is byte 7 - b
 * (the layout of GF2P8AFFINEQB). */
static inline line line_affine(uint64_t matrix, uint8_t c)
{
  static const uint8_t lanes[64] __attribute__((aligned(64))) = {
      0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
      22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
      44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
#if defined(__clang__)
  /* clang 14 folds the broadcast into the instruction and then encodes its
   * displacement in bytes where the processor counts elements: keep the matrix
   * in a register.  Found by every_kernel_gives_the_same_q. */
  __asm__("" : "+r"(matrix));
#endif
  __m512i linear = _mm512_gf2p8affine_epi64_epi8(_mm512_load_si512(lanes),
                                                 _mm512_set1_epi64((long long)matrix), 0);
  return _mm512_xor_si512(linear, _mm512_set1_epi8((char)c));
}

/* XOR of all elements */
static inline uint8_t line_fold(line a)
{
  __m256i q = _mm256_xor_si256(_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64(a, 1));
  __m128i h = _mm_xor_si128(_mm256_castsi256_si128(q), _mm256_extracti128_si256(q, 1));
  uint64_t w = (uint64_t)_mm_cvtsi128_si64(_mm_xor_si128(h, _mm_unpackhi_epi64(h, h)));
  w ^= w >> 32;
  w ^= w >> 16;
  return (uint8_t)(w ^ w >> 8);
}
