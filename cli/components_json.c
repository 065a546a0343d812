/* Components as JSON lines. */
#include "cli/components.h"
#include "result/json.h"

static json_t *header(const ms_components_work *w)
{
  const ms_components_choice *c = &w->job.options->components;
  json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:i, s:o, s:I, s:I}", "type", "header", "tool",
                             "motifsieve", "version", ms_version(), "command", "components",
                             "schema", 1, "graph", ms_json_of_graph(&w->job), "components",
                             (json_int_t)w->count, "shown", (json_int_t)w->shown);
  if (!c->min_size)
    return object;
  return ms_json_add(object, "min_size", json_integer((json_int_t)c->min_size));
}

static ms_status put_component(ms_outfile *out, const ms_components_work *w, uint32_t c,
                               ms_error *err)
{
  json_int_t number = (json_int_t)c + 1, size = (json_int_t)ms_components_size(w, c);
  const ms_graph *graph = w->job.graph;
  ms_status status = MS_OK;
  if (w->job.options->components.sizes)
    return ms_json_put(out,
                       json_pack("{s:s, s:I, s:I, s:s}", "type", "component", "component", number,
                                 "size", size, "example",
                                 ms_graph_name(graph, w->vertex[w->begin[c]])),
                       "\n", err);
  for (uint32_t i = w->begin[c]; i < w->begin[c + 1] && status == MS_OK; i++)
    status = ms_json_put(out,
                         json_pack("{s:s, s:s, s:I, s:I}", "type", "vertex", "vertex",
                                   ms_graph_name(graph, w->vertex[i]), "component", number, "size",
                                   size),
                         "\n", err);
  return status;
}

ms_status ms_components_json(ms_outfile *out, const ms_components_work *w, ms_error *err)
{
  const ms_cli_options *o = w->job.options;
  ms_status status = ms_json_begin(o, w->job.graph, NULL, "--json", err);
  if (status == MS_OK)
    status = ms_json_put(out, header(w), "\n", err);
  if (status != MS_OK || o->list.count_only)
    return status;
  for (uint32_t c = 0; c < w->shown && status == MS_OK; c++)
    status = put_component(out, w, c, err);
  if (status != MS_OK)
    return status;
  uint32_t crc = ms_outfile_crc32c(out);
  return ms_json_put(out,
                     json_pack("{s:s, s:I, s:o}", "type", "end", "rows",
                               (json_int_t)ms_components_rows(w), "crc32c", ms_json_of_crc32c(crc)),
                     "\n", err);
}
