/* Compressed output: gzip (RFC 1952) or zstd (RFC 8878) at their usual levels, with
 * a checksum.  It holds no names or times, so equal input gives equal output. */
#ifndef MS_BASE_COMPRESS_H
#define MS_BASE_COMPRESS_H

#include "motifsieve.h"

typedef enum ms_compression { MS_PLAIN, MS_GZIP, MS_ZSTD } ms_compression;

/* Returns the compression that the ending of a path requests: .gz, .zst, or none. */
ms_compression ms_compression_of(const char *path);

/* Receives the compressed bytes. */
typedef void (*ms_sink)(void *user, const void *data, size_t bytes);

typedef struct ms_compressor ms_compressor;

/* Opens a compressor; `compression` must not be MS_PLAIN. */
ms_status ms_compressor_new(ms_compression kind, ms_sink sink, void *user, ms_compressor **out,
                            ms_error *err);
void ms_compressor_free(ms_compressor *compressor);
/* Compresses bytes; `last` says that they are the final ones.  Returns false if memory
 * ran out; then the output is useless. */
bool ms_compressor_write(ms_compressor *compressor, const void *data, size_t bytes, bool last);

#endif
