/* Behind ms_source (text.h): the bytes of the file as they stand there, and
 * the decoders that unpack them. */
#ifndef MS_GRAPH_IO_SOURCE_H
#define MS_GRAPH_IO_SOURCE_H

#include "motifsieve.h"

#define MS_RAW_BYTES ((size_t)64 << 10)

typedef struct ms_raw {
  const char *label;
  int file;
  bool owned;           /* close the file at the end */
  unsigned char *bytes; /* [MS_RAW_BYTES]: begin..end is not yet used */
  size_t begin, end;
  bool ended; /* the file has no more bytes */
} ms_raw;

/* Move what is left to the front and read on until `wanted` bytes are there
 * or the file ends. */
ms_status ms_raw_fill(ms_raw *raw, size_t wanted, ms_error *err);

/* A way to unpack a file, one file each. */
typedef struct ms_decoder {
  size_t magic; /* bytes that `begins` wants to see */
  /* Does something packed begin here?  `length` may be less at the end. */
  bool (*begins)(const unsigned char *bytes, size_t length);
  ms_status (*open)(void **state, ms_error *err);
  /* As ms_source_read, with room > 0. */
  ms_status (*read)(void *state, ms_raw *raw, char *buffer, size_t room, size_t *got,
                    ms_error *err);
  void (*close)(void *state);
} ms_decoder;

extern const ms_decoder ms_decoder_gzip, ms_decoder_zstd;

#endif
