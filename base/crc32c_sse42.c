/* CRC-32C by the crc32 instruction.  It reads 8 bytes a cycle but has its result
 * three cycles later, so three streams run side by side.  A table shifts the results
 * of the first two streams over the bytes of the streams after them. */
#include "base/crc32c_path.h"

#include <nmmintrin.h>
#include <string.h>

static uint64_t load(const uint8_t *p)
{
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

static uint32_t shift(const uint32_t table[4][256], uint32_t reg)
{
  return table[0][reg & 0xFF] ^ table[1][reg >> 8 & 0xFF] ^ table[2][reg >> 16 & 0xFF] ^
         table[3][reg >> 24];
}

/* 3 * bytes of a stream */
static uint32_t three_streams(const uint32_t table[4][256], uint32_t reg, const uint8_t *p,
                              size_t stream)
{
  uint64_t a = reg, b = 0, c = 0;
  for (size_t i = 0; i < stream; i += 8) {
    a = _mm_crc32_u64(a, load(p + i));
    b = _mm_crc32_u64(b, load(p + stream + i));
    c = _mm_crc32_u64(c, load(p + 2 * stream + i));
  }
  return shift(table, shift(table, (uint32_t)a) ^ (uint32_t)b) ^ (uint32_t)c;
}

uint32_t ms_crc32c_sse42(const ms_crc32c_shifts *shifts, uint32_t reg, const uint8_t *p,
                         size_t bytes)
{
  for (; bytes >= 3 * MS_CRC32C_LONG; bytes -= 3 * MS_CRC32C_LONG, p += 3 * MS_CRC32C_LONG)
    reg = three_streams(shifts->by_long, reg, p, MS_CRC32C_LONG);
  for (; bytes >= 3 * MS_CRC32C_SHORT; bytes -= 3 * MS_CRC32C_SHORT, p += 3 * MS_CRC32C_SHORT)
    reg = three_streams(shifts->by_short, reg, p, MS_CRC32C_SHORT);
  for (; bytes >= 8; bytes -= 8, p += 8)
    reg = (uint32_t)_mm_crc32_u64(reg, load(p));
  for (; bytes > 0; bytes--, p++)
    reg = _mm_crc32_u8(reg, *p);
  return reg;
}
