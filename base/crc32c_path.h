/* Tables and sizes that crc32c.c shares with versions for an instruction set. */
#ifndef MS_BASE_CRC32C_PATH_H
#define MS_BASE_CRC32C_PATH_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of one of the streams that run side by side; multiples of 8.  The long
 * ones leave 2 % of the time to joining them, the short ones take what is
 * left over. */
#define MS_CRC32C_LONG ((size_t)4096)
#define MS_CRC32C_SHORT ((size_t)256)

/* shift[i][b]: the CRC register b << 8 * i after as many zero bytes. */
typedef struct ms_crc32c_shifts {
  uint32_t by_long[4][256], by_short[4][256];
} ms_crc32c_shifts;

/* Takes and returns the register: the CRC without its final inversion. */
uint32_t ms_crc32c_sse42(const ms_crc32c_shifts *shifts, uint32_t reg, const uint8_t *p,
                         size_t bytes);

#endif
