/* Marks in an output: points at which whole rows end.  If the disk is full, the output is cut back
 * to one of them.  Late marks lie close together and early ones far apart: at any time there is a
 * late one, which loses few rows, and an early one, which frees much room. */
#ifndef MS_BASE_MARKS_H
#define MS_BASE_MARKS_H

#include "base/compress.h"

#include <sys/types.h>

#define MS_MARKS 64u

typedef struct ms_mark {
  uint64_t rows; /* rows before the point, at least 1 */
  off_t offset;  /* bytes of the file before it, and their CRC-32C */
  uint32_t file_crc;
  uint64_t bytes; /* the same before compression */
  uint32_t crc;
  ms_compressor_point point;
} ms_mark;

typedef struct ms_marks {
  uint32_t count;
  ms_mark mark[MS_MARKS];
} ms_marks;

/* Adds a mark behind all others. */
void ms_marks_add(ms_marks *marks, const ms_mark *mark);
/* Takes the last mark that lies at least `room` bytes before the end, or if there is none, the last
 * one before the end, and removes it and all later ones.  Returns false if no mark is before the
 * end. */
bool ms_marks_take(ms_marks *marks, off_t end, off_t room, ms_mark *mark);

#endif
