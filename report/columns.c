#include "report/columns.h"

#include "base/alloc.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

ms_status ms_values_add(ms_values *v, uint64_t value, ms_error *err)
{
  if (!MS_GROW(v->at, v->room, v->count, 1))
    return ms_fail_memory(err, "the rows of a report");
  v->at[v->count++] = value;
  return MS_OK;
}

void ms_column_free(ms_column *column)
{
  ms_free(column->values.at);
  ms_free(column->ends.at);
}

/* ---- base64 ------------------------------------------------------------------------- */

/* Bytes on their way to base64, which takes three at a time. */
typedef struct encoder {
  ms_outfile *out;
  unsigned char waiting[3];
  uint32_t count;
  char text[4096];
  size_t used;
} encoder;

static void put_three(encoder *e)
{
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char *b = e->waiting;
  if (e->used + 4 > sizeof e->text) {
    ms_outfile_write(e->out, e->text, e->used);
    e->used = 0;
  }
  char *to = e->text + e->used;
  to[0] = digit[b[0] >> 2];
  to[1] = digit[(b[0] & 3) << 4 | b[1] >> 4];
  to[2] = e->count > 1 ? digit[(b[1] & 15) << 2 | b[2] >> 6] : '=';
  to[3] = e->count > 2 ? digit[b[2] & 63] : '=';
  e->used += 4;
  e->count = 0;
  memset(e->waiting, 0, sizeof e->waiting);
}

/* Encodes the `bytes` low bytes of a number, the lowest first. */
static void put_number(encoder *e, uint64_t number, uint32_t bytes)
{
  for (uint32_t i = 0; i < bytes; i++) {
    e->waiting[e->count++] = (unsigned char)(number >> 8 * i);
    if (e->count == 3)
      put_three(e);
  }
}

static void put_array(ms_outfile *out, const char *type, const uint64_t *numbers, uint64_t count,
                      uint32_t bytes)
{
  encoder e = {.out = out};
  ms_outfile_printf(out, "[\"%s\",\"", type);
  for (uint64_t i = 0; i < count; i++)
    put_number(&e, numbers[i], bytes);
  if (e.count > 0)
    put_three(&e);
  ms_outfile_write(out, e.text, e.used);
  ms_outfile_puts(out, "\"]");
}

void ms_put_numbers(ms_outfile *out, const uint64_t *numbers, uint64_t count)
{
  uint64_t all = 0;
  for (uint64_t i = 0; i < count; i++)
    all |= numbers[i];
  uint32_t bytes = all <= UINT8_MAX ? 1 : all <= UINT16_MAX ? 2 : all <= UINT32_MAX ? 4 : 8;
  char type[8];
  snprintf(type, sizeof type, "u%u", 8 * bytes);
  put_array(out, type, numbers, count, bytes);
}

void ms_put_reals(ms_outfile *out, const uint64_t *bits, uint64_t count)
{
  put_array(out, "f64", bits, count, 8);
}

/* ---- columns ------------------------------------------------------------------------- */

/* Sets *width to the number of values that each row has.  Returns false if it differs. */
static bool has_width(const ms_column *c, uint64_t *width)
{
  *width = c->ends.count > 0 ? c->ends.at[0] : 0;
  for (uint64_t row = 1; row < c->ends.count; row++)
    if (c->ends.at[row] - c->ends.at[row - 1] != *width)
      return false;
  return true;
}

void ms_put_column(ms_outfile *out, const ms_column *c)
{
  static const char *const kinds[] = {"count",  "flag",   "real",  "text",    "vertex",
                                      "digits", "counts", "texts", "vertices"};
  uint64_t width;
  ms_outfile_puts(out, "{\"name\":");
  ms_put_string(out, c->name);
  ms_outfile_printf(out, ",\"kind\":\"%s\",\"values\":", kinds[c->kind]);
  if (c->kind == MS_COLUMN_REAL)
    ms_put_reals(out, c->values.at, c->values.count);
  else
    ms_put_numbers(out, c->values.at, c->values.count);
  if (ms_column_is_list(c) && has_width(c, &width)) {
    ms_outfile_printf(out, ",\"width\":%llu", (unsigned long long)width);
  } else if (ms_column_is_list(c)) {
    ms_outfile_puts(out, ",\"ends\":");
    ms_put_numbers(out, c->ends.at, c->ends.count);
  }
  ms_outfile_puts(out, "}");
}

/* ---- strings ------------------------------------------------------------------------- */

void ms_put_string(ms_outfile *out, const char *text)
{
  const char *from = text, *at = text;
  ms_outfile_puts(out, "\"");
  for (; *at; at++) {
    unsigned char c = (unsigned char)*at;
    if (c >= 0x20 && c != '"' && c != '\\' && c != '<')
      continue;
    ms_outfile_write(out, from, (size_t)(at - from));
    if (c == '"' || c == '\\')
      ms_outfile_printf(out, "\\%c", c);
    else
      ms_outfile_printf(out, "\\u%04x", c);
    from = at + 1;
  }
  ms_outfile_write(out, from, (size_t)(at - from));
  ms_outfile_puts(out, "\"");
}

void ms_put_strings(ms_outfile *out, const ms_names *names)
{
  uint32_t count = ms_names_count(names);
  ms_outfile_puts(out, "[");
  for (uint32_t id = 0; id < count; id++) {
    if (id > 0)
      ms_outfile_puts(out, ",");
    ms_put_string(out, ms_names_get(names, id));
  }
  ms_outfile_puts(out, "]");
}
