/* Strata from a column of a colour file. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/colors.h"
#include "graph/graph.h"

#include <string.h>

/* Makes counts[colours]: which colours count. */
static ms_status mark_colors(const ms_coloring *coloring, const ms_census_options *census,
                             bool **counts, ms_error *err)
{
  uint32_t colors = ms_names_count(coloring->names);
  *counts = ms_alloc(colors, sizeof **counts);
  if (!*counts)
    return ms_fail_memory(err, "the colours that count");
  memset(*counts, census->n_only == 0, colors * sizeof **counts);
  for (uint32_t i = 0; i < census->n_only; i++) {
    if (census->only[i] >= colors)
      return ms_fail(err, MS_ERR_USAGE, "colour %u of `only` does not exist; there are %u colours",
                     census->only[i], colors);
    (*counts)[census->only[i]] = true;
  }
  return MS_OK;
}

/* Takes the strata of all vertices. */
static ms_status take_strata(const ms_graph *graph, const ms_coloring *coloring, const bool *counts,
                             const ms_coloring *strata, const char *column, uint32_t *stratum,
                             ms_error *err)
{
  for (uint32_t v = 0; v < graph->n; v++) {
    uint64_t values = strata->offset[v + 1] - strata->offset[v];
    bool moves = false;
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1] && !moves; i++)
      moves = counts[coloring->color[i]];
    stratum[v] = values > 0 ? strata->color[strata->offset[v]] + 1 : 0;
    if (moves && values != 1)
      return ms_fail(err, MS_ERR_INPUT, "%s: vertex '%s' has %s in column '%s'; it needs one",
                     coloring->path, ms_graph_name(graph, v),
                     values ? "several values" : "no value", column);
  }
  return MS_OK;
}

ms_status ms_read_strata(const ms_graph *graph, const ms_coloring *coloring,
                         const ms_color_options *colors, const ms_census_options *census,
                         const char *column, uint32_t *stratum, ms_error *err)
{
  ms_color_options options;
  ms_census_options counted;
  ms_coloring *strata = NULL;
  bool *counts = NULL;
  MS_REQUIRE(graph, err);
  MS_REQUIRE(coloring, err);
  MS_REQUIRE(column, err);
  MS_REQUIRE(stratum, err);
  MS_TRY(ms_coloring_check(coloring, graph, err));
  MS_TRY(ms_options_take(&ms_color_options_kind, colors, &options, err));
  MS_TRY(ms_options_take(&ms_census_options_kind, census, &counted, err));
  if (coloring->info.format != MS_COLORS_TSV || coloring->path[0] == '(' ||
      (coloring->path[0] == '-' && !coloring->path[1]))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: strata are a column of a TSV file of colours, and these colours are from "
                   "none that can be read again; leave out `stratum`",
                   coloring->path);
  options.color_column = column;
  ms_status status = mark_colors(coloring, &counted, &counts, err);
  if (status == MS_OK)
    status = ms_coloring_read(coloring->path, graph, &options, &strata, err);
  if (status == MS_OK)
    status = take_strata(graph, coloring, counts, strata, column, stratum, err);
  ms_coloring_free(strata);
  ms_free(counts);
  return status;
}
