/* One JSON object a line. */
#include "cli/writer.h"

#include "base/alloc.h"
#include "base/status.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static void *json_alloc(size_t bytes)
{
  return ms_alloc(bytes, 1);
}

/* JSON can only hold UTF-8.  The readers see to it for names, not for paths.
 * Looked at before the first byte goes out, so that a refusal leaves nothing
 * behind. */
static ms_status check_path(const char *path, ms_error *err)
{
  json_t *string = json_string(path);
  json_decref(string);
  if (string)
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: the path is not UTF-8, which JSON needs; leave out --json or rename the file",
                 path);
}

/* Write and release `object`; NULL means that it could not be made. */
static ms_status put(ms_outfile *out, json_t *object, ms_error *err)
{
  char *text = object ? json_dumps(object, JSON_COMPACT) : NULL;
  json_decref(object);
  if (!text)
    return ms_fail_memory(err, "a line of JSON");
  ms_outfile_puts(out, text);
  ms_outfile_puts(out, "\n");
  ms_free(text);
  return MS_OK;
}

static json_t *crc_text(uint32_t crc)
{
  char text[9];
  snprintf(text, sizeof text, "%08" PRIx32, crc);
  return json_string(text);
}

static json_t *graph_object(const ms_job *job)
{
  const ms_graph_options *o = &job->options->graph;
  ms_graph_info g = ms_graph_describe(job->graph);
  return json_pack("{s:s, s:o, s:I, s:I, s:s, s:f, s:b, s:b}", "path", g.path, "crc32c",
                   crc_text(g.crc32c), "vertices", (json_int_t)g.vertices, "edges",
                   (json_int_t)g.edges, "format", ms_graph_format_describe(g.format).name, "min_score",
                   o->min_score, "keep_taxon", o->keep_taxon, "header", o->header);
}

static json_t *colors_object(const ms_job *job)
{
  const ms_color_options *o = &job->options->coloring;
  ms_coloring_info c = ms_coloring_describe(job->coloring);
  return json_pack("{s:s, s:o, s:I, s:I, s:s, s:s, s:b}", "path", c.path, "crc32c",
                   crc_text(c.crc32c), "colors", (json_int_t)c.colors, "assignments",
                   (json_int_t)c.assignments, "format", ms_color_format_name(c.format), "aspects",
                   o->aspects ? o->aspects : "PFC", "header", o->header);
}

static json_t *required_array(const ms_cli_options *o)
{
  json_t *names = json_array();
  for (uint32_t i = 0; i < o->n_required; i++)
    json_array_append_new(names, json_string(o->required[i]));
  return names;
}

static json_t *sieve_object(const ms_job *job, const ms_screen_result *s)
{
  const ms_screen_options *o = &job->options->list.screen;
  if (!s)
    return json_pack("{s:s}", "mode", "exact");
  return json_pack("{s:s, s:s, s:I, s:I, s:I, s:f, s:s, s:f}", "mode", "screened", "recurrence",
                   ms_recurrence_text(o->recurrence), "seed", (json_int_t)o->seed, "repetitions",
                   (json_int_t)s->repetitions, "repetitions_planned",
                   (json_int_t)s->repetitions_planned, "miss_bound", s->miss_bound,
                   "miss_bound_formula", s->miss_bound_text ? s->miss_bound_text : "",
                   "miss_bound_union", s->miss_bound_union);
}

static ms_status begin(ms_outfile *out, const ms_report *report, ms_error *err)
{
  const ms_job *job = report->job;
  bool list = job->options->command == MS_COMMAND_LIST;
  json_set_alloc_funcs(json_alloc, ms_free);
  ms_status status = check_path(ms_graph_describe(job->graph).path, err);
  if (status == MS_OK)
    status = check_path(ms_coloring_describe(job->coloring).path, err);
  if (status != MS_OK)
    return status;
  json_t *header =
      json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:s, s:I}", "type", "header", "tool",
                "motifsieve", "version", ms_version(), "command", ms_report_command(report),
                "schema", 1, "graph", graph_object(job), "colors", colors_object(job), "motif",
                ms_motif_text(job->motif), "k", (json_int_t)ms_motif_size(job->motif));
  json_t *sieve = sieve_object(job, report->screen);
  bool whole = header && sieve;
  if (whole && job->options->n_required)
    whole = json_object_set_new(header, "required", required_array(job->options)) == 0;
  whole = whole && json_object_update(header, sieve) == 0;
  json_decref(sieve);
  whole =
      whole && json_object_set_new(header, "status", json_string(ms_report_status(report))) == 0;
  if (whole && !list && job->options->all)
    whole = json_object_set_new(header, "rows", json_string("all")) == 0;
  whole = whole && json_object_set_new(header, list ? "matches" : "flagged",
                                       json_integer((json_int_t)report->found)) == 0;
  if (!whole) {
    json_decref(header);
    header = NULL;
  }
  return put(out, header, err);
}

static ms_status vertex(ms_outfile *out, const ms_report *report, uint32_t v, ms_error *err)
{
  const ms_coloring *coloring = report->job->coloring;
  uint32_t count, hits = report->screen->hits[v];
  const uint32_t *colors = ms_coloring_of(coloring, v, &count);
  json_t *names = json_array();
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(names, json_string(ms_coloring_name(coloring, colors[i])));
  return put(out,
             json_pack("{s:s, s:s, s:o, s:b, s:I}", "type", "vertex", "vertex",
                       ms_graph_name(report->job->graph, v), "colors", names, "flagged", hits > 0,
                       "repetitions", (json_int_t)hits),
             err);
}

static ms_status match(ms_outfile *out, const ms_report *report, uint64_t number,
                       const uint32_t *set, ms_error *err)
{
  json_t *names = json_array();
  uint32_t k = ms_motif_size(report->job->motif);
  for (uint32_t i = 0; i < k; i++)
    json_array_append_new(names, json_string(ms_graph_name(report->job->graph, set[i])));
  if (json_array_size(names) != k) {
    json_decref(names);
    return ms_fail_memory(err, "a line of JSON");
  }
  return put(
      out,
      json_pack("{s:s, s:I, s:o}", "type", "match", "match", (json_int_t)number, "vertices", names),
      err);
}

static ms_status end(ms_outfile *out, uint64_t rows, ms_error *err)
{
  uint32_t crc = ms_outfile_crc32c(out);
  return put(out,
             json_pack("{s:s, s:I, s:o}", "type", "end", "rows", (json_int_t)rows, "crc32c",
                       crc_text(crc)),
             err);
}

const ms_writer ms_writer_json = {begin, vertex, match, end};
