/* Tables of vertices and colours.  The plain one:
 *
 *   YAL001C<TAB>kinase
 *
 * a vertex with several lines has a list.  The first data line decides how
 * lines are split: at tabs if it has one; else as CSV if a comma or semicolon
 * comes before any blank or the line begins with a quote; else at the first run
 * of blanks, and all the rest is the colour.  Of several columns the first two count.
 *
 * Where the options choose columns the table is one of nodes, as Cytoscape
 * exports it: between tabs or CSV, with a header line if a column is chosen by
 * name.  There a cell without a colour is none, not a mistake. */
#include "graph/formats/colors/read.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/columns.h"
#include "graph/suggest.h"

#include <stdio.h>
#include <string.h>

#define MAX_COLUMNS 100000u

/* Adds the colours of a cell, one or several. */
static ms_status add_colors(const ms_text *text, const char *separator, uint32_t v, ms_field cell,
                            ms_color_rows *rows, ms_error *err)
{
  bool one = !separator || strcmp(separator, MS_NO_SEPARATOR) == 0;
  ms_field color = cell;
  uint32_t id;
  while (one || ms_cell_next(&cell, separator, &color)) {
    bool sign = rows->layout.signs && ms_field_is(color, "-");
    bool missing = rows->literal || sign ? color.length == 0 : ms_field_missing(color);
    if (missing && (one || color.length > 0)) {
      rows->info.missing++;
    } else if (!missing) {
      MS_TRY(ms_text_check_name(text, color, "colour", err));
      MS_TRY(ms_names_add(rows->names, color.text, color.length, &id, err));
      if (v != MS_NO_ID)
        MS_TRY(ms_pairs_add(&rows->pairs, v, id, err));
    }
    if (one)
      break;
  }
  return MS_OK;
}

/* Adds the colours to each vertex of a cell that lists several.  Blanks separate vertices, too,
 * where the graph has no vertex of the whole part. */
static ms_status add_list(const ms_text *text, const char *separator, ms_field list, ms_field color,
                          ms_color_rows *rows, ms_error *err)
{
  ms_field part, word;
  uint32_t v;
  while (ms_cell_next(&list, NULL, &part)) {
    bool whole = ms_graph_find_text(rows->graph, part.text, part.length) != MS_NO_ID;
    while (whole || ms_field_word(&part, &word)) {
      if (!whole && ms_graph_find_text(rows->graph, word.text, word.length) == MS_NO_ID)
        word = ms_without_brackets(word);
      MS_TRY(ms_color_rows_vertex(rows, text, whole ? part : word, &v, err));
      MS_TRY(add_colors(text, separator, v, color, rows, err));
      if (whole)
        break;
    }
  }
  return MS_OK;
}

static ms_status add_colored(const ms_text *text, const char *separator, ms_field vertex,
                             ms_field color, ms_color_rows *rows, ms_error *err)
{
  uint32_t v;
  if (rows->info.format == MS_COLORS_LISTS &&
      ms_graph_find_text(rows->graph, vertex.text, vertex.length) == MS_NO_ID)
    return add_list(text, separator, vertex, color, rows, err);
  MS_TRY(ms_color_rows_vertex(rows, text, vertex, &v, err));
  return add_colors(text, separator, v, color, rows, err);
}

/* Does a column that is not read say that the line is no annotation? */
static bool says_not(const ms_text *text, const ms_color_rows *rows, uint32_t name, uint32_t color)
{
  ms_delimiter delimiter = rows->delimiter;
  uint32_t negated = rows->layout.negated;
  const char *line = text->line;
  size_t from = 0, length = text->length;
  bool quoted = false;
  uint32_t column = 0;
  if (delimiter == MS_BLANKS ||
      (negated == 0 && !memmem(line, length, "NOT", 3) && !memmem(line, length, "not", 3)))
    return false;
  for (size_t i = 0; i <= length; i++) {
    quoted ^= i < length && line[i] == '"';
    if (i < length && (quoted || line[i] != ms_delimiter_mark(delimiter)))
      continue;
    ms_field cell = ms_field_trim((ms_field){line + from, i - from});
    if (ms_cell_is_quoted(cell))
      cell = (ms_field){cell.text + 1, cell.length - 2};
    bool set = false;
    if (++column == negated)
      ms_color_mark(cell, &set);
    if (set || (column != name + 1 && column != color + 1 && ms_is_negated(cell)))
      return true;
    from = i + 1;
  }
  return false;
}

/* ---- the plain table ------------------------------------------------------ */

ms_delimiter ms_color_delimiter(const ms_text *text)
{
  size_t first = strcspn(text->line, " ,;");
  if (memchr(text->line, '\t', text->length))
    return MS_TAB;
  if (text->line[0] == '"')
    return ms_text_delimiter(text);
  return text->line[first] == ',' ? MS_COMMA : text->line[first] == ';' ? MS_SEMICOLON : MS_BLANKS;
}

/* Splits a line into vertex and colour.  The colour is empty where its cell is, and its text NULL
 * where there is none. */
static ms_status split_row(ms_text *text, ms_delimiter delimiter, ms_field *fields, bool *extra,
                           ms_error *err)
{
  uint32_t count, most = delimiter == MS_BLANKS ? 2 : 3;
  bool quoted = text->quoted && delimiter == MS_BLANKS;
  fields[0] = fields[1] = (ms_field){text->line, 0};
  text->quoted &= !quoted; /* the colour, all the rest of the line, may hold blanks */
  ms_status status = ms_text_split(text, delimiter, most, fields, &count, err);
  text->quoted |= quoted;
  *extra = status == MS_OK && count > 2;
  if (status == MS_OK && count < 2)
    fields[1] = (ms_field){NULL, 0};
  else if (status == MS_OK && delimiter == MS_BLANKS)
    fields[1] = ms_field_trim(
        (ms_field){fields[1].text, text->length - (size_t)(fields[1].text - text->line)});
  for (int i = 0; i < 2 && quoted; i++)
    if (ms_cell_is_quoted(fields[i]))
      fields[i] = (ms_field){fields[i].text + 1, fields[i].length - 2};
  return status;
}

ms_status ms_color_row(ms_text *text, ms_delimiter delimiter, ms_field fields[3], bool *extra,
                       ms_error *err)
{
  ms_status status = split_row(text, delimiter, fields, extra, err);
  if (status == MS_OK)
    status = ms_text_check_name(text, fields[0], "vertex name", err);
  if (status != MS_OK)
    return status;
  if (!fields[1].text)
    return ms_text_fail(
        text, err,
        "expected a vertex and a colour separated by %s, found only '%.*s'; add the colour "
        "or remove the line",
        ms_delimiter_name(delimiter), ms_name_clip(fields[0].text, fields[0].length),
        fields[0].text);
  return MS_OK;
}

/* Does the line begin with the vertex and end after it, without anything that may be another
 * delimiter?  The first line may not, because it decides how lines are split. */
static bool is_colorless(const ms_text *text, const ms_color_rows *rows)
{
  ms_field field = ms_field_trim((ms_field){text->line, text->length});
  return rows->names && ms_names_count(rows->names) > 0 && field.length > 0 &&
         field.text == text->line && strcspn(field.text, " \t,;\"") >= field.length;
}

static ms_status skip_colorless(const ms_text *text, ms_color_rows *rows, ms_error *err)
{
  ms_coloring_info *info = &rows->info;
  ms_field name = ms_field_trim((ms_field){text->line, text->length});
  MS_TRY(ms_text_check_name(text, name, "vertex name", err));
  if (info->colorless++ > 0)
    return MS_OK;
  info->colorless_line = text->number;
  snprintf(info->colorless_vertex, sizeof info->colorless_vertex, "%.*s",
           ms_name_clip(name.text, name.length), name.text);
  return MS_OK;
}

/* Adds the row; in a table of lists the colour is the first column. */
static ms_status add_row(ms_text *text, const ms_color_options *options, ms_delimiter delimiter,
                         ms_color_rows *rows, ms_error *err)
{
  ms_field fields[3];
  bool extra, lists = rows->info.format == MS_COLORS_LISTS;
  if (says_not(text, rows, 0, 1)) {
    rows->info.negated++;
    return MS_OK;
  }
  if (!lists && is_colorless(text, rows))
    return skip_colorless(text, rows, err);
  ms_status status = ms_color_row(text, delimiter, fields, &extra, err);
  if (status == MS_OK)
    status = add_colored(text, options->separator, fields[lists], fields[!lists], rows, err);
  rows->info.extra_columns += status == MS_OK && extra;
  return status;
}

static ms_status read_plain(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                            ms_error *err)
{
  ms_delimiter delimiter = rows->delimiter;
  ms_status status = options->header || rows->layout.header ? ms_text_next_data(text, err) : MS_OK;
  while (status == MS_OK && text->line) {
    status = add_row(text, options, delimiter, rows, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  return status;
}

/* ---- chosen columns ------------------------------------------------------- */

typedef struct columns {
  ms_delimiter delimiter;
  uint32_t name, color; /* from 0 */
  ms_field *fields;     /* [room] of a line */
  uint32_t room;
} columns;

static ms_status number_column(const ms_text *text, const char *column, uint32_t *index,
                               ms_error *err)
{
  uint64_t number;
  if (!ms_field_count((ms_field){column, strlen(column)}, MAX_COLUMNS, &number) || number == 0)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: there is no column %.20s; columns are numbered from 1 to %u", text->label,
                   column, MAX_COLUMNS);
  *index = (uint32_t)number - 1;
  return MS_OK;
}

static ms_status named_column(const ms_text *text, const ms_field *header, uint32_t count,
                              const char *column, uint32_t *index, ms_error *err)
{
  ms_name_list known = {.used = 0};
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    ms_name_list_add(&known, header[i].text, header[i].length);
    if (ms_field_is(header[i], column) && found++ == 0)
      *index = i;
  }
  int clip = ms_name_clip(column, strlen(column));
  if (found == 0)
    return ms_text_fail(text, err, "no column has the header '%.*s'; choose one of %s", clip,
                        column, ms_name_list_text(&known));
  if (found > 1)
    return ms_text_fail(text, err, "%u columns have the header '%.*s'; choose by number", found,
                        clip, column);
  return MS_OK;
}

static ms_status make_room(columns *c, uint32_t wanted, ms_error *err)
{
  return MS_GROW(c->fields, c->room, 0, wanted) ? MS_OK : ms_fail_memory(err, "columns");
}

/* Finds the chosen columns.  Where one is chosen by name, the current line is the header. */
static ms_status find_columns(ms_text *text, const ms_color_options *options,
                              const ms_color_layout *layout, columns *c, ms_error *err)
{
  bool header = layout->header;
  const char *wanted[2] = {options->name_column ? options->name_column
                           : layout->indexed    ? "2"
                                                : "1",
                           options->color_column ? options->color_column
                           : layout->indexed     ? "3"
                                                 : "2"};
  uint32_t *index[2] = {&c->name, &c->color}, count = 0;
  ms_status status = MS_OK;
  bool named = !ms_column_is_number(wanted[0]) || !ms_column_is_number(wanted[1]);
  if (named)
    status = make_room(
        c, ms_delimiter_count((ms_field){text->line, text->length}, c->delimiter) + 1, err);
  if (status == MS_OK && named)
    status = ms_text_split(text, c->delimiter, c->room, c->fields, &count, err);
  for (int i = 0; i < 2 && status == MS_OK; i++)
    status = ms_column_is_number(wanted[i])
                 ? number_column(text, wanted[i], index[i], err)
                 : named_column(text, c->fields, count, wanted[i], index[i], err);
  if (status == MS_OK && c->name == c->color)
    status = ms_fail(err, MS_ERR_USAGE,
                     "%s: vertices and colours would both be column %u; choose two columns",
                     text->label, c->name + 1);
  if (status == MS_OK)
    status = make_room(c, (c->name > c->color ? c->name : c->color) + 1, err);
  return status == MS_OK && (named || options->header || header) ? ms_text_next_data(text, err)
                                                                 : status;
}

static ms_status add_node(ms_text *text, const char *separator, const columns *c,
                          ms_color_rows *rows, ms_error *err)
{
  uint32_t count, wanted = (c->name > c->color ? c->name : c->color) + 1;
  if (says_not(text, rows, c->name, c->color)) {
    rows->info.negated++;
    return MS_OK;
  }
  ms_status status = ms_text_split(text, c->delimiter, wanted, c->fields, &count, err);
  if (status == MS_OK && count < wanted)
    status = ms_text_fail(
        text, err,
        "vertex and colour should be columns %u and %u, but the line has only %u, separated by %s; "
        "complete the line, or choose other columns",
        c->name + 1, c->color + 1, count,
        c->delimiter == MS_TAB     ? "tabs"
        : c->delimiter == MS_COMMA ? "commas"
                                   : "semicolons");
  if (status == MS_OK)
    status = ms_text_check_name(text, c->fields[c->name], "vertex name", err);
  rows->info.missing += status == MS_OK && c->fields[c->color].length == 0;
  if (status != MS_OK || c->fields[c->color].length == 0)
    return status;
  return add_colored(text, separator, c->fields[c->name], c->fields[c->color], rows, err);
}

static ms_status read_nodes(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                            ms_error *err)
{
  columns c = {.delimiter = rows->delimiter};
  if (c.delimiter == MS_BLANKS && !rows->layout.indexed)
    return ms_text_fail(text, err,
                        "columns are chosen, but the line holds no tab, comma or semicolon; give a "
                        "table whose columns are separated by one of these");
  ms_status status = find_columns(text, options, &rows->layout, &c, err);
  while (status == MS_OK && text->line) {
    status = add_node(text, options->separator, &c, rows, err);
    if (status == MS_OK)
      status = ms_text_next_data(text, err);
  }
  ms_free(c.fields);
  return status;
}

ms_status ms_read_color_table(ms_text *text, const ms_color_options *options, ms_color_rows *rows,
                              ms_error *err)
{
  bool chosen = options->name_column || options->color_column || rows->layout.indexed;
  return chosen ? read_nodes(text, options, rows, err) : read_plain(text, options, rows, err);
}
