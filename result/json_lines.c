/* Writes one JSON object a line.  jansson makes the objects of head and end; rows are assembled
 * here.  A name is a JSON string as it is, except for quotes and backslashes (it has no control
 * characters). */
#include "base/status.h"
#include "graph/colors.h"
#include "result/json.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

static ms_status begin(ms_writer *w, ms_error *err)
{
  const ms_name_blocks *names = &w->names;
  MS_TRY(ms_json_check(&w->header, "`MS_FORM_JSON`", err));
  w->escapes =
      memchr(names->pool, '"', names->pool_bytes) || memchr(names->pool, '\\', names->pool_bytes);
  json_t *header =
      json_pack("{s:s, s:s, s:s, s:s, s:i}", "type", "header", "tool", "motifsieve", "version",
                ms_version(), "command", ms_result_command(w->header.kind), "schema", 1);
  return ms_json_put(w->out, ms_json_of_fields(header, &w->header, MS_IN_HEAD), "\n", err);
}

/* ---- rows ---------------------------------------------------------------- */

static void put_escaped(ms_row_buffer *buffer, const char *name, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '"' || name[i] == '\\')
      ms_row_put_char(buffer, '\\');
    ms_row_put_char(buffer, name[i]);
  }
}

static void matches(ms_writer *w, const uint32_t *row, const uint32_t *score, uint64_t count)
{
  uint32_t p = w->header.k;
  ms_row_buffer *buffer = w->buffer;
  const ms_name_blocks names = w->names;
  bool escapes = w->escapes;
  char text[32];
  for (uint64_t r = 0; r < count; r++, row += p) {
    ms_counter_next(&w->number);
    MS_PUT_TEXT(buffer, "{\"type\":\"match\",\"match\":");
    ms_row_put_counter(buffer, &w->number);
    if (score)
      ms_row_put(buffer, text,
                 (size_t)snprintf(text, sizeof text, ",\"score\":%" PRIu32, score[r]));
    MS_PUT_TEXT(buffer, ",\"vertices\":[");
    for (uint32_t i = 0; i < p; i++) {
      const char *name = names.pool + names.start[row[i]];
      size_t length = ms_name_length(&names, row[i]);
      ms_row_put(buffer, i ? ",\"" : "\"", i ? 2 : 1);
      if (escapes)
        put_escaped(buffer, name, length);
      else
        ms_row_put(buffer, name, length);
      ms_row_put_char(buffer, '"');
    }
    MS_PUT_TEXT(buffer, "]}\n");
  }
}

static void vertex(ms_writer *w, const ms_coloring *coloring, uint32_t v, uint32_t hits)
{
  uint32_t count;
  const uint32_t *colors = ms_coloring_of(coloring, v, &count);
  char text[64];
  MS_PUT_TEXT(w->buffer, "{\"type\":\"vertex\",\"vertex\":\"");
  put_escaped(w->buffer, w->names.pool + w->names.start[v], ms_name_length(&w->names, v));
  MS_PUT_TEXT(w->buffer, "\",\"colors\":[");
  for (uint32_t i = 0; i < count; i++) {
    const char *name = ms_coloring_name(coloring, colors[i]);
    ms_row_put(w->buffer, i ? ",\"" : "\"", i ? 2 : 1);
    put_escaped(w->buffer, name, strlen(name));
    ms_row_put_char(w->buffer, '"');
  }
  int length = snprintf(text, sizeof text, "],\"flagged\":%s,\"repetitions\":%" PRIu32 "}\n",
                        hits ? "true" : "false", hits);
  ms_row_put(w->buffer, text, (size_t)length);
}

/* ---- end ----------------------------------------------------------------- */

static ms_status end(ms_writer *w, ms_error *err)
{
  uint32_t crc = ms_outfile_crc32c(w->out);
  json_t *object = ms_json_of_fields(json_pack("{s:s}", "type", "end"), &w->header, MS_IN_END);
  object = ms_json_add(object, "rows", json_integer((json_int_t)w->rows));
  return ms_json_put(w->out, ms_json_add(object, "crc32c", ms_json_of_crc32c(crc)), "\n", err);
}

const ms_encoding ms_encoding_json = {begin, matches, vertex, end};
