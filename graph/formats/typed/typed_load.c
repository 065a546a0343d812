/* ms_typed_load: reads the tables and the edges, settles the types and builds the graph. */
#include "graph/formats/typed/typed_load.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/combine.h"

#include <string.h>

ms_graph_options ms_typed_as_plain(const ms_typed_options *o)
{
  ms_graph_format format = o->format == MS_TYPED_SIF         ? MS_FORMAT_SIF
                           : o->format == MS_TYPED_EDGE_LIST ? MS_FORMAT_EDGE_LIST
                                                             : MS_FORMAT_AUTO;
  return (ms_graph_options){.size = sizeof(ms_graph_options),
                            .format = format, /* for readers that are stricter without it */
                            .directed = o->directed,
                            .run.threads = o->run.threads,
                            .source_column = o->source_column,
                            .target_column = o->target_column,
                            .min_score = o->min_score,
                            .score_column = o->score_column,
                            .header = o->header,
                            .no_header = o->no_header,
                            .names = o->names,
                            .color_attribute = o->color_attribute,
                            .combine = o->combine,
                            .direction_column = o->direction_column};
}

static ms_status read_all(ms_text *text, ms_edge_reader *read, bool scores, ms_edges *edges,
                          ms_typed_info *info, ms_error *err)
{
  const ms_typed_options *o = edges->types->options;
  ms_graph_options plain = ms_typed_as_plain(o);
  plain.keep_scores = scores;
  MS_TRY(ms_typed_read_tables(edges, info, err));
  MS_TRY(ms_combine_begin(edges, text->label, &plain, err));
  MS_TRY(read(text, &plain, edges, err));
  MS_TRY(ms_edges_flush(edges, err));
  MS_TRY(ms_combine_end(edges, &plain, err));
  /* a filter may have left no edge, and writes the header all the same */
  if (edges->below_score > 0 && edges->pairs.count == 0)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds no edges with a score of at least %g: its scores are from %g to %g; "
                   "lower it",
                   text->label, o->min_score, edges->layout.lowest_score,
                   edges->layout.highest_score);
  if (edges->pairs.count + edges->types->alone == 0 && info->format != MS_TYPED_TABLE)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds no edges; give a file with a source, a type and a target per line",
                   text->label);
  return MS_OK;
}

/* Refuses a table of nodes that seems to use other names than the edges. */
static ms_status check_nodes(const ms_edge_types *types, const ms_typed *graph, ms_error *err)
{
  uint32_t nodes = types->nodes;
  if (nodes == 0 || graph->info.lone_nodes < nodes || graph->rows.n == nodes)
    return MS_OK;
  return ms_fail(err, MS_ERR_INPUT,
                 "%s: no edge of %s names a vertex of this table, such as '%s'; the edges name "
                 "'%s'; choose the column that holds these names (`node_name_column`), or give the "
                 "table that belongs to the edges",
                 types->options->nodes, types->label, ms_names_get(graph->names, 0),
                 ms_names_get(graph->names, nodes));
}

/* Moves what was read to the graph. */
static ms_status build(ms_edges *edges, ms_typed **out, ms_error *err)
{
  const ms_edge_types *types = edges->types;
  ms_typed_parts parts = {.names = NULL};
  ms_status status = ms_edge_types_settle(edges, &parts, err);
  if (status == MS_OK)
    status = ms_typed_build(&parts, types->options->run.threads, out, err);
  ms_typed_parts_free(&parts);
  for (uint32_t v = 0; v < types->nodes && status == MS_OK; v++)
    (*out)->info.lone_nodes += (*out)->rows.offset[v] == (*out)->rows.offset[v + 1];
  return status == MS_OK ? check_nodes(types, *out, err) : status;
}

static ms_status note_input(const char *path, const ms_typed_options *options,
                            const ms_typed_info *info, ms_typed *graph, ms_error *err)
{
  char *copy = ms_strdup(path);
  graph->nodes_path = options->nodes ? ms_strdup(options->nodes) : NULL;
  if (!copy || (options->nodes && !graph->nodes_path)) {
    ms_free(copy);
    return ms_fail_memory(err, "a path");
  }
  ms_free(graph->path);
  graph->path = copy;
  graph->info.path = copy;
  graph->info.nodes_path = graph->nodes_path;
  graph->info.format = info->format;
  graph->info.lines = info->lines;
  graph->info.crc32c = info->crc32c;
  graph->info.nodes_crc32c = info->nodes_crc32c;
  graph->info.relations_crc32c = info->relations_crc32c;
  graph->info.below_score = info->below_score;
  graph->info.layout = info->layout;
  return MS_OK;
}

ms_status ms_typed_build_edges(const char *path, const ms_text *text,
                               const ms_typed_options *options, ms_typed_info *info,
                               ms_edges *edges, ms_typed **out, ms_error *err)
{
  ms_note_missing(edges->names, &edges->layout);
  info->below_score = edges->below_score;
  info->layout = edges->layout;
  MS_TRY(build(edges, out, err));
  info->lines = text->number;
  info->crc32c = text->crc32c;
  return note_input(path, options, info, *out, err);
}

/* Moves the scores to the caller, with a copy of the edges, which the graph takes. */
static ms_status take_scores(ms_edges *edges, ms_scored_edges *scored, ms_error *err)
{
  if (edges->scores != edges->pairs.count)
    return ms_fail(err, MS_ERR_INTERNAL,
                   "edges and scores differ in number; please report this bug");
  scored->pair = ms_alloc(edges->pairs.count, sizeof *scored->pair);
  if (!scored->pair)
    return ms_fail_memory(err, "the scores of edges");
  if (edges->pairs.count > 0)
    memcpy(scored->pair, edges->pairs.pair, edges->pairs.count * sizeof *scored->pair);
  scored->count = edges->pairs.count;
  scored->score = edges->score;
  edges->score = NULL;
  return MS_OK;
}

void ms_scored_edges_free(ms_scored_edges *scored)
{
  ms_free(scored->pair);
  ms_free(scored->score);
  *scored = (ms_scored_edges){0};
}

ms_status ms_typed_load_scored(const char *path, ms_text *text, ms_typed_format format,
                               ms_edge_reader *read, const ms_typed_options *options,
                               ms_scored_edges *scored, ms_typed **out, ms_error *err)
{
  ms_edges *edges = NULL;
  ms_typed_info info = {.format = format};
  ms_status status = ms_edges_new(&edges, err);
  if (status == MS_OK)
    status = ms_edge_types_new(text->label, options, &edges->types, err);
  if (status == MS_OK)
    status = read_all(text, read, scored != NULL, edges, &info, err);
  if (status == MS_OK && scored)
    status = take_scores(edges, scored, err);
  if (status == MS_OK)
    status = ms_typed_build_edges(path, text, options, &info, edges, out, err);
  ms_edges_free(edges);
  return status;
}

ms_status ms_typed_load(const char *path, ms_text *text, ms_typed_format format,
                        ms_edge_reader *read, const ms_typed_options *options, ms_typed **out,
                        ms_error *err)
{
  return ms_typed_load_scored(path, text, format, read, options, NULL, out, err);
}
