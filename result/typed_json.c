/* One JSON object a line: those of head and end by jansson, rows put together
 * as those of pattern matches. */
#include "base/status.h"
#include "graph/io/typed_read.h"
#include "query/typed_query.h"
#include "result/json.h"
#include "result/pattern_writer.h"
#include "result/typed_writer.h"
#include "result/writer.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- head ---------------------------------------------------------------- */

static json_t *pattern_object(const ms_typed_output *o)
{
  json_t *names = json_array();
  for (uint32_t i = 0; i < o->pattern->n; i++)
    ms_json_append(&names, json_string(ms_typed_pattern_vertex_name(o->pattern, i)));
  json_t *object = ms_json_add_text(json_object(), o->pattern_is_text ? "text" : "path",
                                    o->job->options->pattern.path);
  object = ms_json_add(object, "crc32c", ms_json_of_crc32c(o->pattern->crc32c));
  object = ms_json_add(object, "vertices", json_integer(o->pattern->n));
  object = ms_json_add(object, "edges", json_integer(o->pattern->edges));
  return ms_json_add(object, "names", names);
}

static json_t *add_mode(json_t *object, const ms_typed_output *o, const ms_typed_result *known)
{
  if (!o->inexact) {
    object = ms_json_add_text(object, "semantics", ms_typed_semantics(o));
    object = ms_json_add_text(object, "automorphisms", known->automorphisms_text);
    return ms_json_add_text(object, "mode", "exact");
  }
  object = ms_json_add_text(object, "mode", "inexact");
  object = ms_json_add_text(object, "walk", ms_typed_walk_text(o->options->walk));
  if (o->options->walk == MS_WALK_RANDOM)
    object = ms_json_add(object, "seed", json_integer((json_int_t)o->options->seed));
  object = ms_json_add(object, "walk_length", json_integer(known->walk_length));
  return ms_json_add(object, "best_score", json_integer(known->best_score));
}

static ms_status begin_json(const ms_typed_output *o, ms_error *err)
{
  const ms_job *job = o->job;
  ms_status status = MS_OK;
  if (job->graph)
    status = ms_json_begin(job->options, job->graph, job->coloring, "--json", err);
  return status == MS_OK ? ms_json_begin_typed(job->options, o->graph, "--json", err) : status;
}

static ms_status head(ms_typed_output *o, const ms_typed_result *known, ms_error *err)
{
  MS_TRY(begin_json(o, err));
  json_t *header =
      json_pack("{s:s, s:s, s:s, s:s, s:i, s:o}", "type", "header", "tool", "motifsieve", "version",
                ms_version(), "command", "typed-match", "schema", 1, "graph",
                o->job->graph ? ms_json_of_graph(o->job)
                              : ms_json_of_typed_graph(o->graph, &o->job->options->typed));
  if (o->job->coloring)
    header = ms_json_add(header, "colors", ms_json_of_coloring(o->job));
  header = ms_json_add(header, "pattern", pattern_object(o));
  return ms_json_put(o->out, add_mode(header, o, known), "\n", err);
}

/* ---- rows ---------------------------------------------------------------- */

static void rows(ms_typed_output *o, const uint32_t *row, const uint32_t *score, uint64_t count)
{
  ms_name_blocks names = ms_names_blocks(o->graph->names);
  char text[32];
  if (o->rows == 0)
    o->escapes = ms_names_need_escapes(&names);
  for (uint64_t r = 0; r < count; r++, row += o->pattern->n) {
    ms_counter_next(&o->number);
    MS_PUT_TEXT(o->buffer, "{\"type\":\"match\",\"match\":");
    ms_row_put_counter(o->buffer, &o->number);
    if (score)
      ms_row_put(o->buffer, text,
                 (size_t)snprintf(text, sizeof text, ",\"score\":%" PRIu32, score[r]));
    MS_PUT_TEXT(o->buffer, ",\"vertices\":[");
    ms_put_row_strings(o->buffer, &names, o->escapes, o->pattern->n, row);
    MS_PUT_TEXT(o->buffer, "]}\n");
  }
}

/* ---- end ----------------------------------------------------------------- */

static ms_status end(ms_typed_output *o, const char *status, ms_error *err)
{
  return ms_put_json_end(o->out, status, o->rows, err);
}

const ms_typed_writer ms_typed_writer_json = {head, rows, end};

/* ---- counts -------------------------------------------------------------- */

ms_status ms_put_typed_count(ms_outfile *out, const ms_typed_output *o,
                             const ms_typed_result *result, const char *text, ms_error *err)
{
  ms_status status = begin_json(o, err);
  if (status != MS_OK)
    return status;
  json_t *object = json_pack("{s:s}", "type", "count");
  object = ms_json_add_text(object, "count", result->count_text);
  object = add_mode(object, o, result);
  object = ms_json_add_text(object, "status", text);
  return ms_json_put(out, object, "\n", err);
}
