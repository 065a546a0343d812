/* The field GF(2^8) = GF(2)[x] / (x^8 + x^4 + x^3 + x + 1), 0x11B: the one
 * that the instruction GF2P8MULB implements, so all back ends agree. */
#ifndef MS_GF2_GF256_H
#define MS_GF2_GF256_H

#include <stdint.h>

#define MS_GF256_POLY 0x11Bu

/* The definition: schoolbook product, then reduction.  Slow on purpose; every
 * other implementation is tested against it. */
static inline uint8_t ms_gf256_mul_reference(uint8_t a, uint8_t b)
{
  uint32_t product = 0;
  for (int bit = 0; bit < 8; bit++)
    if (b >> bit & 1)
      product ^= (uint32_t)a << bit;
  for (int bit = 14; bit >= 8; bit--)
    if (product >> bit & 1)
      product ^= MS_GF256_POLY << (bit - 8);
  return (uint8_t)product;
}

/* Discrete logarithm tables to base x + 1 (0x03, a primitive element).
 * log(0) = 512 points into a run of zeros, so that products need no branch:
 * exp[log a + log b] with log a + log b <= 1024. */
typedef struct ms_gf256_tables {
  uint8_t exp[1025];
  uint16_t log[256];
} ms_gf256_tables;

/* Built once, then shared and read-only; never NULL. */
const ms_gf256_tables *ms_gf256_get_tables(void);

/* row[c][b]: bit j says whether bit j of a counts for bit b of c * a. */
void ms_gf256_matrices(uint8_t row[256][8]);

static inline uint8_t ms_gf256_mul_table(const ms_gf256_tables *t, uint8_t a, uint8_t b)
{
  return t->exp[t->log[a] + t->log[b]];
}

#endif
