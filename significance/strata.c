/* Strata from a column of a colour file. */
#include "base/options.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"

ms_status ms_read_strata(const ms_graph *graph, const ms_coloring *coloring,
                         const ms_color_options *colors, const char *column, uint32_t *stratum,
                         ms_error *err)
{
  ms_color_options options;
  ms_coloring *strata;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(column, err);
  MS_REQUIRE(stratum, err);
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_options_take(&ms_color_options_kind, colors, &options, err));
  if (coloring->info.format != MS_COLORS_TSV || coloring->path[0] == '(' ||
      (coloring->path[0] == '-' && !coloring->path[1]))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: strata are a column of a TSV file of colours, and these colours are from "
                   "none that can be read again; leave out `stratum`",
                   coloring->path);
  options.color_column = column;
  MS_TRY(ms_coloring_read(coloring->path, graph, &options, &strata, err));
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < graph->n && status == MS_OK; v++) {
    uint64_t values = strata->offset[v + 1] - strata->offset[v];
    bool colored = coloring->offset[v + 1] > coloring->offset[v];
    stratum[v] = values > 0 ? strata->color[strata->offset[v]] + 1 : 0;
    if (colored && values != 1)
      status = ms_fail(err, MS_ERR_INPUT, "%s: vertex '%s' has %s in column '%s'; it needs one",
                       coloring->path, ms_graph_name(graph, v),
                       values ? "several values" : "no value", column);
  }
  ms_coloring_free(strata);
  return status;
}
