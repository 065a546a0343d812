/* Inside verify/: reads the bytes of a result file piece by piece, so that a file of many rows need
 * not be held in memory. */
#ifndef MS_VERIFY_TAPE_H
#define MS_VERIFY_TAPE_H

#include "graph/io/text.h"

typedef struct ms_tape {
  const char *path;
  ms_source *source;
  char *buffer; /* [room]; the bytes begin..end are not yet taken */
  size_t room, begin, end;
  bool ended;           /* the source has no more bytes */
  bool cut;             /* the line taken last had no line end */
  uint64_t line;        /* lines taken */
  uint32_t crc32c;      /* checksum of all bytes taken */
  uint32_t before_line; /* checksum of all bytes before the line taken last */
} ms_tape;

/* Opens a tape, which must be closed in any case. */
ms_status ms_tape_open(ms_tape *tape, const char *path, ms_error *err);
/* Closes the file; what was read of it stays until the tape is closed. */
void ms_tape_end(ms_tape *tape);
void ms_tape_close(ms_tape *tape);

/* Reads ahead until `wanted` bytes are in the buffer, or all that are left: *length of them at
 * *bytes, maybe more than wanted.  It takes none of them.  A NUL follows them.  They last until the
 * next call. */
ms_status ms_tape_peek(ms_tape *tape, size_t wanted, char **bytes, size_t *length, ms_error *err);
/* Takes bytes that were read ahead. */
void ms_tape_take(ms_tape *tape, size_t bytes);
/* Takes a line and cuts off its end; *line is NULL after the last. */
ms_status ms_tape_next_line(ms_tape *tape, char **line, size_t *length, ms_error *err);
/* Finds the length of the line that begins `at` bytes ahead, its LF included; 0: it has no LF.  All
 * of the line is then at *bytes + at; it is not taken. */
ms_status ms_tape_peek_line(ms_tape *tape, size_t at, char **bytes, size_t *length, ms_error *err);

#endif
