/* Writes rows by the columns of columns.c.  Matches, of which there may be 10^9, have functions of
 * their own in the encodings. */
#include "base/alloc.h"
#include "base/status.h"
#include "base/text/float_text.h"
#include "base/text/format.h"
#include "graph/colors.h"
#include "query/pattern.h"
#include "result/json.h"
#include "result/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Room for the text of a number. */
#define CELL_BYTES 64

/* Returns the text of a cell that is no list; `text` is room for it. */
static const char *text_of(const ms_writer *w, const ms_result_column *c, const void *row,
                           char text[CELL_BYTES])
{
  const void *at = (const char *)row + c->at;
  double number = NAN;
  switch (c->type) {
  case MS_CELL_TEXT:
  case MS_CELL_VERTEX:
  case MS_CELL_VALUES:
  case MS_CELL_DIGITS:
  case MS_CELL_INTEGER:
    return *(const char *const *)at;
  case MS_CELL_COUNT:
  case MS_CELL_K:
    snprintf(text, CELL_BYTES, "%" PRIu64,
             c->type == MS_CELL_K ? w->header.k : *(const uint64_t *)at);
    return text;
  case MS_CELL_FLAG:
    return *(const bool *)at ? "1" : "0";
  default:
    number = *(const double *)at;
  }
  if (!isfinite(number))
    return MS_NO_VALUE;
  if (c->type == MS_CELL_WORD)
    return ms_result_word(c->words, (uint32_t)number);
  if (c->type == MS_CELL_SINGLE || c->type == MS_CELL_SINGLE_OR_NA)
    return ms_float_brief((float)number, text);
  if (c->type == MS_CELL_FLOAT)
    return ms_float_text((float)number, text);
  if (c->type == MS_CELL_BOUND)
    return ms_bound_text(number, text);
  ms_format(text, CELL_BYTES, c->type == MS_CELL_SECONDS ? "%.4f" : "%.6g", number);
  return text;
}

/* ---- TSV ------------------------------------------------------------------------------- */

void ms_put_listed(ms_put_fn put, void *to, bool first, const char *name)
{
  size_t length = strlen(name);
  bool blank = length == 0 || name[0] == ' ' || name[length - 1] == ' ';
  if (!first)
    put(to, ",", 1);
  if (!blank && !strpbrk(name, ",\"")) {
    put(to, name, length);
    return;
  }
  put(to, "\"", 1);
  for (const char *p = name; *p; p++)
    put(to, *p == '"' ? "\"\"" : p, *p == '"' ? 2 : 1);
  put(to, "\"", 1);
}

static void put_to_buffer(void *to, const char *text, size_t length)
{
  ms_row_put(to, text, length);
}

void ms_row_put_listed(ms_row_buffer *buffer, bool first, const char *name)
{
  ms_put_listed(put_to_buffer, buffer, first, name);
}

static void put_text(const ms_writer *w, const char *text)
{
  ms_row_put(w->buffer, text, strlen(text));
}

/* Returns the number of elements of a list, and the list. */
static uint32_t list_of(const ms_result_column *c, const void *row, const void **list)
{
  const char *at = (const char *)row + c->at;
  *list = c->type == MS_CELL_IDS ? at : *(const void *const *)(const void *)at;
  return *(const uint32_t *)(const void *)((const char *)row + c->count);
}

static void put_tsv_list(const ms_writer *w, const ms_result_column *c, const void *row)
{
  const void *list;
  uint32_t count = list_of(c, row, &list);
  char text[CELL_BYTES];
  for (uint32_t i = 0; i < count; i++) {
    if (c->type >= MS_CELL_NAMES) {
      ms_row_put_listed(w->buffer, i == 0, ((const char *const *)list)[i]);
      continue;
    }
    snprintf(text, sizeof text, "%s%" PRIu32, i > 0 ? "," : "", ((const uint32_t *)list)[i]);
    put_text(w, text);
  }
}

static void put_tsv_cell(const ms_writer *w, const ms_result_column *c, const void *row)
{
  char text[CELL_BYTES];
  if (c->type >= MS_CELL_IDS)
    put_tsv_list(w, c, row);
  else
    put_text(w, text_of(w, c, row, text));
}

/* Writes the lines of a near match: its slots in their order, and then its extra vertices. */
static void put_near_lines(ms_writer *w, const ms_match_row *row)
{
  uint32_t k = w->header.k;
  for (uint32_t i = 0; i < k + row->n_extra; i++) {
    ms_match_row line = *row;
    const char *const *names = i < k ? row->slot_vertices : row->extra_vertices;
    const char *const *labels = i < k ? row->slot_labels : row->extra_labels;
    const char *cell[3] = {names[i < k ? i : i - k], labels[i < k ? i : i - k],
                           i < k ? ms_query_slot_name(w->query, i) : MS_EXTRA_ROLE};
    for (uint32_t c = 0; c + 3 < w->columns.count; c++) {
      put_tsv_cell(w, w->columns.at[c], &line);
      ms_row_put_char(w->buffer, '\t');
    }
    for (uint32_t c = 0; c < 3; c++) {
      put_text(w, cell[c]);
      ms_row_put_char(w->buffer, c < 2 ? '\t' : '\n');
    }
  }
  w->extra_lines += row->n_extra;
}

/* Writes who fills each slot of a near match, with its label. */
static void put_slots(const ms_writer *w, const ms_match_row *row)
{
  for (uint32_t d = 0; d < w->header.k; d++) {
    ms_row_put_char(w->buffer, '\t');
    put_text(w, row->slot_vertices[d]);
    if (!w->labels)
      continue;
    ms_row_put_char(w->buffer, '\t');
    put_text(w, row->slot_labels[d]);
  }
}

/* ---- JSON lines -------------------------------------------------------------------------- */

void ms_row_put_escaped(ms_row_buffer *buffer, const char *text, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"' || text[i] == '\\')
      ms_row_put_char(buffer, '\\');
    ms_row_put_char(buffer, text[i]);
  }
}

static void put_string(const ms_writer *w, const char *text)
{
  ms_row_put_char(w->buffer, '"');
  ms_row_put_escaped(w->buffer, text, strlen(text));
  ms_row_put_char(w->buffer, '"');
}

static void put_json_list(const ms_writer *w, const ms_result_column *c, const void *row)
{
  const void *list;
  uint32_t count = list_of(c, row, &list);
  char text[CELL_BYTES];
  ms_row_put_char(w->buffer, '[');
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0)
      ms_row_put_char(w->buffer, ',');
    if (c->type >= MS_CELL_NAMES) {
      put_string(w, ((const char *const *)list)[i]);
      continue;
    }
    snprintf(text, sizeof text, "%" PRIu32, ((const uint32_t *)list)[i]);
    put_text(w, text);
  }
  ms_row_put_char(w->buffer, ']');
}

/* Writes a number with the digits that jansson writes, as headers have it. */
static ms_status put_real(const ms_writer *w, double value, ms_error *err)
{
  char text[CELL_BYTES];
  json_t *number = json_real(value);
  size_t length = number ? json_dumpb(number, text, sizeof text, JSON_ENCODE_ANY) : 0;
  json_decref(number);
  if (length == 0)
    return ms_fail_memory(err, "a line of JSON");
  ms_row_put(w->buffer, text, length);
  return MS_OK;
}

/* Writes a value with the digits of TSV, unless the type has all of them. */
static ms_status put_json_value(const ms_writer *w, const ms_result_column *c, const void *row,
                                ms_error *err)
{
  const void *at = (const char *)row + c->at;
  char text[CELL_BYTES];
  switch (c->type) {
  case MS_CELL_COUNT:
  case MS_CELL_K:
  case MS_CELL_FLOAT:
    put_text(w, text_of(w, c, row, text));
    return MS_OK;
  case MS_CELL_FLAG:
    put_text(w, *(const bool *)at ? "true" : "false");
    return MS_OK;
  case MS_CELL_IDS:
  case MS_CELL_COUNTS:
  case MS_CELL_NAMES:
  case MS_CELL_VERTICES:
    put_json_list(w, c, row);
    return MS_OK;
  case MS_CELL_REAL:
  case MS_CELL_SINGLE:
  case MS_CELL_SINGLE_OR_NA:
  case MS_CELL_BOUND:
  case MS_CELL_SECONDS:
  case MS_CELL_WORD:
    if (!isfinite(*(const double *)at)) {
      put_text(w, "null");
      return MS_OK;
    }
    if (c->type == MS_CELL_BOUND || c->type == MS_CELL_SECONDS)
      return put_real(w, *(const double *)at, err);
    if (c->type != MS_CELL_WORD)
      return put_real(w, ms_read_real(text_of(w, c, row, text), NULL), err);
    break;
  default:
    break;
  }
  put_string(w, text_of(w, c, row, text));
  return MS_OK;
}

/* ---- rows --------------------------------------------------------------------------------- */

/* True if the row has no value in this column, because its vertex is not flagged. */
static bool lacks(const ms_result_column *c, const void *row)
{
  return c->of_flagged && !((const ms_vertex_row *)row)->flagged;
}

static ms_status put_object(const ms_writer *w, const void *row, ms_error *err)
{
  MS_PUT_TEXT(w->buffer, "{\"type\":");
  put_string(w, w->columns.kind->type);
  if (w->header.has & MS_HAS_SECTIONS) {
    MS_PUT_TEXT(w->buffer, ",\"name\":");
    put_string(w, w->header.name);
  }
  for (uint32_t i = 0; i < w->columns.count; i++) {
    const ms_result_column *c = w->columns.at[i];
    if (lacks(c, row))
      continue;
    MS_PUT_TEXT(w->buffer, ",\"");
    put_text(w, c->name);
    MS_PUT_TEXT(w->buffer, "\":");
    MS_TRY(put_json_value(w, c, row, err));
  }
  MS_PUT_TEXT(w->buffer, "}\n");
  return MS_OK;
}

ms_status ms_writer_row(ms_writer *w, const void *row, ms_error *err)
{
  bool near = w->header.kind == MS_KIND_NEAREST_LIST;
  w->rows++;
  if (w->encoding->is_json)
    return put_object(w, row, err);
  if (w->header.has & MS_HAS_SECTIONS) {
    put_text(w, w->header.name);
    ms_row_put_char(w->buffer, '\t');
  }
  if (near && w->header.row_form == MS_ROWS_LONG) {
    put_near_lines(w, row);
    return MS_OK;
  }
  for (uint32_t i = 0; i < w->columns.count; i++) {
    const ms_result_column *c = w->columns.at[i];
    if (ms_column_is_spread(&w->header, c))
      continue;
    if (i > 0)
      ms_row_put_char(w->buffer, '\t');
    if (!lacks(c, row))
      put_tsv_cell(w, c, row);
  }
  if (near && w->header.row_form == MS_ROWS_WIDE)
    put_slots(w, row);
  ms_row_put_char(w->buffer, '\n');
  return MS_OK;
}

/* ---- vertices ------------------------------------------------------------------------------- */

/* True if the motif names the colour, or some vertex of the pattern asks for it. */
static bool is_asked_for(const ms_writer *w, const ms_coloring *coloring, uint32_t color)
{
  bool asked = false;
  for (uint32_t c = 0; w->query && !asked && c < w->query->motif->n_classes; c++)
    asked = ms_class_names(&w->query->motif->class_[c], color);
  if (!w->pattern || !w->pattern->color_names)
    return asked;
  const char *name = ms_coloring_name(coloring, color);
  return ms_names_find(w->pattern->color_names, name, strlen(name)) != MS_NO_ID;
}

/* Collects in w->shown what a screen shows of v: all colours, or the colours that the motif or the
 * pattern names, or in a typed graph the type. */
static ms_status collect_colors(ms_writer *w, const ms_coloring *coloring, uint32_t v,
                                ms_vertex_row *row, ms_error *err)
{
  uint32_t count = 0;
  const uint32_t *colors = coloring && !w->typed ? ms_coloring_of(coloring, v, &count) : NULL;
  uint32_t most = w->typed ? 1 : count;
  if (!MS_GROW(w->shown, w->shown_room, 0, most))
    return ms_fail_memory(err, "the colours of a vertex");
  row->n_colors = 0;
  if (w->typed)
    w->shown[row->n_colors++] = ms_names_get(w->typed->vertex_types, w->typed->rows.vertex_type[v]);
  for (uint32_t i = 0; i < count; i++)
    if (!w->header.shown_colors || is_asked_for(w, coloring, colors[i]))
      w->shown[row->n_colors++] = ms_coloring_name(coloring, colors[i]);
  row->colors = w->shown;
  return MS_OK;
}

ms_status ms_writer_vertex(ms_writer *w, const ms_coloring *coloring, uint32_t v,
                           ms_vertex_row *row, ms_error *err)
{
  row->vertex = w->names.pool + w->names.start[v];
  row->label = w->labels ? ms_label_or_name(w->labels, v, row->vertex) : NULL;
  MS_TRY(collect_colors(w, coloring, v, row, err));
  return ms_writer_row(w, row, err);
}
