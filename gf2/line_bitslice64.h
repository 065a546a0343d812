/* Line type "bitslice64": 64 elements as eight 64-bit words, word b holding
 * bit b of each.  Portable; the fallback of the sieve on any processor. */
#include "gf2/gf256.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define LINE_NAME bitslice64
#define LINE_LAYOUT "64 elements bit-sliced over eight 64-bit words"
#define LINE_BITS 6
#define LINE_AVAILABLE true

#define WORD uint64_t

static inline uint64_t word_splat(int bit)
{
  return (uint64_t)0 - (uint64_t)bit;
}

/* line_patterns[r]: bit l is the parity of r & l */
static WORD line_patterns[64];

static uint8_t line_rows[256][8];

static void line_make_patterns(void)
{
  ms_gf256_matrices(line_rows);
  for (unsigned r = 0; r < 64; r++)
    for (unsigned l = 0; l < 64; l++)
      line_patterns[r] |= (uint64_t)__builtin_parity(r & l) << l;
}

static inline void line_setup(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, line_make_patterns);
}

#include "gf2/bitslice_template.h"

static inline line line_from_bytes(const uint8_t *bytes)
{
  line r = line_zero();
  for (int i = 0; i < 64; i++)
    for (int b = 0; b < 8; b++)
      r.w[b] |= (uint64_t)(bytes[i] >> b & 1) << i;
  return r;
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  for (int i = 0; i < 64; i++) {
    unsigned e = 0;
    for (int b = 0; b < 8; b++)
      e |= (unsigned)(a.w[b] >> i & 1) << b;
    bytes[i] = (uint8_t)e;
  }
}

/* XOR of all elements */
static inline uint8_t line_fold(line a)
{
  unsigned e = 0;
  for (int b = 0; b < 8; b++)
    e |= (unsigned)__builtin_parityll(a.w[b]) << b;
  return (uint8_t)e;
}
