/* Fields; see fields.h. */
#include "graph/io/fields.h"

#include "base/text/format.h"
#include "base/text/utf8.h"

#include <math.h>
#include <string.h>

ms_field ms_field_trim(ms_field field)
{
  while (field.length > 0 && ms_is_blank(field.text[0])) {
    field.text++;
    field.length--;
  }
  while (field.length > 0 && ms_is_blank(field.text[field.length - 1]))
    field.length--;
  return field;
}

/* ---- splitting a line -------------------------------------------------------- */

uint32_t ms_line_columns(ms_field line, uint32_t max, ms_field *fields)
{
  const char *from = line.text, *end = line.text + line.length;
  for (uint32_t count = 1;; count++) {
    const char *tab = memchr(from, '\t', (size_t)(end - from));
    fields[count - 1] = ms_field_trim((ms_field){from, (size_t)((tab ? tab : end) - from)});
    if (!tab || count == max)
      return count;
    from = tab + 1;
  }
}

bool ms_field_word(ms_field *rest, ms_field *word)
{
  const char *at = rest->text, *end = rest->text + rest->length;
  while (at < end && ms_is_blank(*at))
    at++;
  const char *from = at;
  while (at < end && !ms_is_blank(*at))
    at++;
  *word = (ms_field){from, (size_t)(at - from)};
  *rest = (ms_field){at, (size_t)(end - at)};
  return word->length > 0;
}

bool ms_field_next(ms_field *rest, bool tabs, ms_field *field)
{
  if (!tabs)
    return ms_field_word(rest, field);
  if (!rest->text)
    return false;
  const char *tab = memchr(rest->text, '\t', rest->length);
  size_t length = tab ? (size_t)(tab - rest->text) : rest->length;
  *field = ms_field_trim((ms_field){rest->text, length});
  *rest = tab ? (ms_field){tab + 1, rest->length - length - 1} : (ms_field){NULL, 0};
  return true;
}

/* A quoted field begins where a field begins, perhaps behind blanks. */
bool ms_csv_is_open(ms_field line, char mark)
{
  const char *at = line.text, *end = line.text + line.length;
  if (at == end || !memchr(at, '"', (size_t)(end - at)) || strchr("#!%", *at))
    return false;
  for (;; at++) {
    while (at < end && ms_is_blank(*at))
      at++;
    if (at < end && *at == '"') {
      const char *quote;
      do {
        quote = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (!quote)
          return true;
        at = quote + 1;
      } while (at < end && *at == '"');
    }
    at = memchr(at, mark, (size_t)(end - at));
    if (!at)
      return false;
  }
}

/* ---- content ------------------------------------------------------------------- */

bool ms_field_is(ms_field field, const char *text)
{
  return field.length == strlen(text) && memcmp(field.text, text, field.length) == 0;
}

bool ms_field_alike(ms_field field, const char *text)
{
  return field.length == strlen(text) && ms_alike(field.text, text, field.length);
}

bool ms_field_begins(ms_field field, const char *text)
{
  size_t length = strlen(text);
  return field.length >= length && memcmp(field.text, text, length) == 0;
}

bool ms_field_holds(ms_field field, const char *text)
{
  return memmem(field.text, field.length, text, strlen(text)) != NULL;
}

bool ms_field_absent(ms_field field)
{
  return field.length == 0 || (field.length == 1 && field.text[0] == '-');
}

bool ms_field_missing(ms_field field)
{
  return field.length == 0 || ms_name_is_missing(field.text, field.length);
}

bool ms_field_count(ms_field field, uint64_t most, uint64_t *value)
{
  uint64_t number = 0;
  if (field.length == 0)
    return false;
  for (size_t i = 0; i < field.length; i++) {
    unsigned digit = (unsigned)(unsigned char)field.text[i] - '0';
    if (digit > 9 || number > (most - digit) / 10 || digit > most)
      return false;
    number = number * 10 + digit;
  }
  *value = number;
  return true;
}

/* Reads up to 15 digits, perhaps with a point among them: both parts of the quotient are exact, so
 * that it is rounded once (W. D. Clinger: How to read floating point numbers accurately, 1990). */
static bool read_short_decimal(ms_field field, double *value)
{
  static const double power[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  uint64_t digits = 0;
  size_t count = 0, point = SIZE_MAX;
  for (size_t i = 0; i < field.length && count < 16; i++) {
    unsigned digit = (unsigned)(unsigned char)field.text[i] - '0';
    if (digit > 9 && (field.text[i] != '.' || point != SIZE_MAX))
      return false;
    if (digit > 9) {
      point = i;
    } else {
      digits = 10 * digits + digit;
      count++;
    }
  }
  if (count == 0 || count == 16)
    return false;
  *value = (double)digits / power[point == SIZE_MAX ? 0 : field.length - 1 - point];
  return true;
}

/* ms_read_real alone would also take "inf", "nan" and hexadecimal. */
bool ms_field_real(ms_field field, double *value)
{
  char digits[64], *end;
  if (read_short_decimal(field, value))
    return true;
  if (field.length == 0 || field.length >= sizeof digits)
    return false;
  memcpy(digits, field.text, field.length);
  digits[field.length] = '\0';
  if (strspn(digits, "0123456789.+-eE") != field.length)
    return false;
  *value = ms_read_real(digits, &end);
  return end == digits + field.length && isfinite(*value);
}

size_t ms_field_taxon(ms_field name)
{
  size_t at = 0;
  while (at < name.length && name.text[at] >= '0' && name.text[at] <= '9')
    at++;
  return at > 0 && at + 1 < name.length && name.text[at] == '.' ? at + 1 : 0;
}

uint32_t ms_column_usual(const ms_field *header, uint32_t count, const char *const *usual)
{
  for (; *usual; usual++)
    for (uint32_t i = 0; i < count; i++)
      if (ms_field_alike(header[i], *usual))
        return i;
  return MS_NO_COLUMN;
}
