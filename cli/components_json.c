/* Components as JSON lines. */
#include "cli/components.h"
#include "result/json.h"

ms_status ms_components_json(ms_outfile *out, const ms_components_work *w, uint32_t c,
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
