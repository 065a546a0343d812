/* Samples of tables; see sample.h. */
#include "graph/io/sample.h"

#include "base/alloc.h"
#include "base/status.h"
#include "base/text/format.h"
#include "graph/io/head.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Returns the largest number of cells that the line can have. */
static uint32_t most_cells(const ms_text *line)
{
  uint32_t most = 1;
  for (size_t i = 0; i < line->length; i++)
    most += strchr("\t,; ", line->line[i]) != NULL;
  return most;
}

static ms_status make_cell_room(ms_sample *s, uint32_t wanted, ms_error *err)
{
  return MS_GROW(s->cell, s->cell_room, s->cells, wanted)
             ? MS_OK
             : ms_fail_memory(err, "a sample of a table");
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
  if (!MS_GROW(s->line, s->line_room, s->lines, 1))
    return ms_fail_memory(err, "a sample of a table");
  MS_TRY(split_line(s, line, &s->line[s->lines], split, err));
  s->lines += *split;
  return MS_OK;
}

/* A semicolon may be part of a name in a line that also has commas or blanks: then semicolons
 * separate columns if all lines have equally many. */
static ms_delimiter check_semicolons(const ms_head *head, const ms_text *first)
{
  ms_field line = {first->line, first->length};
  uint32_t wanted = ms_delimiter_count(line, MS_SEMICOLON);
  bool commas = ms_delimiter_count(line, MS_COMMA) > 0;
  if (!commas && ms_delimiter_count(line, MS_BLANKS) == 0)
    return MS_SEMICOLON;
  for (size_t at = 0; ms_head_next_data(head, &at, &line);)
    if (ms_delimiter_count(line, MS_SEMICOLON) != wanted)
      return commas ? MS_COMMA : MS_BLANKS;
  return MS_SEMICOLON;
}

/* The first line, which may hold titles such as "Gene ID,Color", has blanks before commas or
 * semicolons: those separate columns if all lines have equally many, and one has no blank. */
static ms_delimiter check_blanks(const ms_head *head, const ms_text *first)
{
  static const ms_delimiter others[] = {MS_COMMA, MS_SEMICOLON};
  for (int d = 0; d < 2; d++) {
    ms_field line = {first->line, first->length};
    uint32_t wanted = ms_delimiter_count(line, others[d]);
    bool equal = wanted > 0, whole = false;
    for (size_t at = 0; equal && ms_head_next_data(head, &at, &line);) {
      equal = ms_delimiter_count(line, others[d]) == wanted;
      whole |= !memchr(line.text, ' ', line.length);
    }
    if (equal && whole)
      return others[d];
  }
  return MS_BLANKS;
}

/* Makes the line reach over the lines that follow, up to the end of its quoted fields. */
static void join_quoted(const ms_sample *s, const ms_head *head, size_t *at, ms_text *line)
{
  char mark = ms_delimiter_mark(s->delimiter);
  ms_field field;
  while ((mark == ',' || mark == ';') &&
         ms_csv_is_open((ms_field){line->line, line->length}, mark) &&
         ms_head_next_line(head, at, &field))
    line->length =
        (size_t)(field.text + field.length - head->bytes) - (size_t)(line->line - s->bytes);
}

static uint64_t count_line_ends(const ms_text *line)
{
  uint64_t count = 0;
  for (size_t i = 0; i < line->length; i++)
    count += line->line[i] == '\n';
  return count;
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
    if (s->lines == 0 && field.length > 0 && memchr("#%", field.text[0], 2)) {
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
    if (s->lines == 0 && s->delimiter == MS_SEMICOLON)
      s->delimiter = check_semicolons(head, &line);
    if (s->lines == 0 && s->delimiter == MS_BLANKS)
      s->delimiter = check_blanks(head, &line);
    join_quoted(s, head, &at, &line);
    uint64_t more = count_line_ends(&line);
    MS_TRY(add_line(s, &line, &split, err));
    line.number += more;
  }
  return comment.line && s->lines > 0 ? split_line(s, &comment, &s->comment, &split, err) : MS_OK;
}

/* Removes quotes where each line begins with a cell in quotes, unless one holds a delimiter, which
 * the reader reports. */
static void remove_quotes(ms_sample *s)
{
  s->quoted = s->lines > 0 && (s->delimiter == MS_TAB || s->delimiter == MS_BLANKS);
  for (uint32_t i = 0; i < s->lines && s->quoted; i++)
    s->quoted = ms_sample_cell(s, i, 0).length > 1 && ms_sample_cell(s, i, 0).text[0] == '"';
  for (uint32_t c = 0; c < s->cells && s->quoted; c++)
    if (ms_cell_is_quoted(s->cell[c]))
      s->cell[c] = (ms_field){s->cell[c].text + 1, s->cell[c].length - 2};
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
    s->cut = !head.whole || s->lines == MS_SAMPLE_LINES;
    remove_quotes(s);
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

bool ms_sample_has_sign(const ms_sample *sample, uint32_t column)
{
  for (uint32_t i = 0; i < sample->lines; i++)
    if (ms_field_is(ms_sample_cell(sample, i, column), "+"))
      return true;
  return false;
}
