#include "base/crc32c.h"

#include <pthread.h>
#include <string.h>

/* Slicing by eight: table[i][b] is the CRC of byte b followed by i zeros. */
static uint32_t table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void make_table(void)
{
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
    table[0][b] = crc;
  }
  for (int i = 1; i < 8; i++)
    for (int b = 0; b < 256; b++)
      table[i][b] = table[i - 1][b] >> 8 ^ table[0][table[i - 1][b] & 0xFF];
}

uint32_t ms_crc32c(uint32_t crc, const void *data, size_t bytes)
{
  const uint8_t *p = data;
  pthread_once(&table_once, make_table);
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    uint32_t lo = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
    crc = table[7][lo & 0xFF] ^ table[6][lo >> 8 & 0xFF] ^ table[5][lo >> 16 & 0xFF] ^ table[4][lo >> 24] ^
          table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
  }
  for (; bytes > 0; bytes--, p++)
    crc = crc >> 8 ^ table[0][(crc ^ *p) & 0xFF];
  return ~crc;
}
