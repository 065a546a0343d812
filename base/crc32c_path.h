/* Tables and sizes that crc32c.c shares with versions for an instruction set. */
#ifndef MS_BASE_CRC32C_PATH_H
#define MS_BASE_CRC32C_PATH_H

#include <stddef.h>
#include <stdint.h>

/* Lengths in bytes, multiples of 8, of the streams that run side by side.  To join
 * long streams takes 2 % of the time; short streams are for the rest of the input. */
#define MS_CRC32C_LONG ((size_t)4096)
#define MS_CRC32C_SHORT ((size_t)256)

/* [i][b]: the register b << 8 * i after MS_CRC32C_LONG or MS_CRC32C_SHORT zero bytes */
typedef struct ms_crc32c_shifts {
  uint32_t by_long[4][256], by_short[4][256];
} ms_crc32c_shifts;

/* Extends the register, which is the CRC without its final inversion, and returns it. */
uint32_t ms_crc32c_sse42(const ms_crc32c_shifts *shifts, uint32_t reg, const uint8_t *p,
                         size_t bytes);

#endif
