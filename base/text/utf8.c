#include "base/text/utf8.h"

#include <stdint.h>
#include <string.h>

size_t ms_utf8_character(const char *text, size_t length)
{
  const unsigned char *p = (const unsigned char *)text;
  if (length == 0)
    return 0;
  size_t size = p[0] < 0x80   ? 1
                : p[0] < 0xC2 ? 0
                : p[0] < 0xE0 ? 2
                : p[0] < 0xF0 ? 3
                : p[0] < 0xF5 ? 4
                              : 0;
  if (size == 0 || size > length)
    return 0;
  for (size_t i = 1; i < size; i++)
    if ((p[i] & 0xC0) != 0x80)
      return 0;
  bool wrong = (p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
               (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F);
  return wrong ? 0 : size;
}

bool ms_is_utf8(const char *text)
{
  size_t left = strlen(text), size = 1;
  for (; left > 0 && size > 0; text += size, left -= size)
    size = ms_utf8_character(text, left);
  return size > 0;
}

bool ms_is_control(const char *text, size_t size)
{
  const unsigned char *p = (const unsigned char *)text;
  if (size == 1)
    return p[0] < 0x20 || p[0] == 0x7F;
  if (size == 2)
    return p[0] == 0xC2 && p[1] < 0xA0;
  if (size != 3 || p[0] != 0xE2)
    return false;
  return (p[1] == 0x80 && p[2] >= 0xA8 && p[2] <= 0xAE) ||
         (p[1] == 0x81 && p[2] >= 0xA6 && p[2] <= 0xA9);
}

/* Returns the number of a character of at most three bytes. */
static unsigned code_of(const char *text, size_t size)
{
  const unsigned char *p = (const unsigned char *)text;
  return size == 1   ? p[0]
         : size == 2 ? (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu)
                     : (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
}

/* Writes a backslash, a letter, and a number as that many hexadecimal digits. */
static size_t put_number(char *out, char letter, unsigned number, size_t count, const char *digits)
{
  out[0] = '\\';
  out[1] = letter;
  for (size_t i = 0; i < count; i++)
    out[2 + i] = digits[number >> 4 * (count - 1 - i) & 15];
  return 2 + count;
}

size_t ms_escape_character(ms_escape_style style, const char *text, size_t length, char *out,
                           size_t *taken)
{
  static const char upper[] = "0123456789ABCDEF", lower[] = "0123456789abcdef";
  size_t size = ms_utf8_character(text, length);
  *taken = size ? size : 1;
  if (size > 0 && !ms_is_control(text, size)) {
    if (style == MS_ESCAPE_JSON && (*text == '"' || *text == '\\')) {
      out[0] = '\\';
      out[1] = *text;
      return 2;
    }
    memcpy(out, text, size);
    return size;
  }
  if (style == MS_ESCAPE_JSON)
    return put_number(out, 'u', size ? code_of(text, size) : 0xFFFD, 4, lower);
  if (size <= 1)
    return put_number(out, 'x', (unsigned char)*text, 2, upper);
  return put_number(out, 'u', code_of(text, size), 4, upper);
}

void ms_escape(const char *text, char *out, size_t room)
{
  size_t left = strlen(text), used = 0, taken;
  for (; left > 0; text += taken, left -= taken) {
    char shown[MS_ESCAPE_BYTES];
    size_t size = ms_escape_character(MS_ESCAPE_SHOWN, text, left, shown, &taken);
    if (size >= room - used)
      break;
    memcpy(out + used, shown, size);
    used += size;
  }
  out[used] = '\0';
}

bool ms_alike(const char *a, const char *b, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (ms_lower(a[i]) != ms_lower(b[i]))
      return false;
    else if (!a[i])
      return true;
  return true;
}
