/* CRC-32C (Castagnoli, reflected polynomial 0x82F63B78; RFC 3720 B.4): it detects
 * accidental damage and a wrong file, not a forgery. */
#ifndef MS_BASE_CRC32C_H
#define MS_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Extends `crc`, which is 0 at the start, by `bytes` bytes. */
uint32_t ms_crc32c(uint32_t crc, const void *data, size_t bytes);
/* Does the same with tables, for processors without an instruction for it. */
uint32_t ms_crc32c_portable(uint32_t crc, const void *data, size_t bytes);
/* Returns the CRC of two pieces in a row from their CRCs; `bytes` is the length of the
 * second piece. */
uint32_t ms_crc32c_combine(uint32_t first, uint32_t second, uint64_t bytes);

#endif
