/* Wide tables of colours: the first line names the columns, each of which but one is a colour, and
 * the cells below are marks (layout.h):
 *
 *   gene<TAB>kinase<TAB>nucleus
 *   YAL001C<TAB>1<TAB>0
 *
 * The vertex is in the first column, or in the one that is chosen.  As R writes it, the header may
 * lack the title of the first column. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/formats/colors/read.h"
#include "graph/io/columns.h"

#include <string.h>

typedef struct wide {
  ms_delimiter delimiter;
  ms_field *fields; /* [room] of a line */
  uint32_t *colors; /* [columns] of each column; MS_NO_ID: the vertices */
  uint32_t columns; /* of the lines below the header */
  uint32_t name;    /* the column of vertices, from 0 */
  uint32_t room;
} wide;

static ms_status split(ms_text *text, wide *w, uint32_t *count, ms_error *err)
{
  uint32_t most = 2 + ms_delimiter_count((ms_field){text->line, text->length}, w->delimiter);
  if (!MS_GROW(w->fields, w->room, 0, most)) /* the fields of the line, and one more */
    return ms_fail_memory(err, "columns of colours");
  return ms_text_split(text, w->delimiter, w->room, w->fields, count, err);
}

static ms_status find_name(const ms_text *text, const char *chosen, uint32_t count, wide *w,
                           ms_error *err)
{
  uint64_t number;
  uint32_t found = 0;
  w->name = 0;
  if (!chosen)
    return MS_OK;
  for (uint32_t c = 0; c < count; c++)
    if (ms_field_is(w->fields[c], chosen) && found++ == 0)
      w->name = c;
  if (found == 1)
    return MS_OK;
  if (found == 0 && ms_field_count((ms_field){chosen, strlen(chosen)}, count, &number) &&
      number > 0) {
    w->name = (uint32_t)number - 1;
    return MS_OK;
  }
  return ms_text_fail(text, err,
                      "%s column has the header '%.*s'; choose the column of vertices "
                      "(`colors.name_column`) by number, from 1 to %u",
                      found > 1 ? "more than one" : "no", ms_name_clip(chosen, strlen(chosen)),
                      chosen, count);
}

/* Adds the colours that the header names, of which the first column may be missing. */
static ms_status add_colors(const ms_text *text, wide *w, uint32_t count, uint32_t shift,
                            ms_color_rows *rows, ms_error *err)
{
  w->columns = count + shift;
  w->colors = ms_alloc(w->columns, sizeof *w->colors);
  if (!w->colors)
    return ms_fail_memory(err, "columns of colours");
  for (uint32_t c = 0; c < w->columns; c++) {
    w->colors[c] = MS_NO_ID;
    if (c == w->name)
      continue;
    ms_field title = w->fields[c - shift];
    MS_TRY(ms_text_check_name(text, title, "title of a column", err));
    MS_TRY(ms_names_add(rows->names, title.text, title.length, &w->colors[c], err));
  }
  return MS_OK;
}

/* Reads the header; the next line tells whether it lacks a title. */
static ms_status read_header(ms_text *text, const ms_color_options *options, uint32_t shift,
                             wide *w, ms_color_rows *rows, ms_error *err)
{
  uint32_t count;
  MS_TRY(split(text, w, &count, err));
  if (count + shift < 2)
    return ms_text_fail(text, err,
                        "expected a header with a column for each colour, found one column; give a "
                        "table whose columns are separated by tabs or commas");
  MS_TRY(find_name(text, shift ? NULL : options->name_column, count, w, err));
  return add_colors(text, w, count, shift, rows, err);
}

static ms_status read_line(ms_text *text, wide *w, ms_color_rows *rows, ms_error *err)
{
  uint32_t count, v;
  MS_TRY(split(text, w, &count, err));
  if (count != w->columns)
    return ms_text_fail(text, err,
                        "expected %u columns as in the header, found %u; complete the line",
                        w->columns, count);
  MS_TRY(ms_color_rows_vertex(rows, text, w->fields[w->name], &v, err));
  for (uint32_t c = 0; c < count; c++) {
    ms_field mark = w->fields[c];
    bool set;
    if (c == w->name)
      continue;
    if (!ms_color_mark(mark, &set)) {
      bool printable = !ms_name_problem(mark.text, mark.length);
      return ms_text_fail(
          text, err,
          "column %u of a wide table holds '%.*s'; write 1, x or TRUE for a vertex that "
          "has the colour, and otherwise 0, FALSE or nothing",
          c + 1, printable ? ms_name_clip(mark.text, mark.length) : 0, mark.text);
    }
    if (set && v != MS_NO_ID)
      MS_TRY(ms_color_rows_add(rows, v, w->fields[w->name], w->colors[c], err));
  }
  return MS_OK;
}

ms_status ms_read_wide_colors(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                              ms_error *err)
{
  wide w = {.delimiter = rows->delimiter};
  if (options->color_column || options->separator)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: in a wide table each column is a colour; leave `colors.color_column` and "
                   "`colors.separator` out",
                   text->label);
  ms_status status = read_header(text, options, rows->layout.shift, &w, rows, err);
  if (status == MS_OK)
    status = ms_text_next_data(text, err);
  while (status == MS_OK && text->line) {
    status = read_line(text, &w, rows, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  ms_free(w.fields);
  ms_free(w.colors);
  return status;
}
