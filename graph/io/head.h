/* The beginning of a file, from which rules and readers find out what the file holds. */
#ifndef MS_GRAPH_IO_HEAD_H
#define MS_GRAPH_IO_HEAD_H

#include "graph/io/text.h"

#define MS_HEAD_BYTES ((size_t)64 << 10) /* of a file; enough to detect its format */

/* The beginning of a file. */
typedef struct ms_head {
  const char *path;  /* for its suffix */
  const char *bytes; /* uncompressed, not NUL-terminated, NULs possible */
  size_t length;
  bool whole; /* this is all of the file */
} ms_head;

/* Reads the head of `text`, which is in front of its first line.  The head is valid until more
 * of the text is read. */
ms_status ms_head_read(const char *path, ms_text *text, ms_head *head, ms_error *err);
/* Reads the line that begins at *at, without its end, and moves *at behind it.  0 is in front of
 * the first line.  False where the head has no such line, or not all of it. */
bool ms_head_next_line(const ms_head *head, size_t *at, ms_field *line);
/* Does the same as ms_head_next_line past blank lines and comments, as ms_text_next_data. */
bool ms_head_next_data(const ms_head *head, size_t *at, ms_field *line);
/* Does the path end with the suffix, perhaps followed by .gz or .zst? */
bool ms_head_has_suffix(const ms_head *head, const char *suffix);
/* Returns what follows blank bytes. */
ms_field ms_head_content(const ms_head *head);
/* Returns what begins with the first line of data. */
ms_field ms_head_data(const ms_head *head);

#endif
