/* Writes one JSON object a line.  jansson makes the objects of head and end; rows are assembled
 * here.  A name is a JSON string as it is, except for quotes and backslashes (it has no control
 * characters). */
#include "base/status.h"
#include "base/text/float_text.h"
#include "graph/colors.h"
#include "graph/inside.h"
#include "result/json.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

static ms_status begin(ms_writer *w, ms_error *err)
{
  const ms_name_blocks *names = &w->names;
  MS_TRY(ms_json_check(&w->header, "`MS_FORM_JSON`", err));
  /* labels may hold anything; the names of vertices are looked at */
  w->escapes = w->header.labels.path || w->header.roles ||
               (names->pool_bytes > 0 && (memchr(names->pool, '"', names->pool_bytes) ||
                                          memchr(names->pool, '\\', names->pool_bytes)));
  json_t *header =
      json_pack("{s:s, s:s, s:s, s:s, s:i}", "type", "header", "tool", "motifsieve", "version",
                ms_version(), "command", ms_result_command(w->header.kind), "schema", 1);
  return ms_json_put(w->out, ms_json_of_fields(header, &w->header, MS_IN_HEAD), "\n", err);
}

/* ---- rows ---------------------------------------------------------------- */

/* Writes the i-th string of an array. */
static void put_string(const ms_writer *w, uint32_t i, const char *text, size_t length)
{
  ms_row_buffer *buffer = w->buffer;
  ms_row_put(buffer, i ? ",\"" : "\"", i ? 2 : 1);
  if (w->escapes)
    ms_row_put_escaped(buffer, text, length);
  else
    ms_row_put(buffer, text, length);
  ms_row_put_char(buffer, '"');
}

/* Writes labels and roles of a match, where the header has them. */
static void put_meaning(const ms_writer *w, const uint32_t *row)
{
  uint32_t k = w->header.k, slot[MS_MAX_K];
  if (w->header.labels.path) {
    MS_PUT_TEXT(w->buffer, "],\"labels\":[");
    for (uint32_t i = 0; i < k; i++) {
      const char *label =
          ms_label_or_name(w->labels, row[i], w->names.pool + w->names.start[row[i]]);
      put_string(w, i, label, strlen(label));
    }
  }
  if (w->header.roles) {
    ms_query_slots(w->query, row, slot);
    MS_PUT_TEXT(w->buffer, "],\"roles\":[");
    for (uint32_t i = 0; i < k; i++) {
      const char *role = ms_query_slot_name(w->query, slot[i]);
      put_string(w, i, role, strlen(role));
    }
  }
}

static void put_measure(ms_row_buffer *buffer, const char *key, float value)
{
  char number[MS_FLOAT_BYTES];
  ms_float_brief(value, number);
  ms_row_put(buffer, key, strlen(key));
  ms_row_put(buffer, number, strlen(number));
}

/* Writes the measures of a match that the header has. */
static void put_measures(const ms_writer *w, const uint32_t *row)
{
  ms_inside inside;
  if (w->header.measures == MS_MEASURES_NONE)
    return;
  ms_graph_inside_any(w->graph, row, w->header.k, &inside);
  put_measure(w->buffer, ",\"edges\":", (float)inside.edges);
  put_measure(w->buffer, ",\"density\":", inside.density);
  if (w->header.measures == MS_MEASURES_SCORES) {
    put_measure(w->buffer, ",\"mean_score\":", inside.mean_score);
    put_measure(w->buffer, ",\"least_score\":", inside.least_score);
  }
}

/* Writes the sum of vertex scores and the size of the family of a match, the i-th of those that are
 * being written, where the header has them. */
static void put_sums(const ms_writer *w, const uint32_t *row, uint64_t i)
{
  char text[48];
  if (w->header.vertex_scores.path)
    ms_row_put(w->buffer, text,
               (size_t)snprintf(text, sizeof text, ",\"vertex_score\":%" PRIu64,
                                ms_vertex_scores_sum(w->vertex_scores, row, w->header.k)));
  if (w->family_size)
    ms_row_put(w->buffer, text,
               (size_t)snprintf(text, sizeof text, ",\"family_size\":%" PRIu64,
                                w->family_size[w->rows + i]));
}

/* Writes the name of the motif, if the file has sections. */
static void put_name(const ms_writer *w)
{
  if (!(w->header.has & MS_HAS_SECTIONS))
    return;
  MS_PUT_TEXT(w->buffer, ",\"name\":\"");
  ms_row_put_escaped(w->buffer, w->header.name, strlen(w->header.name));
  ms_row_put_char(w->buffer, '"');
}

static void matches(ms_writer *w, const uint32_t *row, const uint32_t *score, uint64_t count)
{
  uint32_t p = w->header.k;
  ms_row_buffer *buffer = w->buffer;
  const ms_name_blocks names = w->names;
  bool has_meaning = w->header.labels.path || w->header.roles;
  char text[32];
  for (uint64_t r = 0; r < count; r++, row += p) {
    ms_counter_next(&w->number);
    MS_PUT_TEXT(buffer, "{\"type\":\"match\"");
    put_name(w);
    MS_PUT_TEXT(buffer, ",\"match\":");
    ms_row_put_counter(buffer, &w->number);
    if (score)
      ms_row_put(buffer, text,
                 (size_t)snprintf(text, sizeof text, ",\"score\":%" PRIu32, score[r]));
    MS_PUT_TEXT(buffer, ",\"vertices\":[");
    for (uint32_t i = 0; i < p; i++)
      put_string(w, i, names.pool + names.start[row[i]], ms_name_length(&names, row[i]));
    if (has_meaning)
      put_meaning(w, row);
    MS_PUT_TEXT(buffer, "]");
    put_measures(w, row);
    put_sums(w, row, r);
    MS_PUT_TEXT(buffer, "}\n");
  }
}

/* ---- end ----------------------------------------------------------------- */

static ms_status end(ms_writer *w, ms_error *err)
{
  uint32_t crc = ms_outfile_crc32c(w->out);
  json_t *object = ms_json_of_fields(json_pack("{s:s}", "type", "end"), &w->header, MS_IN_END);
  object = ms_json_add(object, "rows", json_integer((json_int_t)w->rows));
  return ms_json_put(w->out, ms_json_add(object, "crc32c", ms_json_of_crc32c(crc)), "\n", err);
}

const ms_encoding ms_encoding_json = {true, begin, matches, end};
