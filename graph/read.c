/* ms_graph_read: open, find the format, read, build. */
#include "graph/read.h"

#include "base/alloc.h"
#include "base/status.h"
#include "graph/graph.h"

#include <string.h>

static ms_status add_pairs(ms_edges *edges, uint32_t count, const char *const *texts,
                           const size_t *lengths, ms_error *err)
{
  uint32_t ids[MS_NAME_BATCH];
  ms_status status = ms_names_add_batch(edges->names, count, texts, lengths, ids, err);
  for (uint32_t i = 0; i < count && status == MS_OK; i += 2)
    status = ms_pairs_add(&edges->pairs, ids[i], ids[i + 1], err);
  return status;
}

ms_status ms_edges_flush(ms_edges *edges, ms_error *err)
{
  ms_edge_batch *batch = &edges->batch;
  ms_status status = add_pairs(edges, batch->count, batch->text, batch->length, err);
  batch->count = 0;
  batch->used = 0;
  return status;
}

static void put(ms_edge_batch *batch, ms_field name)
{
  char *to = batch->bytes + batch->used;
  memcpy(to, name.text, name.length);
  batch->text[batch->count] = to;
  batch->length[batch->count++] = name.length;
  batch->used += name.length;
}

ms_status ms_edges_add(ms_edges *edges, const ms_text *text, ms_field first, ms_field second,
                       ms_error *err)
{
  ms_edge_batch *batch = &edges->batch;
  ms_status status = ms_text_check_name(text, first, "first vertex name", err);
  if (status == MS_OK)
    status = ms_text_check_name(text, second, "second vertex name", err);
  if (status != MS_OK)
    return status;
  size_t bytes = first.length + second.length;
  if (batch->count == MS_NAME_BATCH || batch->used + bytes > MS_EDGE_BATCH_BYTES)
    status = ms_edges_flush(edges, err);
  if (status != MS_OK)
    return status;
  if (bytes > MS_EDGE_BATCH_BYTES)
    return add_pairs(edges, 2, (const char *const[]){first.text, second.text},
                     (const size_t[]){first.length, second.length}, err);
  put(batch, first);
  put(batch, second);
  return MS_OK;
}

static ms_status check_options(const char *path, const ms_graph_options *options, ms_error *err)
{
  if (options->format != MS_FORMAT_AUTO && options->format != MS_FORMAT_EDGE_LIST &&
      options->format != MS_FORMAT_STRING)
    return ms_fail(err, MS_ERR_USAGE, "%s: unknown graph format %d; use one of ms_graph_format",
                   path, (int)options->format);
  if (!(options->min_score >= 0))
    return ms_fail(err, MS_ERR_USAGE, "%s: the least score must be a number of at least 0", path);
  return MS_OK;
}

static ms_status find_format(const char *path, const ms_graph_options *options, const ms_text *text,
                             ms_graph_format *format, ms_error *err)
{
  *format = options->format;
  if (*format == MS_FORMAT_AUTO)
    *format = ms_is_string_header(text) ? MS_FORMAT_STRING : MS_FORMAT_EDGE_LIST;
  if (*format != MS_FORMAT_STRING && options->min_score > 0)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: a least score is given, but this is not a STRING file; leave the score out, or "
        "give a file whose header begins with 'protein1 protein2'",
        path);
  return MS_OK;
}

static ms_status read_edges(const char *path, const ms_graph_options *options, ms_text *text,
                            ms_edges *edges, ms_graph_format *format, ms_error *err)
{
  ms_status status = ms_text_next_data(text, err);
  if (status != MS_OK)
    return status;
  if (!text->line)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds no edges; give a file with two vertex names a line", text->label);
  status = find_format(path, options, text, format, err);
  if (status != MS_OK)
    return status;
  status = *format == MS_FORMAT_STRING ? ms_read_string(text, options, edges, err)
                                       : ms_read_edge_list(text, options, edges, err);
  if (status == MS_OK && edges->pairs.count == 0)
    return edges->below_score > 0
               ? ms_fail(err, MS_ERR_INPUT,
                         "%s: holds no edges with a score of at least %g; lower it", text->label,
                         options->min_score)
               : ms_fail(err, MS_ERR_INPUT,
                         "%s: holds no edges; give a file with two vertex names a line",
                         text->label);
  return status;
}

static ms_status build(const char *path, const ms_text *text, ms_graph_format format,
                       ms_edges *edges, ms_graph **out, ms_error *err)
{
  ms_graph *graph;
  char *copy = ms_strdup(path);
  if (!copy)
    return ms_fail_memory(err, "a path");
  ms_names *names = edges->names;
  edges->names = NULL; /* ms_graph_build owns them from here on */
  ms_status status = ms_graph_build(ms_names_count(names), edges->pairs.count,
                                    (const uint32_t(*)[2])edges->pairs.pair, names, &graph, err);
  if (status != MS_OK) {
    ms_free(copy);
    return status;
  }
  ms_free(graph->path);
  graph->path = copy;
  graph->info.path = copy;
  graph->info.lines = text->number;
  graph->info.crc32c = text->crc32c;
  graph->info.below_score = edges->below_score;
  graph->info.format = format;
  *out = graph;
  return MS_OK;
}

ms_status ms_graph_read(const char *path, const ms_graph_options *options, ms_graph **out,
                        ms_error *err)
{
  static const ms_graph_options defaults = {0};
  ms_graph_format format = MS_FORMAT_AUTO;
  ms_edges edges = {0};
  ms_text *text = NULL;
  *out = NULL;
  options = options ? options : &defaults;
  ms_status status = check_options(path, options, err);
  if (status != MS_OK)
    return status;
  status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_names_new(&edges.names, err);
  if (status == MS_OK)
    status = read_edges(path, options, text, &edges, &format, err);
  if (status == MS_OK)
    status = build(path, text, format, &edges, out, err);
  ms_text_close(text);
  ms_names_free(edges.names);
  ms_free(edges.pairs.pair);
  return status;
}
