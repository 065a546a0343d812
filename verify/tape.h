/* Inside verify/: the bytes of a result file as they come, so that a result of
 * many rows need not be held. */
#ifndef MS_VERIFY_TAPE_H
#define MS_VERIFY_TAPE_H

#include "graph/io/text.h"

typedef struct ms_tape {
  const char *path;
  ms_source *source;
  char *buffer; /* [room]: begin..end is not yet taken */
  size_t room, begin, end;
  bool ended;           /* the source has no more bytes */
  bool cut;             /* the line taken last had no end */
  uint64_t line;        /* lines taken */
  uint32_t crc32c;      /* of all bytes taken */
  uint32_t before_line; /* of all bytes in front of the line taken last */
} ms_tape;

/* To be closed in any case. */
ms_status ms_tape_open(ms_tape *tape, const char *path, ms_error *err);
void ms_tape_close(ms_tape *tape);

/* Have `wanted` bytes at hand, or all that are left: *length of them at *bytes,
 * maybe more than wanted, none taken.  A NUL follows.  They last until the next
 * call. */
ms_status ms_tape_look(ms_tape *tape, size_t wanted, char **bytes, size_t *length, ms_error *err);
/* Take bytes that were looked at. */
void ms_tape_take(ms_tape *tape, size_t bytes);
/* Take a line and cut off its end; NULL behind the last. */
ms_status ms_tape_next_line(ms_tape *tape, char **line, size_t *length, ms_error *err);
/* The length of the line that begins `at` bytes ahead, its LF included; 0: it has none.  All of it
 * is at *bytes + at, not taken. */
ms_status ms_tape_look_line(ms_tape *tape, size_t at, char **bytes, size_t *length, ms_error *err);

#endif
