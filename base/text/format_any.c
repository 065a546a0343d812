/* Apart from format.c, which base/alloc.h needs for its messages. */
#include "base/alloc.h"
#include "base/text/format.h"

char *ms_format_any(char *small, size_t room, size_t *length, const char *format, va_list args)
{
  char *text = small;
  va_list again;
  va_copy(again, args);
  int wanted = ms_format_list(small, room, format, args);
  if (wanted >= 0 && (size_t)wanted >= room) {
    text = ms_alloc((size_t)wanted + 1, 1);
    if (text)
      ms_format_list(text, (size_t)wanted + 1, format, again);
  }
  va_end(again);
  *length = wanted < 0 ? 0 : (size_t)wanted;
  return wanted < 0 ? NULL : text;
}
