/* ms_graph_read_aliases: other names of vertices. */
#include "base/status.h"
#include "graph/graph.h"

ms_status ms_graph_read_aliases(ms_graph *graph, const char *path, ms_alias_info *info,
                                ms_error *err)
{
  (void)graph;
  (void)info;
  return ms_fail(err, MS_ERR_USAGE, "%s: alias files cannot be read yet", path);
}
