/* Checksums of a file that grows and is read back: the CRC-32C of all bytes so far at each multiple
 * of MS_SUM_BLOCK, in memory.  So a block can be checked whenever it is read, before anything uses
 * what it says.  They cost one CRC of the bytes that are written and 4 bytes for each block. */
#ifndef MS_BASE_BLOCK_SUMS_H
#define MS_BASE_BLOCK_SUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MS_SUM_BLOCK ((size_t)1 << 18) /* bytes */

typedef struct ms_block_sums {
  uint64_t bytes;     /* so far */
  uint32_t crc;       /* of all of them */
  uint32_t *at_block; /* [bytes / MS_SUM_BLOCK + 1] of the bytes before each block; NULL: none */
  size_t room;        /* items */
} ms_block_sums;

/* Returns false if there is no memory for the checksums of so many further bytes. */
bool ms_block_sums_reserve(ms_block_sums *sums, uint64_t bytes);
/* Adds bytes that follow, for which there is memory. */
void ms_block_sums_add(ms_block_sums *sums, const void *data, size_t bytes);
/* Forgets all but the first `bytes` bytes, whose CRC-32C is `crc`. */
void ms_block_sums_cut(ms_block_sums *sums, uint64_t bytes, uint32_t crc);
/* Returns the length of a block, which has bytes. */
size_t ms_block_sums_block_bytes(const ms_block_sums *sums, uint64_t block);
/* True if these are the bytes of the block as they were added. */
bool ms_block_sums_fit(const ms_block_sums *sums, uint64_t block, const void *data);
void ms_block_sums_free(ms_block_sums *sums);

#endif
