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

bool ms_head_next_raw_line(const ms_head *head, size_t *at, ms_field *line)
{
  if (*at >= head->length)
    return false;
  const char *from = head->bytes + *at;
  const char *lf = memchr(from, '\n', head->length - *at);
  if (!lf && !head->whole)
    return false;
  *line = (ms_field){from, lf ? (size_t)(lf - from) : head->length - *at};
  *at += line->length + 1;
  return true;
}

bool ms_head_has_mark(const ms_head *head)
{
  return head->length >= 3 && memcmp(head->bytes, MS_BYTE_ORDER_MARK, 3) == 0;
}

ms_field ms_head_content(const ms_head *head)
{
  size_t at = ms_head_has_mark(head) ? 3 : 0;
  while (at < head->length && strchr(" \t\r\n", head->bytes[at]))
    at++;
  return (ms_field){head->bytes + at, head->length - at};
}

bool ms_head_next_line(const ms_head *head, size_t *at, ms_field *line)
{
  if (*at == 0 && ms_head_has_mark(head))
    *at = 3;
  if (!ms_head_next_raw_line(head, at, line))
    return false;
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
