/* One JSON object a line.  Those of head and end are made by jansson, rows are
 * put together here: a name is a string of JSON as it is, but for quotes and
 * backslashes (control characters it has none). */
#include "base/status.h"
#include "graph/graph.h"
#include "query/pattern.h"
#include "result/json.h"
#include "result/pattern_writer.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- head ---------------------------------------------------------------- */

static json_t *vertex_names(const ms_pattern *pattern)
{
  json_t *names = json_array();
  for (uint32_t i = 0; i < pattern->n; i++)
    ms_json_append(&names, json_string(ms_names_get(pattern->names, i)));
  return names;
}

static json_t *pattern_object(const ms_pattern *pattern)
{
  bool file = pattern->format != MS_FORMAT_AUTO;
  json_t *object = ms_json_add(json_object(), file ? "path" : "name", json_string(pattern->path));
  if (file)
    object = ms_json_add(object, "crc32c", ms_json_of_crc32c(pattern->crc32c));
  object = ms_json_add(object, "vertices", json_integer(pattern->n));
  object = ms_json_add(object, "edges", json_integer((json_int_t)ms_pattern_edge_count(pattern)));
  if (file)
    object = ms_json_add_text(object, "format", ms_graph_format_describe(pattern->format).name);
  return ms_json_add(object, "names", vertex_names(pattern));
}

/* Add what `more` has, and release that. */
static json_t *add_all(json_t *object, json_t *more)
{
  bool whole = object && more && json_object_update(object, more) == 0;
  json_decref(more);
  if (whole)
    return object;
  json_decref(object);
  return NULL;
}

static json_t *add_question(json_t *object, const ms_job *job, const ms_pattern_result *known)
{
  object = ms_json_add_text(object, "semantics", ms_pattern_semantics(job));
  object = ms_json_add(object, "induced", json_boolean(job->options->pattern.induced));
  object = ms_json_add_text(object, "automorphisms", known->automorphisms_text);
  return add_all(object, ms_json_of_sieve(job, known->screen));
}

/* Only of rows whose order says nothing. */
static json_t *add_engine(json_t *object, const ms_pattern_result *known)
{
  if (known->ordered)
    return object;
  object = ms_json_add_text(object, "engine", known->engine);
  return ms_json_add(object, "ordered", json_false());
}

static ms_status head(ms_pattern_output *o, const ms_pattern_result *known, ms_error *err)
{
  const ms_job *job = o->job;
  const ms_pattern *pattern = job->pattern;
  MS_TRY(ms_json_begin(job->options, job->graph, job->coloring, "--json", err));
  json_t *header =
      json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "type", "header", "tool", "motifsieve", "version",
                ms_version(), "command", "list", "schema", 1, "graph", ms_json_of_graph(job));
  if (job->coloring)
    header = ms_json_add(header, "colors", ms_json_of_coloring(job));
  header = ms_json_add(header, "pattern", pattern_object(pattern));
  header = ms_json_add_file(header, "pattern_colors", pattern->colors_path, pattern->colors_crc32c);
  header = add_engine(add_question(header, job, known), known);
  return ms_json_put(o->out, header, "\n", err);
}

/* ---- rows ---------------------------------------------------------------- */

bool ms_names_need_escapes(const ms_name_blocks *names)
{
  return memchr(names->pool, '"', names->pool_bytes) ||
         memchr(names->pool, '\\', names->pool_bytes);
}

static void put_escaped(ms_row_buffer *buffer, const char *name, size_t length)
{
  for (size_t i = 0; i < length; i++) {
    if (name[i] == '"' || name[i] == '\\')
      ms_row_put_char(buffer, '\\');
    ms_row_put_char(buffer, name[i]);
  }
}

void ms_put_row_strings(ms_row_buffer *buffer, const ms_name_blocks *names, bool escapes,
                        uint32_t p, const uint32_t *row)
{
  for (uint32_t i = 0; i < p; i++) {
    uint64_t begin = names->start[row[i]];
    uint64_t end = row[i] + 1 < names->count ? names->start[row[i] + 1] : names->pool_bytes;
    ms_row_put(buffer, i ? ",\"" : "\"", i ? 2 : 1);
    if (escapes)
      put_escaped(buffer, names->pool + begin, end - begin - 1);
    else
      ms_row_put(buffer, names->pool + begin, end - begin - 1);
    ms_row_put_char(buffer, '"');
  }
}

static void rows(ms_pattern_output *o, const uint32_t *row, uint64_t count)
{
  ms_name_blocks names = ms_names_blocks(o->job->graph->names);
  uint32_t p = ms_pattern_size(o->job->pattern);
  if (o->rows == 0)
    o->escapes = ms_names_need_escapes(&names);
  for (uint64_t r = 0; r < count; r++, row += p) {
    ms_counter_next(&o->number);
    MS_PUT_TEXT(o->buffer, "{\"type\":\"match\",\"match\":");
    ms_row_put_counter(o->buffer, &o->number);
    MS_PUT_TEXT(o->buffer, ",\"vertices\":[");
    ms_put_row_strings(o->buffer, &names, o->escapes, p, row);
    MS_PUT_TEXT(o->buffer, "]}\n");
  }
}

/* ---- end ----------------------------------------------------------------- */

ms_status ms_put_json_end(ms_outfile *out, const char *status, uint64_t rows, ms_error *err)
{
  char matches[24];
  snprintf(matches, sizeof matches, "%" PRIu64, rows);
  uint32_t crc = ms_outfile_crc32c(out);
  return ms_json_put(out,
                     json_pack("{s:s, s:s, s:s, s:I, s:o}", "type", "end", "status", status,
                               "matches", matches, "rows", (json_int_t)rows, "crc32c",
                               ms_json_of_crc32c(crc)),
                     "\n", err);
}

static ms_status end(ms_pattern_output *o, const ms_pattern_result *result, ms_error *err)
{
  return ms_put_json_end(o->out, ms_pattern_status(o->job, result), o->rows, err);
}

const ms_pattern_writer ms_pattern_writer_json = {head, rows, end};

/* ---- counts -------------------------------------------------------------- */

ms_status ms_put_pattern_count(ms_outfile *out, const ms_job *job, const ms_pattern_result *result,
                               ms_error *err)
{
  ms_status status = ms_json_begin(job->options, job->graph, job->coloring, "--json", err);
  if (status != MS_OK)
    return status;
  json_t *object = json_pack("{s:s}", "type", "count");
  object = ms_json_add_text(object, "subgraphs", result->subgraphs_text);
  object = ms_json_add_text(object, "embeddings", result->embeddings_text);
  object = add_question(object, job, result);
  object = ms_json_add_text(object, "status", ms_pattern_status(job, result));
  object = ms_json_add_text(object, "engine", result->engine);
  return ms_json_put(out, object, "\n", err);
}
