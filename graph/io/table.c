/* A table of edges with types (graph/io/typed_read_table.c) as a plain graph: the
 * types of vertices become its colours, those of edges are dropped.  Such is
 * what "filter" writes, so that what it leaves can go anywhere. */
#include "base/status.h"
#include "graph/io/format.h"
#include "graph/io/typed_read.h"

/* The colours become those that the file gave. */
static ms_status take_colors(ms_coloring *coloring, ms_graph *graph, ms_error *err)
{
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < coloring->n && status == MS_OK; v++)
    for (uint64_t i = coloring->offset[v]; i < coloring->offset[v + 1] && status == MS_OK; i++)
      status = ms_pairs_add(&graph->colors, v, coloring->color[i], err);
  if (status == MS_OK && graph->colors.count > 0) {
    graph->color_names = coloring->names;
    coloring->names = NULL;
    graph->info.colored = true;
  }
  return status;
}

static ms_status load(const char *path, ms_text *text, const ms_graph_options *options,
                      ms_graph **out, ms_error *err)
{
  ms_typed_options typed = {
      .format = MS_TYPED_TABLE, .directed = options->directed, .threads = options->threads};
  ms_typed *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_status status = ms_typed_read_open(path, text, MS_TYPED_TABLE, &typed, &graph, err);
  if (status == MS_OK && graph->rows.n == 0)
    status = ms_fail(err, MS_ERR_INPUT,
                     "%s: a table without edges and vertices; there is nothing to do with it",
                     text->label);
  if (status == MS_OK)
    status = ms_typed_plain_graph(graph, options->directed, options->threads, out, err);
  if (status == MS_OK)
    status = ms_typed_plain_colors(graph, &coloring, err);
  if (status == MS_OK)
    status = take_colors(coloring, *out, err);
  ms_coloring_free(coloring);
  ms_typed_free(graph);
  return status;
}

const ms_format ms_format_table = {
    .info = {.name = "table",
             .about = "columns between tabs, named by a header: source, type, target, source_type, "
                      "target_type; types of vertices become colours, those of edges are dropped",
             .example = "source\ttype\ttarget\tsource_type\ttarget_type\n"
                        "TP53\tregulates\tMDM2\tgene\tgene\n",
             .suffix = ".tsv"},
    .options = MS_HAS_HEADER | MS_HAS_DIRECTION,
    .detect = ms_typed_is_table,
    .load = load};
