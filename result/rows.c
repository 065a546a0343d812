/* Writes rows of tables by the columns of columns.c.  Rows of matches and of vertices, of which
 * there may be 10^9, have functions of their own in the encodings. */
#include "base/float_text.h"
#include "base/format.h"
#include "base/status.h"
#include "result/json.h"
#include "result/writer.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Room for the text of a number, or for the largest list of numbers of colours. */
#define CELL_BYTES (12 * MS_MAX_CENSUS + 32)

static uint64_t count_of(const ms_writer *w, const ms_result_column *c, const void *at)
{
  return c->type == MS_CELL_K ? w->header.k : *(const uint64_t *)at;
}

static const char *write_ids(const uint32_t *id, uint32_t count, char text[CELL_BYTES])
{
  size_t length = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < count; i++)
    length +=
        (size_t)snprintf(text + length, CELL_BYTES - length, "%s%" PRIu32, i ? "," : "", id[i]);
  return text;
}

/* Returns the text of a cell in TSV; `text` is room for it. */
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
    snprintf(text, CELL_BYTES, "%" PRIu64, count_of(w, c, at));
    return text;
  case MS_CELL_FLAG:
    return *(const bool *)at ? "1" : "0";
  case MS_CELL_IDS:
    return write_ids(at, *(const uint32_t *)(const void *)((const char *)row + c->count), text);
  default:
    number = *(const double *)at;
  }
  if (!isfinite(number))
    return MS_NO_VALUE;
  if (c->type == MS_CELL_WORD)
    return ms_result_word(c->words, (uint32_t)number);
  if (c->type == MS_CELL_SINGLE || c->type == MS_CELL_SINGLE_OR_NA)
    return ms_float_brief((float)number, text);
  if (c->type == MS_CELL_BOUND)
    return ms_bound_text(number, text);
  ms_format(text, CELL_BYTES, c->type == MS_CELL_SECONDS ? "%.4f" : "%.6g", number);
  return text;
}

/* Returns the value of a cell in JSON, with the digits of TSV unless the type has all of them. */
static json_t *value_of(const ms_writer *w, const ms_result_column *c, const void *row)
{
  const void *at = (const char *)row + c->at;
  char text[CELL_BYTES];
  json_t *ids;
  switch (c->type) {
  case MS_CELL_COUNT:
  case MS_CELL_K:
    return json_integer((json_int_t)count_of(w, c, at));
  case MS_CELL_FLAG:
    return json_boolean(*(const bool *)at);
  case MS_CELL_IDS:
    ids = json_array();
    for (uint32_t i = 0; i < *(const uint32_t *)(const void *)((const char *)row + c->count); i++)
      ms_json_append(&ids, json_integer(((const uint32_t *)at)[i]));
    return ids;
  case MS_CELL_REAL:
  case MS_CELL_SINGLE:
  case MS_CELL_SINGLE_OR_NA:
  case MS_CELL_BOUND:
  case MS_CELL_SECONDS:
  case MS_CELL_WORD:
    if (!isfinite(*(const double *)at))
      return json_null();
    if (c->type == MS_CELL_WORD)
      break;
    if (c->type == MS_CELL_BOUND || c->type == MS_CELL_SECONDS)
      return json_real(*(const double *)at);
    return json_real(ms_read_real(text_of(w, c, row, text), NULL));
  default:
    break;
  }
  return json_string(text_of(w, c, row, text));
}

static ms_status put_object(const ms_writer *w, const void *row, ms_error *err)
{
  json_t *object = json_pack("{s:s}", "type", w->columns.kind->type);
  for (uint32_t i = 0; i < w->columns.count; i++) {
    const ms_result_column *c = w->columns.at[i];
    object = ms_json_add(object, c->name, value_of(w, c, row));
  }
  return ms_json_put(w->out, object, "\n", err);
}

ms_status ms_writer_row(ms_writer *w, const void *row, ms_error *err)
{
  char text[CELL_BYTES];
  w->rows++;
  if (w->encoding == &ms_encoding_json)
    return put_object(w, row, err);
  for (uint32_t i = 0; i < w->columns.count; i++) {
    const char *cell = text_of(w, w->columns.at[i], row, text);
    if (i > 0)
      ms_row_put_char(w->buffer, '\t');
    ms_row_put(w->buffer, cell, strlen(cell));
  }
  ms_row_put_char(w->buffer, '\n');
  return MS_OK;
}
