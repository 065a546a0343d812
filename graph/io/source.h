/* The parts of ms_source (text.h): raw.c reads the bytes of the file as they are stored, and
 * decoders unpack them. */
#ifndef MS_GRAPH_IO_SOURCE_H
#define MS_GRAPH_IO_SOURCE_H

#include "motifsieve.h"

#define MS_RAW_BYTES ((size_t)64 << 10)

typedef struct ms_raw {
  const char *label;
  int file;
  bool owned;           /* close the file at the end */
  unsigned char *bytes; /* [MS_RAW_BYTES]: begin..end is not used yet */
  size_t begin, end;
  bool ended;      /* the file has no more bytes */
  bool may_wait;   /* reading may wait for another program: a pipe, a terminal, a socket */
  uint64_t polled; /* bytes since the stop token was polled last */
  uint64_t factor; /* bytes of memory for each byte that is read from now on (base/meter.h) */
} ms_raw;

/* Opens the file, or standard input ("-").  `label` names it in messages and must outlive *raw.
 * The caller calls ms_raw_close, also after a failure. */
ms_status ms_raw_open(const char *path, const char *label, ms_raw *raw, ms_error *err);
void ms_raw_close(ms_raw *raw);

/* Moves the unused bytes to the front and reads until there are `wanted` of them or the file
 * ends.  It waits no longer than the token of the thread (base/stop.h) allows. */
ms_status ms_raw_fill(ms_raw *raw, size_t wanted, ms_error *err);
/* Polls that token after every MiB of bytes, compressed or not.  So a small file is read even if
 * the time is up, and the search that follows says so in its result. */
ms_status ms_raw_poll(ms_raw *raw, size_t bytes, ms_error *err);

/* A compression format.  Each has a source file. */
typedef struct ms_decoder {
  size_t magic; /* bytes that `begins` needs */
  /* Does compressed data begin here?  `length` is less than `magic` only at the end. */
  bool (*begins)(const unsigned char *bytes, size_t length);
  ms_status (*open)(void **state, ms_error *err);
  /* As ms_source_read, with room > 0. */
  ms_status (*read)(void *state, ms_raw *raw, char *buffer, size_t room, size_t *got,
                    ms_error *err);
  void (*close)(void *state);
} ms_decoder;

extern const ms_decoder ms_decoder_gzip, ms_decoder_zstd;

#endif
