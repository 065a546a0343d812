/* CRC-32C: tables for every processor, and the choice of a faster path. */
#include "base/crc32c.h"

#include "base/crc32c_path.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#define POLYNOMIAL 0x82F63B78u

/* Slicing by eight: slice[i][b] is the CRC of byte b followed by i zeros. */
static uint32_t slice[8][256];
static pthread_once_t slice_once = PTHREAD_ONCE_INIT;
#ifdef MS_X86_64
static ms_crc32c_shifts shifts;
static bool has_sse42;
static pthread_once_t sse42_once = PTHREAD_ONCE_INIT;
#endif

static void make_slice(void)
{
  for (uint32_t b = 0; b < 256; b++) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? POLYNOMIAL : 0);
    slice[0][b] = crc;
  }
  for (int i = 1; i < 8; i++)
    for (int b = 0; b < 256; b++)
      slice[i][b] = slice[i - 1][b] >> 8 ^ slice[0][slice[i - 1][b] & 0xFF];
}

/* ---- shifting ------------------------------------------------------------ */

/* Returns the product of two polynomials over GF(2), modulo the polynomial of the CRC.
 * Bits are reflected: the highest is the coefficient of x^0. */
static uint32_t multiply(uint32_t a, uint32_t b)
{
  uint32_t product = 0;
  for (; a; a <<= 1) {
    product ^= a >> 31 ? b : 0;
    b = b >> 1 ^ (b & 1 ? POLYNOMIAL : 0); /* times x */
  }
  return product;
}

/* Returns x^(8 * bytes), by which this number of zero bytes multiplies the register. */
static uint32_t zeros(uint64_t bytes)
{
  uint32_t power = 1u << 31, square = 1u << 23; /* x^0, x^8 */
  for (; bytes; bytes >>= 1) {
    if (bytes & 1)
      power = multiply(power, square);
    square = multiply(square, square);
  }
  return power;
}

uint32_t ms_crc32c_combine(uint32_t first, uint32_t second, uint64_t bytes)
{
  return multiply(first, zeros(bytes)) ^ second;
}

/* ---- paths --------------------------------------------------------------- */

uint32_t ms_crc32c_portable(uint32_t crc, const void *data, size_t bytes)
{
  const uint8_t *p = data;
  pthread_once(&slice_once, make_slice);
  crc = ~crc;
  for (; bytes >= 8; bytes -= 8, p += 8) {
    uint32_t lo =
        crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);
    crc = slice[7][lo & 0xFF] ^ slice[6][lo >> 8 & 0xFF] ^ slice[5][lo >> 16 & 0xFF] ^
          slice[4][lo >> 24] ^ slice[3][p[4]] ^ slice[2][p[5]] ^ slice[1][p[6]] ^ slice[0][p[7]];
  }
  for (; bytes > 0; bytes--, p++)
    crc = crc >> 8 ^ slice[0][(crc ^ *p) & 0xFF];
  return ~crc;
}

#ifdef MS_X86_64
static void make_shift(uint32_t table[4][256], size_t bytes)
{
  uint32_t factor = zeros(bytes);
  for (uint32_t i = 0; i < 4; i++)
    for (uint32_t b = 0; b < 256; b++)
      table[i][b] = multiply(b << 8 * i, factor);
}

static void look_for_sse42(void)
{
  has_sse42 = __builtin_cpu_supports("sse4.2") != 0;
  make_shift(shifts.by_long, MS_CRC32C_LONG);
  make_shift(shifts.by_short, MS_CRC32C_SHORT);
}
#endif

uint32_t ms_crc32c(uint32_t crc, const void *data, size_t bytes)
{
#ifdef MS_X86_64
  pthread_once(&sse42_once, look_for_sse42);
  if (has_sse42)
    return ~ms_crc32c_sse42(&shifts, ~crc, data, bytes);
#endif
  return ms_crc32c_portable(crc, data, bytes);
}
