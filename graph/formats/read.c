/* ms_graph_read: opens the file, detects its format, reads it and builds the graph. */
#include "base/alloc.h"
#include "base/options.h"
#include "base/status.h"
#include "graph/edge_scores.h"
#include "graph/formats/detect.h"
#include "graph/formats/format.h"
#include "graph/given_motif.h"
#include "graph/io/combine.h"

static ms_status check_options(const char *path, const ms_graph_options *options, ms_error *err)
{
  if ((unsigned)options->format >= MS_GRAPH_FORMATS)
    return ms_fail(err, MS_ERR_USAGE, "%s: unknown graph format %d; use one of ms_graph_format",
                   path, (int)options->format);
  if (!(options->min_score >= 0))
    return ms_fail(err, MS_ERR_USAGE, "%s: the minimum score must be a number of at least 0", path);
  return MS_OK;
}

/* Refuses an option that the format does not have, rather than ignore it. */
static ms_status check_format_options(const ms_text *text, const ms_graph_options *options,
                                      const ms_format *format, ms_error *err)
{
  static const char string[] = "a STRING file", table[] = "a BioGRID or MITAB file",
                    named[] = "a BioGRID, MITAB, GraphML or CX2 file",
                    scored[] =
                        "a STRING, BioGRID or MITAB file, an edge list or a table with scores",
                    kept[] = "a STRING, BioGRID, MITAB, Matrix Market, METIS, DIMACS, GraphML, CX2 "
                             "or binary file, an edge list or a table with scores";
  const struct {
    unsigned option;
    bool given;
    const char *what, *which;
  } checks[] = {
      {MS_HAS_SCORE, options->min_score > 0, "`min_score`", scored},
      {MS_HAS_SCORE, options->score_column != NULL, "`score_column`", scored},
      {MS_HAS_KEPT_SCORES, options->keep_scores, "`keep_scores`", kept},
      {MS_HAS_COLUMNS, options->source_column || options->target_column,
       "a column of ends of edges", "an edge list or a table"},
      {MS_HAS_NO_HEADER, options->no_header, "`no_header`", "an edge list"},
      {MS_HAS_HEADER, options->header, "a header", "an edge list or a SIF file"},
      {MS_HAS_PREFIX, options->keep_taxon, "`keep_taxon`", string},
      {MS_HAS_TAXON, options->taxon, "a taxon", table},
      {MS_HAS_SYSTEM, options->system, "an experimental system", table},
      {MS_HAS_NAMES, options->names, "a kind of names", named},
      {MS_HAS_COLOR_ATTRIBUTE, options->color_attribute != NULL, "an attribute of colours",
       "a GraphML or CX2 file"},
      {MS_HAS_COMBINE, options->combine != NULL, "`combine`", "an edge list or a table"},
      {MS_HAS_COMBINE, options->direction_column != NULL, "`direction_column`",
       "an edge list or a table"},
      {MS_HAS_DIRECTION, options->directed, "`directed`",
       "a file whose edges can have a direction: an edge list, SIF, Matrix Market, t/v/e, LAD, "
       "GraphML, CX2 or a table of typed edges"}};
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (checks[i].given && !(format->options & checks[i].option))
      return ms_fail(err, MS_ERR_USAGE,
                     "%s: %s is given, but this is not %s (it is read as %s); leave it out, give "
                     "such a file, or name the format",
                     text->label, checks[i].what, checks[i].which, format->info.name);
  return MS_OK;
}

/* The head is also read where the format is given: a reader may inspect it. */
static ms_status find_format(const char *path, const ms_graph_options *options, ms_text *text,
                             ms_graph_format *format, ms_error *err)
{
  ms_head head;
  MS_TRY(ms_head_read(path, text, &head, err));
  ms_typed_format typed;
  bool columns = options->source_column || options->target_column;
  *format = options->format;
  if (*format == MS_FORMAT_AUTO)
    MS_TRY(ms_format_detect(text->label, &head, columns, format, &typed, err));
  return check_format_options(text, options, ms_format_of(*format), err);
}

static ms_status direct(const ms_graph_options *options, const ms_edges *edges, ms_graph *graph,
                        ms_error *err)
{
  const ms_pairs *parts[] = {&edges->pairs, &edges->back};
  ms_status status = MS_OK;
  for (int i = 0; i < 2 && edges->directed && status == MS_OK; i++)
    status = ms_graph_direct(graph, parts[i]->count, (const uint32_t(*)[2])parts[i]->pair,
                             options->run.threads, err);
  return status;
}

/* Gives the edges the scores that were kept, one for each pair. */
static ms_status score(const ms_graph_options *options, const ms_edges *edges, ms_graph *graph,
                       ms_error *err)
{
  if (edges->scores != edges->pairs.count)
    return ms_fail(err, MS_ERR_INTERNAL,
                   "edges and scores differ in number; please report this bug");
  return ms_graph_score_edges(graph, edges->pairs.count, (const uint32_t(*)[2])edges->pairs.pair,
                              edges->score, options->run.threads, err);
}

/* Merges the sorted runs that the edges are in.  Takes the names, whether or not it succeeds. */
static ms_status merge_runs(ms_edges *edges, ms_names *names, ms_graph **out, ms_error *err)
{
  ms_rows rows;
  ms_image file;
  uint64_t bytes, runs = ms_runs_count(edges->runs, &bytes);
  ms_status status = ms_runs_merge(edges->runs, ms_names_count(names), &rows, &file, err);
  if (status != MS_OK) {
    ms_names_free(names);
    return status;
  }
  MS_TRY(ms_graph_from_rows(ms_names_count(names), &rows, &file, names, out, err));
  (*out)->runs = runs;
  (*out)->run_bytes = bytes;
  return MS_OK;
}

/* Builds the rows, which own the names from here on. */
static ms_status build_rows(const ms_graph_options *options, ms_edges *edges, ms_graph **out,
                            ms_error *err)
{
  if (edges->sorted > 0)
    MS_TRY(ms_edges_sort_out(edges, err));
  ms_names *names = edges->names;
  edges->names = NULL;
  if (edges->sorted > 0)
    return merge_runs(edges, names, out, err);
  return ms_graph_build(ms_names_count(names), edges->pairs.count,
                        (const uint32_t(*)[2])edges->pairs.pair, names, options->run.threads, out,
                        err);
}

/* Moves the names and their properties to the graph. */
static ms_status build(const ms_text *text, const ms_graph_options *options, ms_edges *edges,
                       ms_graph **out, ms_error *err)
{
  ms_names *names = edges->names;
  if (ms_names_count(names) == 0) {
    if (edges->below_score > 0 && edges->layout.score_column == 0 &&
        edges->combine != MS_COMBINE_COUNT)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: a minimum score is given, but no edge has a score; choose other scores "
                     "(`score_column`), or leave it out",
                     text->label);
    if (edges->below_score > 0)
      return ms_fail(
          err, MS_ERR_INPUT,
          "%s: holds no edges with a score of at least %g: its scores are from %g to %g; "
          "give a lower minimum",
          text->label, options->min_score, edges->layout.lowest_score, edges->layout.highest_score);
    if (edges->filtered > 0)
      return ms_fail(err, MS_ERR_INPUT,
                     "%s: holds no edges of that taxon and system; choose others", text->label);
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: holds no edges; give a file with two vertex names per line", text->label);
  }
  ms_note_missing(names, &edges->layout);
  ms_status status = build_rows(options, edges, out, err);
  if (status == MS_OK)
    status = direct(options, edges, *out, err);
  if (status == MS_OK && edges->score)
    status = score(options, edges, *out, err);
  if (status != MS_OK)
    return status;
  (*out)->color_names = edges->color_names;
  (*out)->colors = edges->colors;
  (*out)->default_colors = edges->default_colors;
  edges->color_names = NULL;
  edges->colors = edges->default_colors = (ms_pairs){0};
  (*out)->motif = edges->motif;
  (*out)->info.motif_size = edges->motif ? edges->motif->k : 0;
  edges->motif = NULL;
  (*out)->edge_labels = edges->labels;
  (*out)->some_unlabelled = edges->labels && edges->labelled < edges->sorted + edges->pairs.count;
  (*out)->info.edge_labels =
      edges->labels ? ms_names_count(edges->labels) + (*out)->some_unlabelled : 0;
  edges->labels = NULL;
  (*out)->taxon_prefix = edges->taxon_prefix;
  edges->taxon_prefix = NULL;
  (*out)->info.below_score = edges->below_score;
  (*out)->info.layout = edges->layout;
  (*out)->info.filtered = edges->filtered;
  (*out)->info.colored = (*out)->color_names != NULL;
  return MS_OK;
}

/* Lets edges go to a file where nothing but the rows is made of them. */
static ms_status allow_runs(const ms_format *format, const ms_graph_options *options,
                            ms_edges *edges, ms_error *err)
{
  const ms_runs_options runs = {.folder = options->scratch, .run = options->run};
  bool allowed = options->scratch && !options->directed && !options->keep_scores &&
                 !options->combine && !format->rereads;
  return allowed ? ms_runs_new(&runs, &edges->runs, err) : MS_OK;
}

static ms_status read_and_build(ms_text *text, const ms_format *format,
                                const ms_graph_options *options, ms_graph **out, ms_error *err)
{
  ms_edges *edges;
  ms_status status = ms_edges_new(&edges, err);
  if (status == MS_OK)
    status = allow_runs(format, options, edges, err);
  if (status == MS_OK) {
    edges->directed = options->directed;
    edges->progress = options->run.progress;
    edges->progress_user = options->run.progress_user;
    status = ms_combine_begin(edges, text->label, options, err);
  }
  if (status == MS_OK)
    status = format->read(text, options, edges, err);
  if (status == MS_OK)
    status = ms_edges_flush(edges, err);
  if (status == MS_OK)
    status = ms_combine_end(edges, options, err);
  if (status == MS_OK)
    status = build(text, options, edges, out, err);
  ms_edges_free(edges);
  return status;
}

static ms_status note_input(const char *path, const ms_text *text, ms_graph_format format,
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
  graph->info.format = format;
  return MS_OK;
}

ms_status ms_graph_from_edges_read(const char *path, const ms_text *text, ms_graph_format format,
                                   const ms_graph_options *options, ms_edges *edges, ms_graph **out,
                                   ms_error *err)
{
  MS_TRY(check_options(path, options, err));
  MS_TRY(check_format_options(text, options, ms_format_of(format), err));
  MS_TRY(build(text, options, edges, out, err));
  return note_input(path, text, format, *out, err);
}

static ms_status load(const char *path, ms_text *text, const ms_format *format,
                      const ms_graph_options *options, ms_graph **out, ms_error *err)
{
  return format->load ? format->load(path, text, options, out, err)
                      : read_and_build(text, format, options, out, err);
}

ms_status ms_graph_read_text(const char *path, ms_text *text, const ms_graph_options *options,
                             ms_graph **out, ms_error *err)
{
  static const ms_graph_options defaults = {.size = sizeof(ms_graph_options)};
  ms_graph_format format = MS_FORMAT_AUTO;
  *out = NULL;
  options = options ? options : &defaults;
  MS_TRY(check_options(path, options, err));
  MS_TRY(find_format(path, options, text, &format, err));
  ms_status status = load(path, text, ms_format_of(format), options, out, err);
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
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  ms_graph_options o;
  ms_meter meter;
  ms_text *text = NULL;
  MS_TRY(ms_options_take(&ms_graph_options_kind, options, &o, err));
  ms_meter_open(&meter, o.run.memory, NULL, NULL);
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_graph_read_text(path, text, &o, out, err);
  ms_text_close(text);
  ms_meter_close(&meter);
  return status;
}
