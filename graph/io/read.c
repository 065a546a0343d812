/* ms_graph_read: open, find the format, read, build. */
#include "base/alloc.h"
#include "base/status.h"
#include "graph/io/format.h"

#include <string.h>

static ms_status check_options(const char *path, const ms_graph_options *options, ms_error *err)
{
  if ((unsigned)options->format >= MS_GRAPH_FORMATS)
    return ms_fail(err, MS_ERR_USAGE, "%s: unknown graph format %d; use one of ms_graph_format",
                   path, (int)options->format);
  if (!(options->min_score >= 0))
    return ms_fail(err, MS_ERR_USAGE, "%s: the least score must be a number of at least 0", path);
  return MS_OK;
}

/* An option that the format does not have would be lost without a word. */
static ms_status check_option(const ms_text *text, const ms_format *format, unsigned option,
                              bool given, const char *what, const char *which, ms_error *err)
{
  if (!given || (format->options & option))
    return MS_OK;
  return ms_fail(
      err, MS_ERR_USAGE,
      "%s: %s is given, but this is not %s (it is read as %s); leave it out, give such a "
      "file, or say its format",
      text->label, what, which, format->info.name);
}

static ms_status find_format(const char *path, const ms_graph_options *options, ms_text *text,
                             const ms_format **format, ms_error *err)
{
  ms_head head = {.path = path};
  MS_TRY(ms_text_head(text, MS_HEAD_BYTES, &head.bytes, &head.length, err));
  head.whole = text->ended;
  *format =
      ms_format_of(options->format == MS_FORMAT_AUTO ? ms_format_detect(&head) : options->format);
  ms_status status =
      check_option(text, *format, MS_HAS_SCORE, options->min_score > 0, "a least score",
                   "a STRING file, whose header begins with 'protein1 protein2'", err);
  if (status == MS_OK)
    status = check_option(text, *format, MS_HAS_HEADER, options->header, "a header",
                          "an edge list or a SIF file", err);
  if (status == MS_OK)
    status = check_option(text, *format, MS_HAS_PREFIX, options->keep_taxon,
                          "that taxa be kept in front of the names", "a STRING file", err);
  if (status == MS_OK)
    status = check_option(text, *format, MS_HAS_TAXON, options->taxon, "a taxon",
                          "a BioGRID or MITAB file", err);
  if (status == MS_OK)
    status = check_option(text, *format, MS_HAS_SYSTEM, options->system, "an experimental system",
                          "a BioGRID or MITAB file", err);
  if (status == MS_OK)
    status = check_option(text, *format, MS_HAS_NAMES, options->names, "a kind of names",
                          "a BioGRID or MITAB file", err);
  if (status == MS_OK)
    status = check_option(text, *format, MS_HAS_DIRECTION, options->directed,
                          "that edges have a direction",
                          "a file that says which: an edge list, SIF, Matrix Market, t/v/e, LAD, "
                          "GraphML or a table of typed edges",
                          err);
  return status;
}

static ms_status direct(const ms_graph_options *options, const ms_edges *edges, ms_graph *graph,
                        ms_error *err)
{
  const ms_pairs *parts[] = {&edges->pairs, &edges->back};
  ms_status status = MS_OK;
  for (int i = 0; i < 2 && edges->directed && status == MS_OK; i++)
    status = ms_graph_direct(graph, parts[i]->count, (const uint32_t(*)[2])parts[i]->pair,
                             options->threads, err);
  return status;
}

/* The names and what belongs to them go over to the graph. */
static ms_status build(const ms_text *text, const ms_graph_options *options, ms_edges *edges,
                       ms_graph **out, ms_error *err)
{
  ms_names *names = edges->names;
  if (ms_names_count(names) == 0) {
    if (edges->below_score > 0)
      return ms_fail(err, MS_ERR_INPUT, "%s: holds no edges with a score of at least %g; lower it",
                     text->label, options->min_score);
    if (edges->filtered > 0)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: holds no edges of that taxon and system; choose others", text->label);
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds no edges; give a file with two vertex names a line", text->label);
  }
  edges->names = NULL; /* ms_graph_build owns them from here on */
  ms_status status =
      ms_graph_build(ms_names_count(names), edges->pairs.count,
                     (const uint32_t(*)[2])edges->pairs.pair, names, options->threads, out, err);
  if (status == MS_OK)
    status = direct(options, edges, *out, err);
  if (status != MS_OK)
    return status;
  (*out)->color_names = edges->color_names;
  (*out)->colors = edges->colors;
  edges->color_names = NULL;
  edges->colors = (ms_pairs){0};
  (*out)->taxon_prefix = edges->taxon_prefix;
  edges->taxon_prefix = NULL;
  (*out)->info.below_score = edges->below_score;
  (*out)->info.filtered = edges->filtered;
  (*out)->info.colored = (*out)->color_names != NULL;
  return MS_OK;
}

static ms_status read_and_build(ms_text *text, const ms_format *format,
                                const ms_graph_options *options, ms_graph **out, ms_error *err)
{
  ms_edges *edges;
  ms_status status = ms_edges_new(&edges, err);
  if (status == MS_OK) {
    edges->directed = options->directed;
    status = format->read(text, options, edges, err);
  }
  if (status == MS_OK)
    status = ms_edges_flush(edges, err);
  if (status == MS_OK)
    status = build(text, options, edges, out, err);
  ms_edges_free(edges);
  return status;
}

static ms_status note_input(const char *path, const ms_text *text, const ms_format *format,
                            ms_graph *graph, ms_error *err)
{
  char *copy = ms_strdup(path);
  if (!copy)
    return ms_fail_memory(err, "a path");
  ms_free(graph->path);
  graph->path = copy;
  graph->info.path = copy;
  graph->info.lines = text->number;
  graph->info.crc32c = text->crc32c;
  for (int f = MS_FORMAT_AUTO + 1; f < MS_GRAPH_FORMATS; f++)
    if (ms_format_of((ms_graph_format)f) == format) {
      graph->info.format = (ms_graph_format)f;
      break;
    }
  return MS_OK;
}

ms_status ms_graph_read_text(const char *path, ms_text *text, const ms_graph_options *options,
                             ms_graph **out, ms_error *err)
{
  static const ms_graph_options defaults = {0};
  const ms_format *format = NULL;
  *out = NULL;
  options = options ? options : &defaults;
  ms_status status = check_options(path, options, err);
  if (status == MS_OK)
    status = find_format(path, options, text, &format, err);
  if (status == MS_OK)
    status = format->load ? format->load(path, text, options, out, err)
                          : read_and_build(text, format, options, out, err);
  if (status == MS_OK)
    status = note_input(path, text, format, *out, err);
  if (status != MS_OK) {
    ms_graph_free(*out);
    *out = NULL;
  }
  return status;
}

ms_status ms_graph_read(const char *path, const ms_graph_options *options, ms_graph **out,
                        ms_error *err)
{
  ms_text *text = NULL;
  *out = NULL;
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_graph_read_text(path, text, options, out, err);
  ms_text_close(text);
  return status;
}
