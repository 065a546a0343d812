#include "base/text/growing.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "base/text/utf8.h"

#include <stdarg.h>
#include <string.h>

void ms_growing_put(ms_growing *growing, const char *format, ...)
{
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = ms_format_list(NULL, 0, format, args);
  size_t bytes = length >= 0 ? (size_t)length : 0;
  growing->failed =
      growing->failed || !MS_GROW(growing->text, growing->room, growing->used, bytes + 1);
  if (!growing->failed) {
    ms_format_list(growing->text + growing->used, growing->room - growing->used, format, again);
    growing->used += bytes;
  }
  va_end(again);
  va_end(args);
}

void ms_growing_put_json(ms_growing *growing, const char *text)
{
  ms_growing_put(growing, "\"");
  size_t left = strlen(text), taken;
  for (; left > 0; text += taken, left -= taken) {
    char shown[MS_ESCAPE_BYTES];
    size_t size = ms_escape_character(MS_ESCAPE_JSON, text, left, shown, &taken);
    ms_growing_put(growing, "%.*s", (int)size, shown);
  }
  ms_growing_put(growing, "\"");
}

ms_status ms_growing_end(ms_growing *growing, const char *what, char **text, ms_error *err)
{
  *text = NULL;
  if (growing->failed) {
    ms_free(growing->text);
    return ms_fail_memory(err, what);
  }
  *text = growing->text;
  return MS_OK;
}
