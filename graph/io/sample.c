/* Samples of tables; see sample.h. */
#include "graph/io/sample.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/head.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Returns the largest number of cells that the line can have. */
static uint32_t most_cells(const ms_text *line)
{
  uint32_t most = 1;
  for (size_t i = 0; i < line->length; i++)
    most += line->line[i] == '\t' || line->line[i] == ',' || line->line[i] == ' ';
  return most;
}

static ms_status make_cell_room(ms_sample *s, uint32_t wanted, ms_error *err)
{
  uint32_t room = s->cell_room ? s->cell_room : 256;
  while (room - s->cells < wanted)
    room *= 2;
  if (room == s->cell_room)
    return MS_OK;
  ms_field *cell = ms_resize(s->cell, s->cell_room, room, sizeof *cell);
  if (!cell)
    return ms_fail_memory(err, "a sample of a table");
  s->cell = cell;
  s->cell_room = room;
  return MS_OK;
}

/* Splits the line and adds its cells; *split: that was possible. */
static ms_status split_line(ms_sample *s, ms_text *line, ms_sample_line *out, bool *split,
                            ms_error *err)
{
  uint32_t most = most_cells(line), count = 0;
  MS_TRY(make_cell_room(s, most, err));
  *out = (ms_sample_line){.number = line->number, .first = s->cells};
  *split = ms_text_split(line, s->delimiter, most, s->cell + s->cells, &count, NULL) == MS_OK;
  out->count = *split ? count : 0;
  s->cells += out->count;
  return MS_OK;
}

static ms_status add_line(ms_sample *s, ms_text *line, bool *split, ms_error *err)
{
  if (s->lines == s->line_room) {
    uint32_t room = s->line_room ? s->line_room * 2 : 64;
    ms_sample_line *lines = ms_resize(s->line, s->line_room, room, sizeof *lines);
    if (!lines)
      return ms_fail_memory(err, "a sample of a table");
    s->line = lines;
    s->line_room = room;
  }
  MS_TRY(split_line(s, line, &s->line[s->lines], split, err));
  s->lines += *split;
  return MS_OK;
}

/* Splits the lines in s->bytes, which are those of the head. */
static ms_status read_lines(ms_sample *s, const ms_head *head, const char *label,
                            ms_delimiter_rule *rule, ms_error *err)
{
  ms_text line = {.label = label}, comment = {.label = label};
  ms_field field;
  bool split = true;
  for (size_t at = 0;
       split && s->lines < MS_SAMPLE_LINES && ms_head_next_line(head, &at, &field);) {
    line.number++;
    line.line = s->bytes + (field.text - head->bytes);
    line.length = field.length;
    if (s->lines == 0 && field.length > 0 && field.text[0] == '#') {
      comment = line;
      comment.line++;
      comment.length--;
    }
    if (!ms_line_holds_data(line.line, line.length))
      continue;
    if (memchr(line.line, '\0', line.length))
      break;
    if (s->lines == 0)
      s->delimiter = rule(&line);
    MS_TRY(add_line(s, &line, &split, err));
  }
  return comment.line && s->lines > 0 ? split_line(s, &comment, &s->comment, &split, err) : MS_OK;
}

ms_status ms_sample_read(ms_text *text, ms_delimiter_rule *rule, ms_sample **out, ms_error *err)
{
  ms_head head;
  *out = NULL;
  MS_TRY(ms_head_read(text->label, text, &head, err));
  if (head.length > MS_HEAD_BYTES) {
    head.length = MS_HEAD_BYTES;
    head.whole = false;
  }
  ms_sample *s = ms_calloc(1, sizeof *s);
  if (!s)
    return ms_fail_memory(err, "a sample of a table");
  s->bytes = ms_alloc(head.length + 1, 1);
  ms_status status = s->bytes ? MS_OK : ms_fail_memory(err, "a sample of a table");
  if (status == MS_OK) {
    memcpy(s->bytes, head.bytes, head.length);
    s->bytes[head.length] = '\0';
    status = read_lines(s, &head, text->label, rule, err);
  }
  if (status != MS_OK) {
    ms_sample_free(s);
    return status;
  }
  *out = s;
  return MS_OK;
}

void ms_sample_free(ms_sample *sample)
{
  if (!sample)
    return;
  ms_free(sample->line);
  ms_free(sample->cell);
  ms_free(sample->bytes);
  ms_free(sample);
}

ms_status ms_sample_fail(const ms_text *text, uint64_t number, ms_error *err, const char *format,
                         ...)
{
  char message[sizeof err->message];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return ms_fail(err, MS_ERR_INPUT, "%s:%llu: %s", text->label, (unsigned long long)number,
                 message);
}
