/* ms_graph_write: opens the output, writes the graph and commits. */
#include "base/status.h"
#include "graph/formats/format.h"

/* Refuses to lose directions; colours and scores are left out where the caller may know. */
static ms_status check(const ms_coloring *coloring, const ms_graph *graph, ms_graph_format format,
                       const char *path, ms_error *err)
{
  if (format == MS_FORMAT_AUTO || (unsigned)format >= MS_GRAPH_FORMATS)
    return ms_fail(err, MS_ERR_USAGE, "%s: a graph format is needed to write", path);
  if (!ms_format_of(format)->write)
    return ms_fail(err, MS_ERR_USAGE, "%s: %s can only be read; choose another format", path,
                   ms_format_of(format)->info.name);
  if (graph->direction && !ms_format_of(format)->writes_directions)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: the graph is directed, and %s is written without directions; write an edge "
                   "list or GraphML, or a graph of edges (ms_graph_from_edges)",
                   path, ms_format_of(format)->info.name);
  return coloring ? ms_coloring_check(coloring, graph, err) : MS_OK;
}

ms_status ms_graph_write(const ms_graph *graph, const ms_coloring *coloring, ms_graph_format format,
                         const char *path, ms_error *err)
{
  MS_REQUIRE(graph, err);
  MS_REQUIRE(path, err);
  ms_outfile *out;
  ms_status status = check(coloring, graph, format, path, err);
  if (status == MS_OK)
    status = ms_outfile_open(path, &out, err);
  if (status != MS_OK)
    return status;
  ms_outfile_watch(out);
  status = ms_format_of(format)->write(graph, coloring, out, err);
  if (status == MS_OK)
    return ms_outfile_commit(out, err);
  ms_outfile_abort(out);
  return status;
}
