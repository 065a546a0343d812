#include "cli/colors_out.h"

#include "base/status.h"
#include "graph/colors.h"
#include "graph/names.h"

#include <string.h>

static ms_status check_name(const char *name, ms_error *err)
{
  return strchr("#!%", name[0])
             ? ms_fail(err, MS_ERR_USAGE,
                       "--colors-out: the vertex name '%.*s' begins with '%c', as comments do in "
                       "tables of colours; leave --colors-out out and write a format that holds "
                       "colours, or rename the vertex",
                       ms_name_clip(name, strlen(name)), name, name[0])
             : MS_OK;
}

ms_status ms_put_colors(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out,
                        ms_error *err)
{
  if (ms_missing_name(coloring->names))
    ms_outfile_puts(out, MS_LITERAL_MARK "\n");
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    if (count > 0)
      MS_TRY(check_name(ms_graph_name(graph, v), err));
    for (uint32_t i = 0; i < count; i++)
      ms_outfile_printf(out, "%s\t%s\n", ms_graph_name(graph, v),
                        ms_coloring_name(coloring, color[i]));
  }
  return MS_OK;
}
