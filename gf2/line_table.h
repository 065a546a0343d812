/* Line type "table": 64 elements, one a byte, multiplied one at a time through
 * logarithm tables.  The portable reference of the sieve kernels. */
#include "gf2/gf256.h"

#include <pthread.h>
#include <string.h>

#define LINE_NAME table
#define LINE_LAYOUT "one element at a time, log/exp tables"
#define LINE_BITS 6
#define LINE_AVAILABLE true

typedef struct line {
  uint8_t e[64];
} line;

static const ms_gf256_tables *line_tables;

static void line_take_tables(void)
{
  line_tables = ms_gf256_get_tables();
}

static inline void line_setup(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, line_take_tables);
}

static inline line line_zero(void)
{
  return (line){{0}};
}

static inline line line_from_bytes(const uint8_t *bytes)
{
  line r;
  memcpy(r.e, bytes, sizeof r.e);
  return r;
}

static inline void line_to_bytes(uint8_t *bytes, line a)
{
  memcpy(bytes, a.e, sizeof a.e);
}

static inline line line_xor(line a, line b)
{
  for (int i = 0; i < 64; i++)
    a.e[i] ^= b.e[i];
  return a;
}

static inline line line_mul(line a, line b)
{
  for (int i = 0; i < 64; i++)
    a.e[i] = ms_gf256_mul_table(line_tables, a.e[i], b.e[i]);
  return a;
}

static inline line line_scale(uint8_t c, line a)
{
  const uint8_t *row = line_tables->exp + line_tables->log[c];
  for (int i = 0; i < 64; i++)
    a.e[i] = row[line_tables->log[a.e[i]]];
  return a;
}

/* Lane l becomes matrix * l + c over GF(2); row b of the matrix is byte 7 - b
 * (the layout of GF2P8AFFINEQB, so that all kernels share their tables). */
static inline line line_affine(uint64_t matrix, uint8_t c)
{
  line r;
  r.e[0] = c;
  for (int bit = 0; bit < 6; bit++) {
    unsigned column = 0;
    for (int b = 0; b < 8; b++)
      column |= (unsigned)(matrix >> (8 * (7 - b) + bit) & 1) << b;
    for (int l = 0; l < 1 << bit; l++)
      r.e[l | 1 << bit] = (uint8_t)(r.e[l] ^ column);
  }
  return r;
}

/* XOR of all elements */
static inline uint8_t line_fold(line a)
{
  uint8_t e = 0;
  for (int i = 0; i < 64; i++)
    e ^= a.e[i];
  return e;
}
