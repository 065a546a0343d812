/* Lines and fields; see text.h. */
#include "graph/io/text.h"

#include "base/alloc.h"
#include "base/crc32c.h"
#include "base/status.h"
#include "base/text/format.h"
#include "graph/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIRST_ROOM ((size_t)256 << 10)

static ms_status skip_marks(ms_text *text, ms_error *err);

ms_status ms_text_open(const char *path, ms_text **out, ms_error *err)
{
  *out = NULL;
  ms_text *text = ms_calloc(1, sizeof *text);
  if (!text)
    return ms_fail_memory(err, "a text reader");
  text->label = strcmp(path, "-") == 0 ? "standard input" : path;
  ms_meter_open(&text->meter, 0, text->label, &text->number);
  text->room = FIRST_ROOM;
  text->buffer = ms_alloc(text->room + 1, 1);
  ms_status status = text->buffer ? ms_source_open(path, text->label, &text->source, err)
                                  : ms_fail_memory(err, "a line buffer");
  if (status == MS_OK)
    status = skip_marks(text, err);
  if (status != MS_OK) {
    ms_text_close(text);
    return status;
  }
  *out = text;
  return MS_OK;
}

void ms_text_close(ms_text *text)
{
  if (!text)
    return;
  ms_source_close(text->source);
  ms_free(text->buffer);
  ms_meter_close(&text->meter);
  ms_free(text);
}

ms_status ms_text_fail(const ms_text *text, ms_error *err, const char *format, ...)
{
  char message[sizeof err->message];
  va_list args;
  va_start(args, format);
  ms_format_list(message, sizeof message, format, args);
  va_end(args);
  if (text->number == 0) /* there is no line */
    return ms_fail(err, MS_ERR_INPUT, "%s: %s", text->label, message);
  return ms_fail(err, MS_ERR_INPUT, "%s:%llu: %s", text->label, (unsigned long long)text->number,
                 message);
}

/* Makes room for that many waiting bytes. */
static ms_status make_room(ms_text *text, size_t wanted, ms_error *err)
{
  if (wanted <= text->room)
    return MS_OK;
  char *larger = ms_resize(text->buffer, text->room + 1, wanted + 1, 1);
  if (!larger)
    return ms_fail_memory(err, "a line buffer");
  text->buffer = larger;
  text->room = wanted;
  return MS_OK;
}

/* Reads more bytes behind those that wait. */
static ms_status fill(ms_text *text, ms_error *err)
{
  size_t waiting = text->end - text->begin, got;
  memmove(text->buffer, text->buffer + text->begin, waiting);
  text->begin = 0;
  text->end = waiting;
  ms_status status = waiting == text->room ? make_room(text, text->room * 2, err) : MS_OK;
  if (status != MS_OK)
    return status;
  status =
      ms_source_read(text->source, text->buffer + text->end, text->room - text->end, &got, err);
  if (status != MS_OK)
    return status;
  text->crc32c = ms_crc32c(text->crc32c, text->buffer + text->end, got);
  text->end += got;
  text->ended = got == 0;
  return MS_OK;
}

/* Makes the text show that many bytes, or all up to the end. */
static ms_status show(ms_text *text, size_t wanted, ms_error *err)
{
  while (!text->ended && text->end - text->begin < wanted)
    MS_TRY(fill(text, err));
  return MS_OK;
}

/* Skips what is in front of the first line, here for all readers: byte order marks, and the line
 * "sep=;" that tells Excel the delimiter.  No rule and no reader ever sees them. */
static ms_status skip_marks(ms_text *text, ms_error *err)
{
  enum { SIZE = sizeof MS_BYTE_ORDER_MARK - 1, LINE = sizeof "sep=;\r\n" - 1 };
  MS_TRY(show(text, SIZE, err));
  while (text->end - text->begin >= SIZE &&
         memcmp(text->buffer + text->begin, MS_BYTE_ORDER_MARK, SIZE) == 0) {
    text->begin += SIZE;
    MS_TRY(show(text, SIZE, err));
  }
  if (text->end - text->begin < SIZE || memcmp(text->buffer + text->begin, "sep", SIZE) != 0)
    return MS_OK;
  MS_TRY(show(text, LINE, err));
  const char *line = text->buffer + text->begin;
  size_t length = text->end - text->begin;
  if (length < LINE || line[3] != '=' || !strchr(",;\t", line[4]))
    return MS_OK;
  size_t end = 5 + (line[5] == '\r');
  if (line[end] == '\n') {
    text->begin += end + 1;
    text->number = 1;
  }
  return MS_OK;
}

/* Finds the length of the next line without its LF, of which the first `searched` bytes hold no
 * end of it; at the end of the input, all that is left is a line. */
static ms_status find_line(ms_text *text, size_t searched, size_t *length, ms_error *err)
{
  for (;;) {
    const char *from = text->buffer + text->begin;
    size_t waiting = text->end - text->begin;
    const char *lf = searched < waiting ? memchr(from + searched, '\n', waiting - searched) : NULL;
    *length = lf ? (size_t)(lf - from) : waiting;
    if (*length > MS_MAX_LINE) {
      text->number++;
      return ms_text_fail(text, err, "the line is longer than %zu MiB; is this a text file?",
                          MS_MAX_LINE >> 20);
    }
    if (lf || text->ended)
      return MS_OK;
    searched = waiting;
    MS_TRY(fill(text, err));
  }
}

/* Finds the length of the next line, or of the lines over which a quoted field reaches. */
static ms_status find_record(ms_text *text, size_t *length, ms_error *err)
{
  enum { MOST_LINES = 1000 };
  MS_TRY(find_line(text, 0, length, err));
  if (!text->csv)
    return MS_OK;
  for (uint64_t lines = 0;; lines++) {
    const char *from = text->buffer + text->begin;
    if (!ms_csv_is_open((ms_field){from, *length}, text->csv))
      return MS_OK;
    bool last = text->end - text->begin == *length && text->ended;
    if (last || lines == MOST_LINES) {
      text->number++;
      return ms_text_fail(text, err,
                          "a double quote is not closed%s; close it, or write \"\" for a quote "
                          "inside a quoted field",
                          last ? "" : " within 1000 lines");
    }
    MS_TRY(find_line(text, *length + 1, length, err));
    text->more++;
  }
}

/* Refuses text whose lines would be read as one line, or not as text.  Markup has its own rules. */
static ms_status check_encoding(const ms_text *text, ms_error *err)
{
  const char *from = text->buffer + text->begin;
  size_t length = text->end - text->begin, blank = 0;
  bool wide = length >= 4 && (memcmp(from, "\xFF\xFE", 2) == 0 || memcmp(from, "\xFE\xFF", 2) == 0);
  while (blank < length && strchr(" \t\r\n", from[blank]))
    blank++;
  if ((blank < length && from[blank] == '<') || (wide && (from[2] == '<' || from[3] == '<')))
    return MS_OK;
  if (wide)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: is UTF-16 text, which Excel calls 'Unicode Text'; save it as 'CSV UTF-8', "
                   "or convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW",
                   text->label);
  if (memchr(from, '\r', length) && !memchr(from, '\n', length) && !memchr(from, '\0', length) &&
      memchr(from, '\r', length) != from + length - 1)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: its lines end as on old Macintosh computers (CR); in Excel, save it as "
                   "'CSV UTF-8', or convert it: tr '\\r' '\\n' < FILE > NEW",
                   text->label);
  return MS_OK;
}

ms_status ms_text_next(ms_text *text, ms_error *err)
{
  size_t length;
  text->line = NULL;
  text->length = 0;
  text->number += text->more;
  text->more = 0;
  MS_TRY(find_record(text, &length, err));
  if (text->number == 0)
    MS_TRY(check_encoding(text, err));
  if (length == 0 && text->begin == text->end)
    return MS_OK; /* no line left: line stays NULL */
  text->number++;
  text->line = text->buffer + text->begin;
  text->begin += length < text->end - text->begin ? length + 1 : length;
  for (size_t mark; (mark = ms_mark_length(text->line, length)) > 0; length -= mark)
    text->line += mark; /* of a file that was appended to another */
  if (length > 0 && text->line[length - 1] == '\r')
    length--;
  text->line[length] = '\0'; /* the buffer has room for it behind the last line */
  if (memchr(text->line, '\0', length))
    return ms_text_fail(text, err,
                        "holds a NUL byte; give a text file in UTF-8, plain, gzip or zstd");
  text->length = length;
  return MS_OK;
}

ms_status ms_text_head(ms_text *text, size_t wanted, const char **bytes, size_t *length,
                       ms_error *err)
{
  ms_status status = MS_OK;
  while (status == MS_OK && !text->ended && text->end - text->begin < wanted)
    status = fill(text, err);
  *bytes = text->buffer + text->begin;
  *length = text->end - text->begin;
  return status == MS_OK ? check_encoding(text, err) : status;
}

ms_status ms_text_read_bytes(ms_text *text, const char **bytes, size_t *length, ms_error *err)
{
  ms_status status = MS_OK;
  if (text->begin == text->end && !text->ended)
    status = fill(text, err);
  *bytes = text->buffer + text->begin;
  *length = text->end - text->begin;
  text->begin = text->end;
  return status;
}

ms_status ms_text_lines(ms_text *text, size_t wanted, char **bytes, size_t *length, ms_error *err)
{
  ms_status status = make_room(text, wanted, err);
  while (status == MS_OK && !text->ended && text->end - text->begin < wanted)
    status = fill(text, err);
  size_t waiting = text->end - text->begin;
  waiting = waiting < wanted ? waiting : wanted;
  *bytes = text->buffer + text->begin;
  const char *lf = memrchr(*bytes, '\n', waiting);
  *length = lf ? (size_t)(lf + 1 - *bytes) : 0;
  return status;
}

void ms_text_skip(ms_text *text, size_t bytes, uint64_t lines)
{
  text->begin += bytes;
  text->number += lines + text->more;
  text->more = 0;
}

size_t ms_mark_length(const char *line, size_t length)
{
  size_t mark = sizeof MS_BYTE_ORDER_MARK - 1;
  return length >= mark && memcmp(line, MS_BYTE_ORDER_MARK, mark) == 0 ? mark : 0;
}

bool ms_line_holds_data(const char *line, size_t length)
{
  size_t at = 0;
  if (length > 0 && (line[0] == '#' || line[0] == '!' || line[0] == '%'))
    return false;
  while (at < length && ms_is_blank(line[at]))
    at++;
  return at < length;
}

bool ms_line_begins_section(const char *line, size_t length)
{
  static const char *const words[] = {"nodes",  "edges",  "vertices", "links",     "node",  "edge",
                                      "vertex", "*nodes", "*edges",   "*vertices", "*arcs", NULL};
  static const char *const kinds[] = {"", "list", "table", "attributes", "data", NULL};
  ms_field rest = {line, length}, word = {"", 0};
  while (rest.length > 0 && memchr("#%", *rest.text, 2))
    rest = (ms_field){rest.text + 1, rest.length - 1};
  bool comment = rest.length < length && ms_field_word(&rest, &word);
  rest = ms_field_trim(rest);
  for (ms_field *end = rest.length > 0 ? &rest : &word; end->length > 0; end->length--)
    if (end->text[end->length - 1] != ':')
      break;
  return comment && ms_column_usual(&word, 1, words) != MS_NO_COLUMN &&
         ms_column_usual(&rest, 1, kinds) != MS_NO_COLUMN;
}

ms_status ms_text_next_data(ms_text *text, ms_error *err)
{
  text->gap = text->section = false;
  for (;;) {
    MS_TRY(ms_text_next(text, err));
    if (!text->line || ms_line_holds_data(text->line, text->length))
      return MS_OK;
    text->gap |= !*text->line || ms_is_blank(*text->line);
    text->section |= ms_line_begins_section(text->line, text->length);
  }
}

ms_status ms_text_check_name(const ms_text *text, ms_field field, const char *what, ms_error *err)
{
  const char *problem = ms_name_problem(field.text, field.length);
  return problem ? ms_text_fail(text, err, "the %s %s", what, problem) : MS_OK;
}
