/* Text input, line by line: plain files, gzip and zstd (detected by content), and standard input
 * ("-").  It counts lines for messages and computes the CRC-32C of the uncompressed bytes.  Lines
 * end in LF or CRLF; the last may lack its end.  UTF-16 and lines that end in CR alone are refused
 * by name. */
#ifndef MS_GRAPH_IO_TEXT_H
#define MS_GRAPH_IO_TEXT_H

#include "base/meter.h"
#include "graph/io/fields.h"
#include "motifsieve.h"

#define MS_MAX_LINE ((size_t)64 << 20) /* bytes; a longer line is taken for an error */

/* ---- bytes ------------------------------------------------------------ */

/* A stream of uncompressed bytes. */
typedef struct ms_source ms_source;

/* `label` names the source in messages; it and path must outlive the source. */
ms_status ms_source_open(const char *path, const char *label, ms_source **out, ms_error *err);
/* Reads up to `room` > 0 bytes; *got == 0 only at the end. */
ms_status ms_source_read(ms_source *source, char *buffer, size_t room, size_t *got, ms_error *err);
void ms_source_close(ms_source *source);
/* Is it a regular file that is not compressed?  Then *file is its descriptor, which the source
 * keeps, and *size its size. */
bool ms_source_is_plain_file(const ms_source *source, int *file, size_t *size);

/* ---- lines ------------------------------------------------------------ */

typedef struct ms_text {
  const char *label; /* the path, or "standard input" */
  uint64_t number;   /* of the current line, from 1 */
  char *line;        /* current line without its end, NUL-terminated, may be
                        changed in place; NULL at the end of the input */
  size_t length;     /* of line */
  uint32_t crc32c;   /* of all bytes read so far */

  ms_source *source;
  char *buffer; /* [room + 1]: begin..end is not read yet */
  size_t room, begin, end;
  bool ended;    /* the source has no more bytes */
  bool section;  /* a comment such as "#Edges" is there */
  bool gap;      /* a blank line is between the current line of data and the one before */
  bool quoted;   /* cells between tabs or blanks are in quotes, which are no part of them */
  char csv;      /* what separates fields that may be in quotes, and then hold line ends; 0: none */
  uint64_t more; /* lines of the current record behind its first one */
  ms_meter meter; /* open as long as the text is */
} ms_text;

/* Opens a text, behind a byte order mark, and a meter with it, so that all that a reader allocates
 * counts, and messages about memory name the line: texts are closed in reverse order.  `path` must
 * outlive the text. */
ms_status ms_text_open(const char *path, ms_text **out, ms_error *err);
void ms_text_close(ms_text *text);
/* Moves to the next line; NUL bytes are errors. */
ms_status ms_text_next(ms_text *text, ms_error *err);
/* Does the same past blank lines and comments (#, ! or % at the line start). */
ms_status ms_text_next_data(ms_text *text, ms_error *err);
/* Is the line neither blank nor a comment? */
bool ms_line_holds_data(const char *line, size_t length);
/* Is this a comment of one word, such as "#Nodes", that names the lines below it? */
bool ms_line_begins_section(const char *line, size_t length);
/* Returns the length of the byte order mark at the start of the line, or 0. */
size_t ms_mark_length(const char *line, size_t length);

/* Shows the next bytes without reading past them: `wanted` or more, or all up to the end.  In
 * front of the first line only. */
ms_status ms_text_head(ms_text *text, size_t wanted, const char **bytes, size_t *length,
                       ms_error *err);
/* For readers that do not read lines: reads the next bytes, as many as are buffered; *length ==
 * 0 only at the end.  They are valid until the next call; the caller keeps text->number. */
ms_status ms_text_read_bytes(ms_text *text, const char **bytes, size_t *length, ms_error *err);

/* For readers of many lines at once: shows whole lines, up to `wanted` bytes, with the LF of the
 * last one, without reading past them.  *length == 0 where ms_text_next must read the next line.
 * They are valid until the next call of another function. */
ms_status ms_text_lines(ms_text *text, size_t wanted, char **bytes, size_t *length, ms_error *err);
/* Reads past the first `bytes` of them, which are `lines` whole lines. */
void ms_text_skip(ms_text *text, size_t bytes, uint64_t lines);

/* Calls ms_fail with MS_ERR_INPUT and "label:number: " in front of the message. */
ms_status ms_text_fail(const ms_text *text, ms_error *err, const char *format, ...) MS_PRINTF(3, 4);

/* ---- fields ----------------------------------------------------------- */

/* What separates two fields of a line. */
typedef enum ms_delimiter {
  MS_TAB,
  MS_COMMA,    /* CSV: a field may be in double quotes, "" is a quote in it */
  MS_BLANKS,   /* a run of blanks and tabs */
  MS_SEMICOLON /* CSV, as Excel writes it where the comma is the decimal sign */
} ms_delimiter;

/* Returns the tab if the line has one, else the first comma or semicolon outside quotes, else
 * blanks. */
ms_delimiter ms_text_delimiter(const ms_text *text);
/* "a tab", "a comma", "blanks", "a semicolon" */
const char *ms_delimiter_name(ms_delimiter delimiter);
/* Returns the character; a blank for MS_BLANKS. */
char ms_delimiter_mark(ms_delimiter delimiter);
/* Counts the delimiters of a line outside quotes. */
uint32_t ms_delimiter_count(ms_field line, ms_delimiter delimiter);

/* Says what separates the fields of the lines that follow: in CSV, a line reaches to the end of its
 * quoted fields, over several lines of the file. */
void ms_text_set_delimiter(ms_text *text, ms_delimiter delimiter);
/* Reads a finite number; between semicolons, its decimal sign may be a comma. */
bool ms_field_decimal(ms_field field, ms_delimiter delimiter, double *value);
/* Is the cell, of a table between tabs or blanks, in quotes, as R writes it? */
bool ms_cell_is_quoted(ms_field cell);

/* Splits the current line into at most `max` fields.  Blanks around a field are not part of it,
 * unless they are quoted.  Rewrites quoted fields in place. */
ms_status ms_text_split(ms_text *text, ms_delimiter delimiter, uint32_t max, ms_field *fields,
                        uint32_t *count, ms_error *err);

/* Checks that the field can be a name (graph/names.h); an error says "the `what` ...". */
ms_status ms_text_check_name(const ms_text *text, ms_field field, const char *what, ms_error *err);

#endif
