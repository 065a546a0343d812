#include "cli/colors_out.h"

void ms_put_colors(const ms_graph *graph, const ms_coloring *coloring, ms_outfile *out)
{
  for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++) {
    uint32_t count;
    const uint32_t *color = ms_coloring_of(coloring, v, &count);
    for (uint32_t i = 0; i < count; i++)
      ms_outfile_printf(out, "%s\t%s\n", ms_graph_name(graph, v),
                        ms_coloring_name(coloring, color[i]));
  }
}
