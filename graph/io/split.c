/* What separates the fields of a line, and splitting it into fields; see text.h. */
#include "base/status.h"
#include "graph/io/text.h"

#include <string.h>

ms_delimiter ms_text_delimiter(const ms_text *text)
{
  bool quoted = false;
  if (memchr(text->line, '\t', text->length))
    return MS_TAB;
  for (size_t i = 0; i < text->length; i++) {
    char c = text->line[i];
    quoted ^= c == '"';
    if (!quoted && (c == ',' || c == ';'))
      return c == ',' ? MS_COMMA : MS_SEMICOLON;
  }
  return memchr(text->line, ',', text->length) ? MS_COMMA : MS_BLANKS;
}

const char *ms_delimiter_name(ms_delimiter delimiter)
{
  static const char *const names[] = {"a tab", "a comma", "blanks", "a semicolon"};
  return names[delimiter];
}

char ms_delimiter_mark(ms_delimiter delimiter)
{
  static const char marks[] = {'\t', ',', ' ', ';'};
  return marks[delimiter];
}

void ms_text_set_delimiter(ms_text *text, ms_delimiter delimiter)
{
  bool quotes = delimiter == MS_COMMA || delimiter == MS_SEMICOLON;
  text->csv = quotes ? ms_delimiter_mark(delimiter) : '\0';
}

/* ---- fields ---------------------------------------------------------------- */

uint32_t ms_delimiter_count(ms_field line, ms_delimiter delimiter)
{
  uint32_t count = 0;
  bool quoted = false;
  for (size_t i = 0; i < line.length; i++) {
    quoted ^= delimiter != MS_TAB && line.text[i] == '"';
    count += !quoted && line.text[i] == ms_delimiter_mark(delimiter);
  }
  return count;
}

static void split_at(ms_text *text, char mark, uint32_t max, ms_field *fields, uint32_t *count)
{
  const char *from = text->line, *end = text->line + text->length;
  for (;;) {
    const char *to = memchr(from, mark, (size_t)(end - from));
    fields[(*count)++] = ms_field_trim((ms_field){from, (size_t)((to ? to : end) - from)});
    if (!to || *count == max)
      return;
    from = to + 1;
  }
}

static void split_at_blanks(ms_text *text, uint32_t max, ms_field *fields, uint32_t *count)
{
  const char *at = text->line, *end = text->line + text->length;
  while (*count < max) {
    while (at < end && ms_is_blank(*at))
      at++;
    if (at == end)
      return;
    const char *from = at;
    while (at < end && !ms_is_blank(*at))
      at++;
    fields[(*count)++] = (ms_field){from, (size_t)(at - from)};
  }
}

/* Reads a quoted field.  *at is behind the opening quote on entry, behind the closing one on
 * return. */
static ms_status unquote(ms_text *text, char **at, ms_field *field, ms_error *err)
{
  char *from = *at, *to = from, *end = text->line + text->length;
  for (char *p = from; p < end; p++) {
    if (*p == '"' && (p + 1 == end || p[1] != '"')) {
      *field = (ms_field){from, (size_t)(to - from)};
      *at = p + 1;
      return MS_OK;
    }
    if (*p == '"')
      p++;
    *to++ = *p;
  }
  return ms_text_fail(text, err,
                      "a double quote is not closed on its line; close it, or write \"\" for a "
                      "quote inside a quoted field");
}

static ms_status split_csv(ms_text *text, char mark, uint32_t max, ms_field *fields,
                           uint32_t *count, ms_error *err)
{
  char *at = text->line, *end = text->line + text->length;
  for (;;) {
    while (at < end && ms_is_blank(*at))
      at++;
    if (at < end && *at == '"') {
      at++;
      MS_TRY(unquote(text, &at, &fields[*count], err));
      while (at < end && ms_is_blank(*at))
        at++;
      if (at < end && *at != mark)
        return ms_text_fail(text, err,
                            "text follows a closing double quote; put the whole field into the "
                            "quotes, or write \"\" for a quote inside");
    } else {
      char *to = memchr(at, mark, (size_t)(end - at));
      to = to ? to : end;
      fields[*count] = ms_field_trim((ms_field){at, (size_t)(to - at)});
      at = to;
    }
    if (++*count == max || at == end)
      return MS_OK;
    at++; /* the mark */
  }
}

bool ms_field_decimal(ms_field field, ms_delimiter delimiter, double *value)
{
  char digits[64];
  char *comma;
  if (ms_field_real(field, value) || delimiter != MS_SEMICOLON || field.length >= sizeof digits)
    return ms_field_real(field, value);
  memcpy(digits, field.text, field.length);
  comma = memchr(digits, ',', field.length);
  if (comma)
    *comma = '.';
  return ms_field_real((ms_field){digits, field.length}, value);
}

bool ms_cell_is_quoted(ms_field cell)
{
  return cell.length > 1 && cell.text[0] == '"' && cell.text[cell.length - 1] == '"';
}

/* Removes the quotes around the cells of a table that R wrote. */
static ms_status remove_quotes(const ms_text *text, ms_field *fields, uint32_t count, ms_error *err)
{
  for (uint32_t i = 0; i < count; i++) {
    ms_field *cell = &fields[i];
    if (ms_cell_is_quoted(*cell))
      *cell = (ms_field){cell->text + 1, cell->length - 2};
    else if (cell->length > 0 && cell->text[0] == '"')
      return ms_text_fail(text, err,
                          "a name in quotes holds what separates the columns; separate them by "
                          "tabs or commas");
  }
  return MS_OK;
}

ms_status ms_text_split(ms_text *text, ms_delimiter delimiter, uint32_t max, ms_field *fields,
                        uint32_t *count, ms_error *err)
{
  *count = 0;
  if (delimiter == MS_COMMA || delimiter == MS_SEMICOLON)
    return split_csv(text, ms_delimiter_mark(delimiter), max, fields, count, err);
  if (delimiter == MS_TAB)
    split_at(text, '\t', max, fields, count);
  else
    split_at_blanks(text, max, fields, count);
  return text->quoted ? remove_quotes(text, fields, *count, err) : MS_OK;
}
