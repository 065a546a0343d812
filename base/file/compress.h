/* Compressed output: which compression a file has, and gzip (RFC 1952) at its usual level, with a
 * checksum; base/file/packer.h has zstd.  It holds no names or times, so equal input gives equal
 * output.
 */
#ifndef MS_BASE_COMPRESS_H
#define MS_BASE_COMPRESS_H

#include "motifsieve.h"

typedef enum ms_compression { MS_PLAIN, MS_GZIP, MS_ZSTD } ms_compression;

/* Returns the compression that the ending of a path requests: .gz, .zst, or none. */
ms_compression ms_compression_of(const char *path);

/* Receives the compressed bytes. */
typedef void (*ms_sink)(void *user, const void *data, size_t bytes);

/* Writes the first `room` bytes, or fewer, of the content of a file that may be compressed, whose
 * first bytes are data[bytes]; returns how many these are.  A block of zstd has 128 KiB at most. */
size_t ms_unpack_begin(const void *data, size_t bytes, void *to, size_t room);

/* The heap as zlib wants it. */
void *ms_zlib_alloc(void *user, unsigned count, unsigned size);
void ms_zlib_free(void *user, void *block);

typedef struct ms_compressor ms_compressor;

/* Opens a compressor for gzip. */
ms_status ms_compressor_new(ms_sink sink, void *user, ms_compressor **out, ms_error *err);
void ms_compressor_free(ms_compressor *compressor);
/* Compresses bytes; `last` says that they are the final ones. */
void ms_compressor_write(ms_compressor *compressor, const void *data, size_t bytes, bool last);

/* ---- cutting the compressed bytes back --------------------------------------------------------
 */

/* What a compressor needs to go on behind a point. */
typedef struct ms_compressor_point {
  uint32_t crc32, bytes; /* of all data before the point, the number of bytes mod 2^32 */
} ms_compressor_point;

/* Bytes of data after which a point costs little, behind `before` bytes: it ends a block of gzip,
 * or a frame of zstd. */
uint64_t ms_compressor_point_distance(ms_compression kind, uint64_t before);
/* Passes on everything that was written, so that the compressed bytes may be cut behind it. */
void ms_compressor_end_part(ms_compressor *compressor, ms_compressor_point *point);
/* Returns the same of a compressor whose last bytes belong to a block. */
void ms_compressor_get_point(const ms_compressor *compressor, ms_compressor_point *point);
/* Goes on behind the point, after which nothing is left of the compressed bytes; NULL: begins
 * again. */
void ms_compressor_go_back(ms_compressor *compressor, const ms_compressor_point *point);

/* ---- blocks: pieces that are compressed each by itself ----------------------------------------
 */

/* Compresses blocks for gzip; a thread has its own. */
typedef struct ms_deflater ms_deflater;

/* Returns NULL if there is no memory. */
ms_deflater *ms_deflater_new(void);
void ms_deflater_free(ms_deflater *deflater); /* may be NULL */
/* Returns the most bytes to which this number of bytes is compressed. */
size_t ms_deflate_bound(ms_deflater *deflater, size_t bytes);
/* Compresses a block of less than 2^32 bytes to `to`, which has room for the bound: a piece of a
 * deflate stream that does not look back, and ends at a whole byte.  *crc: CRC-32 of the data.
 * Returns the number of compressed bytes. */
size_t ms_deflate_block(ms_deflater *deflater, const void *data, size_t bytes, void *to,
                        size_t room, uint32_t *crc);
/* Writes a compressed block, of this CRC-32 and number of bytes, to a compressor whose last part is
 * ended, or whose last bytes belong to a block. */
void ms_compressor_add_block(ms_compressor *compressor, const void *packed, size_t packed_bytes,
                             uint32_t crc, size_t bytes);

#endif
