/* Line type "bitslice256": 256 elements as eight AVX2 registers, word b
 * holding bit b of each.  For x86-64 processors without GFNI. */
#include "gf2/gf256.h"

#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define LINE_NAME bitslice256
#define LINE_LAYOUT "256 elements bit-sliced over eight AVX2 registers"
#define LINE_BITS 8
#define LINE_AVAILABLE (__builtin_cpu_supports("avx2") != 0)

#define WORD __m256i

static inline __m256i word_splat(int bit)
{
  return _mm256_set1_epi64x(-(long long)bit);
}

/* line_patterns[r]: bit l is the parity of r & l */
static WORD line_patterns[256];

static uint8_t line_rows[256][8];

static void line_make_patterns(void)
{
  ms_gf256_matrices(line_rows);
  for (unsigned r = 0; r < 256; r++) {
    uint64_t words[4] = {0};
    for (unsigned l = 0; l < 256; l++)
      words[l / 64] |= (uint64_t)__builtin_parity(r & l) << l % 64;
    memcpy(&line_patterns[r], words, sizeof words);
  }
}

static inline void line_setup(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, line_make_patterns);
}

#include "gf2/bitslice_template.h"

static inline line line_from_bytes(const uint8_t *bytes)
{
  line r;
  for (int b = 0; b < 8; b++) {
    uint32_t words[8];
    for (int g = 0; g < 8; g++) {
      /* bring bit b to the top of each byte, then collect the tops */
      __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(bytes + 32 * g));
      words[g] = (uint32_t)_mm256_movemask_epi8(_mm256_slli_epi64(v, 7 - b));
    }
    memcpy(&r.w[b], words, sizeof words);
  }
  return r;
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  uint64_t words[8][4];
  memcpy(words, a.w, sizeof words);
  for (int i = 0; i < 256; i++) {
    unsigned e = 0;
    for (int b = 0; b < 8; b++)
      e |= (unsigned)(words[b][i / 64] >> i % 64 & 1) << b;
    bytes[i] = (uint8_t)e;
  }
}

/* XOR of all elements */
static inline uint8_t line_fold(line a)
{
  unsigned e = 0;
  for (int b = 0; b < 8; b++) {
    uint64_t w[4];
    memcpy(w, &a.w[b], sizeof w);
    e |= (unsigned)__builtin_parityll(w[0] ^ w[1] ^ w[2] ^ w[3]) << b;
  }
  return (uint8_t)e;
}
