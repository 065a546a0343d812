/* Line type "packed64": eight 8-element words; a product is eight
 * shift-and-add steps on whole words (the packed line of the motif-search
 * papers).  For the arithmetic benchmark; no sieve kernel uses it. */
#include <stdint.h>
#include <string.h>

#define LINE_NAME packed64
#define LINE_SIEVES false /* bitslice64 is faster everywhere */
#define LINE_LAYOUT "8 elements in a 64-bit word, shift and add"
#define LINE_BITS 6
#define LINE_AVAILABLE true

typedef struct line {
  uint64_t w[8];
} line;

static inline void line_setup(void)
{
}

static inline line line_from_bytes(const uint8_t *bytes)
{
  line r;
  memcpy(r.w, bytes, sizeof r.w);
  return r;
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  memcpy(bytes, a.w, sizeof a.w);
}

static inline line line_xor(line a, line b)
{
  for (int i = 0; i < 8; i++)
    a.w[i] ^= b.w[i];
  return a;
}

#define EVERY_BYTE UINT64_C(0x0101010101010101)

/* x * a in each byte */
static inline uint64_t word_xtime(uint64_t a)
{
  uint64_t high = a >> 7 & EVERY_BYTE;
  return ((a & EVERY_BYTE * 0x7F) << 1) ^ high * 0x1B;
}

static inline uint64_t word_mul(uint64_t a, uint64_t b)
{
  uint64_t r = 0;
  for (int bit = 0; bit < 8; bit++) {
    r ^= a & (b >> bit & EVERY_BYTE) * 0xFF;
    a = word_xtime(a);
  }
  return r;
}

static inline line line_mul(line a, line b)
{
  for (int i = 0; i < 8; i++)
    a.w[i] = word_mul(a.w[i], b.w[i]);
  return a;
}

static inline line line_scale(uint8_t c, line a)
{
  for (int i = 0; i < 8; i++)
    a.w[i] = word_mul(a.w[i], c * EVERY_BYTE);
  return a;
}
