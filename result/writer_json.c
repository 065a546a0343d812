/* One JSON object a line. */
#include "result/json.h"
#include "result/typed_writer.h"
#include "result/writer.h"

#include "base/status.h"
#include "query/query.h"

json_t *ms_json_add_file(json_t *object, const char *key, const char *path, uint32_t crc32c)
{
  if (!path)
    return object;
  return ms_json_add(object, key,
                     json_pack("{s:s, s:o}", "path", path, "crc32c", ms_json_of_crc32c(crc32c)));
}

json_t *ms_json_of_graph(const ms_job *job)
{
  const ms_graph_options *o = &job->options->graph;
  ms_graph_info g = ms_graph_describe(job->graph);
  json_t *object =
      json_pack("{s:s, s:o, s:I, s:I, s:s, s:f, s:b, s:b}", "path", g.path, "crc32c",
                ms_json_of_crc32c(g.crc32c), "vertices", (json_int_t)g.vertices, "edges",
                (json_int_t)g.edges, "format", ms_graph_format_describe(g.format).name, "min_score",
                o->min_score, "keep_taxon", o->keep_taxon, "header", o->header);
  object = ms_json_add_text(object, "taxon", o->taxon);
  object = ms_json_add_text(object, "system", o->system);
  object = ms_json_add_text(object, "names", o->names);
  object = ms_json_add_file(object, "alias", g.alias_path, g.alias_crc32c);
  /* a motif's matches are the same either way */
  return g.directed && !job->motif ? ms_json_add(object, "directed", json_true()) : object;
}

json_t *ms_json_of_typed_graph(const ms_typed *graph, const ms_typed_options *reading)
{
  ms_typed_info info = ms_typed_describe(graph);
  ms_typed_setting setting[MS_TYPED_COLUMNS];
  json_t *object =
      json_pack("{s:s, s:o, s:I, s:I, s:s}", "path", info.path, "crc32c",
                ms_json_of_crc32c(info.crc32c), "vertices", (json_int_t)info.vertices, "edges",
                (json_int_t)info.edges, "format", ms_typed_format_text(info.format));
  object = ms_json_add_file(object, "nodes", reading->nodes, info.nodes_crc32c);
  object = ms_json_add_file(object, "relations", reading->relations, info.relations_crc32c);
  if (reading->directed)
    object = ms_json_add(object, "directed", json_true());
  ms_typed_settings(reading, setting);
  for (int i = 0; i < MS_TYPED_COLUMNS; i++)
    object = ms_json_add_text(object, setting[i].name, setting[i].value);
  return object;
}

json_t *ms_json_of_coloring(const ms_job *job)
{
  const ms_color_options *o = &job->options->coloring;
  ms_coloring_info c = ms_coloring_describe(job->coloring);
  json_t *object =
      json_pack("{s:s, s:o, s:I, s:I, s:s, s:s, s:b}", "path", c.path, "crc32c",
                ms_json_of_crc32c(c.crc32c), "colors", (json_int_t)c.colors, "assignments",
                (json_int_t)c.assignments, "format", ms_color_format_name(c.format), "aspects",
                o->aspects ? o->aspects : "PFC", "header", o->header);
  object = ms_json_add_text(object, "name_column", o->name_column);
  object = ms_json_add_text(object, "color_column", o->color_column);
  object = ms_json_add_text(object, "slim", c.slim_is_file ? NULL : o->slim);
  object = ms_json_add_file(object, "obo", o->obo, c.obo_crc32c);
  return ms_json_add_file(object, "slim", c.slim_is_file ? o->slim : NULL, c.slim_crc32c);
}

json_t *ms_json_of_sieve(const ms_job *job, const ms_screen_result *s)
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
  ms_status status = ms_json_begin(job->options, job->graph, job->coloring, "--json", err);
  if (status != MS_OK)
    return status;
  json_t *header =
      json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:s, s:I}", "type", "header", "tool",
                "motifsieve", "version", ms_version(), "command", ms_report_command(report),
                "schema", 1, "graph", ms_json_of_graph(job), "colors", ms_json_of_coloring(job),
                "motif", ms_motif_text(job->motif), "k", (json_int_t)ms_motif_size(job->motif));
  json_t *sieve = ms_json_of_sieve(job, report->screen);
  bool whole = header && sieve;
  if (whole && job->query->n_required)
    whole = json_object_set_new(
                header, "required",
                ms_json_of_vertices(job->graph, job->query->n_required, job->query->required)) == 0;
  whole = whole && json_object_update(header, sieve) == 0;
  json_decref(sieve);
  whole =
      whole && json_object_set_new(header, "status", json_string(ms_report_status(report))) == 0;
  if (whole && !report->list && job->options->all)
    whole = json_object_set_new(header, "rows", json_string("all")) == 0;
  whole = whole && json_object_set_new(header, report->list ? "matches" : "flagged",
                                       json_integer((json_int_t)report->found)) == 0;
  if (!whole) {
    json_decref(header);
    header = NULL;
  }
  return ms_json_put(out, header, "\n", err);
}

static ms_status vertex(ms_outfile *out, const ms_report *report, uint32_t v, ms_error *err)
{
  uint32_t hits = report->screen->hits[v];
  return ms_json_put(out,
                     json_pack("{s:s, s:s, s:o, s:b, s:I}", "type", "vertex", "vertex",
                               ms_graph_name(report->job->graph, v), "colors",
                               ms_json_of_colors(report->job->coloring, v), "flagged", hits > 0,
                               "repetitions", (json_int_t)hits),
                     "\n", err);
}

static ms_status match(ms_outfile *out, const ms_report *report, uint64_t number,
                       const uint32_t *set, ms_error *err)
{
  uint32_t k = ms_motif_size(report->job->motif);
  return ms_json_put(out,
                     json_pack("{s:s, s:I, s:o}", "type", "match", "match", (json_int_t)number,
                               "vertices", ms_json_of_vertices(report->job->graph, k, set)),
                     "\n", err);
}

static ms_status end(ms_outfile *out, uint64_t rows, ms_error *err)
{
  uint32_t crc = ms_outfile_crc32c(out);
  return ms_json_put(out,
                     json_pack("{s:s, s:I, s:o}", "type", "end", "rows", (json_int_t)rows, "crc32c",
                               ms_json_of_crc32c(crc)),
                     "\n", err);
}

const ms_writer ms_writer_json = {begin, vertex, match, end};
