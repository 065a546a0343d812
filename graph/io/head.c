/* The beginning of a file, as the rules that detect formats see it; see head.h. */
#include "graph/io/head.h"
#include "base/status.h"

#include <string.h>

ms_status ms_head_read(const char *path, ms_text *text, ms_head *head, ms_error *err)
{
  *head = (ms_head){.path = path};
  ms_status status = ms_text_head(text, MS_HEAD_BYTES, &head->bytes, &head->length, err);
  head->whole = text->ended;
  return status;
}

ms_field ms_head_content(const ms_head *head)
{
  size_t at = 0;
  while (at < head->length && strchr(" \t\r\n", head->bytes[at]))
    at++;
  return (ms_field){head->bytes + at, head->length - at};
}

bool ms_head_next_line(const ms_head *head, size_t *at, ms_field *line)
{
  if (*at >= head->length)
    return false;
  const char *from = head->bytes + *at;
  const char *lf = memchr(from, '\n', head->length - *at);
  if (!lf && !head->whole)
    return false;
  *line = (ms_field){from, lf ? (size_t)(lf - from) : head->length - *at};
  *at += line->length + 1;
  for (size_t mark; (mark = ms_mark_length(line->text, line->length)) > 0;)
    *line = (ms_field){line->text + mark, line->length - mark};
  if (line->length > 0 && line->text[line->length - 1] == '\r')
    line->length--;
  return true;
}

bool ms_head_next_data(const ms_head *head, size_t *at, ms_field *line)
{
  while (ms_head_next_line(head, at, line))
    if (ms_line_holds_data(line->text, line->length))
      return true;
  return false;
}

/* Markup and JSON may be one line that is longer than the head. */
ms_field ms_head_data(const ms_head *head)
{
  size_t at = 0, begin = 0;
  ms_field line;
  while (ms_head_next_line(head, &at, &line) && !ms_line_holds_data(line.text, line.length))
    begin = at;
  begin = begin < head->length ? begin : head->length;
  while (begin < head->length && ms_is_blank(head->bytes[begin]))
    begin++;
  return (ms_field){head->bytes + begin, head->length - begin};
}

static bool ends_with(const char *path, size_t length, const char *suffix)
{
  size_t wanted = strlen(suffix);
  return length > wanted && memcmp(path + length - wanted, suffix, wanted) == 0;
}

bool ms_head_has_suffix(const ms_head *head, const char *suffix)
{
  size_t length = strlen(head->path);
  if (ends_with(head->path, length, ".gz"))
    length -= 3;
  else if (ends_with(head->path, length, ".zst"))
    length -= 4;
  return ends_with(head->path, length, suffix);
}
