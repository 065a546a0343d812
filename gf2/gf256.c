#include "gf2/gf256.h"

#include <pthread.h>

static ms_gf256_tables tables;
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;

static void make_tables(void)
{
  uint8_t power = 1;
  for (int e = 0; e < 255; e++) {
    tables.exp[e] = tables.exp[e + 255] = power;
    tables.log[power] = (uint16_t)e;
    power = ms_gf256_mul_reference(power, 3);
  }
  /* exp[510] = 3^0 is never read: two logarithms add up to at most 508.
   * exp[512..] stays 0: at least one factor was 0. */
  tables.log[0] = 512;
}

const ms_gf256_tables *ms_gf256_get_tables(void)
{
  pthread_once(&tables_once, make_tables);
  return &tables;
}

void ms_gf256_matrices(uint8_t row[256][8])
{
  for (int c = 0; c < 256; c++)
    for (int b = 0; b < 8; b++) {
      row[c][b] = 0;
      for (int j = 0; j < 8; j++)
        row[c][b] |=
            (uint8_t)((ms_gf256_mul_reference((uint8_t)c, (uint8_t)(1 << j)) >> b & 1) << j);
    }
}
