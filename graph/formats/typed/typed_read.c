/* The formats of typed graphs; ms_typed_read opens a file, detects its format and loads it. */
#include "graph/formats/typed/typed_read.h"

#include "base/options.h"
#include "base/status.h"
#include "graph/formats/detect.h"
#include "graph/formats/typed/typed_binary.h"
#include "graph/formats/typed/typed_load.h"
#include "graph/io/edges/edge_columns.h"

#include <string.h>

static const ms_format *const formats[MS_TYPED_FORMATS] = {
    [MS_TYPED_HETIONET] = &ms_format_hetionet,
    [MS_TYPED_SIF] = &ms_format_sif,
    [MS_TYPED_TABLE] = &ms_format_table,
    [MS_TYPED_TVE] = &ms_format_tve,
    [MS_TYPED_RI] = &ms_format_ri,
    [MS_TYPED_EDGE_LIST] = &ms_format_edge_list,
    [MS_TYPED_GRAPHML] = &ms_format_graphml,
    [MS_TYPED_CX2] = &ms_format_cx2,
    [MS_TYPED_BINARY] = &ms_format_typed_binary,
};

/* What a file is called whose edges have no labels. */
static const ms_graph_format plain_formats[MS_TYPED_FORMATS] = {
    [MS_TYPED_TVE] = MS_FORMAT_TVE,
    [MS_TYPED_RI] = MS_FORMAT_RI,
    [MS_TYPED_EDGE_LIST] = MS_FORMAT_EDGE_LIST,
    [MS_TYPED_GRAPHML] = MS_FORMAT_GRAPHML,
    [MS_TYPED_CX2] = MS_FORMAT_CX2,
};

const ms_typed_format_info *ms_typed_format_describe(ms_typed_format format)
{
  return &formats[format]->typed;
}

const char *ms_typed_format_name(ms_typed_format format)
{
  if (format == MS_TYPED_AUTO)
    return "auto";
  return (unsigned)format < MS_TYPED_FORMATS ? formats[format]->typed.name : NULL;
}

bool ms_typed_format_find(const char *name, ms_typed_format *format)
{
  for (int f = 0; f < MS_TYPED_FORMATS; f++)
    if (strcmp(name, ms_typed_format_name((ms_typed_format)f)) == 0) {
      *format = (ms_typed_format)f;
      return true;
    }
  return false;
}

/* ---- the format ------------------------------------------------------------ */

static bool has_columns(const ms_typed_options *o)
{
  return o->source_column || o->target_column || o->type_column || o->source_type_column ||
         o->target_type_column;
}

/* Is this an edge list with a column of types? */
static ms_status check_edge_list(ms_text *text, const ms_typed_options *o, ms_typed_format *format,
                                 ms_error *err)
{
  const ms_graph_options plain = ms_typed_as_plain(o);
  ms_edge_columns columns;
  ms_status status = ms_edge_columns_find(text, &plain, o->type_column, &columns, err);
  *format = status == MS_OK && columns.type != MS_NO_COLUMN ? MS_TYPED_EDGE_LIST : MS_TYPED_AUTO;
  ms_edge_columns_free(&columns);
  return status;
}

/* Do nodes and edges have attributes? */
static bool has_attributes(ms_typed_format format)
{
  return format == MS_TYPED_GRAPHML || format == MS_TYPED_CX2;
}

static ms_status detect(const ms_head *head, ms_text *text, const ms_typed_options *o,
                        ms_typed_format *format, ms_error *err)
{
  ms_graph_format plain;
  MS_TRY(ms_format_detect(text->label, head, has_columns(o), &plain, format, err));
  bool edge_list = plain == MS_FORMAT_EDGE_LIST;
  if (*format == MS_TYPED_BINARY)
    return MS_OK;
  if (has_attributes(*format) && !o->source_column && !o->target_column)
    return MS_OK;
  if (!has_columns(o))
    return *format == MS_TYPED_AUTO && edge_list ? check_edge_list(text, o, format, err) : MS_OK;
  *format = MS_TYPED_TABLE;
  bool untyped = o->type_column && strcmp(o->type_column, MS_NO_TYPES) == 0;
  bool ends = ms_head_has_ends(head, !o->source_column, !o->target_column);
  return (ends && (untyped || ms_head_is_table(head, o->type_column))) || o->source_type_column ||
                 o->target_type_column
             ? MS_OK
             : check_edge_list(text, o, format, err);
}

/* Tables and edge lists have columns to choose, GraphML and CX2 attributes.  Without a column of
 * types, chosen ends of edges make a plain graph of a table. */
static ms_status find_format(const char *path, ms_text *text, const ms_typed_options *o,
                             ms_typed_format *format, ms_error *err)
{
  ms_head head;
  *format = o->format;
  if (o->format == MS_TYPED_EDGE_LIST)
    return check_edge_list(text, o, format, err);
  if (o->format != MS_TYPED_AUTO)
    return MS_OK;
  MS_TRY(ms_head_read(path, text, &head, err));
  return detect(&head, text, o, format, err);
}

/* True for formats that state the labels of vertices, and may state those of edges. */
static bool has_labels(ms_typed_format format)
{
  return format == MS_TYPED_TVE || format == MS_TYPED_RI || has_attributes(format);
}

/* Can columns be chosen in this format, or the attribute of types? */
static bool takes_columns(const ms_typed_options *o, ms_typed_format format)
{
  bool ends = o->source_column || o->target_column;
  bool types = o->source_type_column || o->target_type_column;
  return format == MS_TYPED_TABLE || format == MS_TYPED_AUTO ||
         (format == MS_TYPED_EDGE_LIST && !types) || (has_attributes(format) && !types && !ends);
}

/* Refuses an option of edge lists and tables that the format does not have. */
static ms_status check_lines(const char *label, const ms_typed_options *o, ms_typed_format format,
                             ms_error *err)
{
  const struct {
    unsigned option;
    bool given;
    const char *what;
  } checks[] = {{MS_HAS_SCORE, o->min_score > 0 || o->score_column, "a minimum score"},
                {MS_HAS_COMBINE, o->combine || o->direction_column,
                 "a way to combine scores, or a column of directions,"},
                {MS_HAS_HEADER, o->header, "a header"},
                {MS_HAS_NO_HEADER, o->no_header, "that there is no header"},
                {MS_HAS_NAMES, o->names != NULL, "a kind of names"},
                {MS_HAS_COLOR_ATTRIBUTE, o->color_attribute != NULL, "an attribute of colours"}};
  for (size_t i = 0; i < sizeof checks / sizeof *checks && format != MS_TYPED_AUTO; i++)
    if (checks[i].given && !(formats[format]->options & checks[i].option))
      return ms_fail(err, MS_ERR_USAGE,
                     "%s: %s is given, but this is read as %s, which has none; leave it out", label,
                     checks[i].what, formats[format]->typed.name);
  return MS_OK;
}

/* Refuses an option that the format does not use, rather than ignore it. */
static ms_status check_options(const char *label, const ms_typed_options *o, ms_typed_format format,
                               ms_error *err)
{
  if ((unsigned)o->format >= MS_TYPED_FORMATS)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: unknown format %d of typed graphs; use one of "
                   "ms_typed_format",
                   label, (int)o->format);
  if (has_columns(o) && !takes_columns(o, format))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: columns are chosen, but this is read as %s, which is not a table with a "
                   "header; leave them out, or say that it is a table",
                   label, ms_typed_format_name(format));
  if (o->directed && format == MS_TYPED_HETIONET)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: edges are said to have a direction, but Hetionet's abbreviations show "
                   "which of them have one; leave that out, or give a table of relations",
                   label);
  if (format == MS_TYPED_BINARY && (o->directed || o->nodes || o->relations))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: %s, but this is read as %s, which has them already; leave that out, or "
                   "convert the graph again with it",
                   label,
                   o->directed ? "edges are said to have a direction"
                   : o->nodes  ? "a table of nodes is given"
                               : "a table of relations is given",
                   ms_typed_format_name(format));
  if (o->nodes && has_labels(format))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: a table of nodes is given, but this is read as %s, whose vertices have "
                   "labels of their own; leave the table out",
                   label, ms_typed_format_name(format));
  if ((o->node_name_column || o->node_type_column) && !o->nodes)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: columns of a table of nodes are chosen, but none is "
                   "given; give it, too",
                   label);
  return check_lines(label, o, format, err);
}

/* ---- all of it ------------------------------------------------------------- */

static ms_status refuse_tables(const ms_text *text, const ms_typed_options *options, ms_error *err)
{
  if (!options->nodes && !options->relations)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "%s: a table of %s is given, but the edges show no types (there is no header "
                 "with source, type and target, no SIF relation and no label); name the format, "
                 "or leave the table out",
                 text->label, options->nodes ? "nodes" : "relations");
}

static ms_status read_plain(const char *path, ms_text *text, const ms_typed_options *options,
                            const ms_graph_options *plain, ms_graph **graph, ms_error *err)
{
  ms_graph_options o = *plain;
  MS_TRY(refuse_tables(text, options, err));
  if (options->format != MS_TYPED_AUTO)
    o.format = plain_formats[options->format];
  return ms_graph_read_text(path, text, &o, graph, err);
}

/* Reads a file once, and makes a plain graph of it if no edge has a label. */
static ms_status read_labelled(const char *path, ms_text *text, ms_typed_format format,
                               const ms_typed_options *options, const ms_graph_options *plain,
                               ms_typed **out, ms_graph **graph, ms_error *err)
{
  ms_typed_info info = {.format = format};
  ms_edges *edges = NULL;
  ms_status status = ms_edges_new(&edges, err);
  if (status == MS_OK)
    status = ms_edge_types_new(text->label, options, &edges->types, err);
  if (status == MS_OK)
    status = ms_typed_read_tables(edges, &info, err);
  if (status == MS_OK) {
    edges->directed = plain->directed;
    status = formats[format]->read(text, plain, edges, err);
  }
  if (status == MS_OK && edges->labels) {
    status = ms_edge_types_from_colors(edges, err);
    if (status == MS_OK)
      status = ms_typed_build_edges(path, text, options, &info, edges, out, err);
  } else if (status == MS_OK) {
    status = refuse_tables(text, options, err);
    if (status == MS_OK)
      status =
          ms_graph_from_edges_read(path, text, plain_formats[format], plain, edges, graph, err);
  }
  ms_edges_free(edges);
  return status;
}

ms_status ms_typed_read_or_plain_text(const char *path, ms_text *text,
                                      const ms_typed_options *options,
                                      const ms_graph_options *plain, ms_typed **out,
                                      ms_graph **graph, ms_error *err)
{
  static const ms_typed_options defaults = {.size = sizeof(ms_typed_options)};
  ms_typed_format format = MS_TYPED_AUTO;
  *out = NULL;
  *graph = NULL;
  options = options ? options : &defaults;
  MS_TRY(find_format(path, text, options, &format, err));
  MS_TRY(check_options(text->label, options, format, err));
  ms_status status =
      format == MS_TYPED_AUTO     ? read_plain(path, text, options, plain, graph, err)
      : format == MS_TYPED_BINARY ? ms_typed_binary_load(path, text, options, out, err)
      : has_labels(format)
          ? read_labelled(path, text, format, options, plain, out, graph, err)
          : ms_typed_load(path, text, format, formats[format]->read, options, out, err);
  if (status != MS_OK) {
    ms_typed_free(*out);
    ms_graph_free(*graph);
    *out = NULL;
    *graph = NULL;
  }
  return status;
}

ms_status ms_typed_read_or_plain(const char *path, const ms_typed_options *options,
                                 const ms_graph_options *plain, ms_typed **out, ms_graph **graph,
                                 ms_error *err)
{
  ms_text *text = NULL;
  *out = NULL;
  *graph = NULL;
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = ms_typed_read_or_plain_text(path, text, options, plain, out, graph, err);
  ms_text_close(text);
  return status;
}

ms_status ms_typed_read(const char *path, const ms_typed_options *options, ms_typed **out,
                        ms_error *err)
{
  MS_REQUIRE(out, err);
  *out = NULL;
  MS_REQUIRE(path, err);
  ms_typed_options o;
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  MS_TRY(ms_options_take(&ms_typed_options_kind, options, &o, err));
  const ms_graph_options plain = ms_typed_as_plain(&o);
  ms_status status = ms_typed_read_or_plain(path, &o, &plain, out, &graph, err);
  if (status != MS_OK || *out)
    return status;
  if (ms_graph_describe(graph).colored)
    status = ms_coloring_from_graph(graph, &coloring, err);
  if (status == MS_OK)
    status = ms_typed_from_graph(graph, coloring, plain.run.threads, out, err);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return status;
}
