/* ms_typed_read: open, find the format, read, settle the types, build. */
#include "graph/io/typed_read.h"

#include "base/alloc.h"
#include "base/status.h"

#include <string.h>

static const ms_typed_reader *const readers[MS_TYPED_FORMATS] = {
    [MS_TYPED_HETIONET] = &ms_typed_hetionet,
    [MS_TYPED_SIF] = &ms_typed_sif,
    [MS_TYPED_TABLE] = &ms_typed_table,
};

const char *ms_typed_format_name(ms_typed_format format)
{
  if (format == MS_TYPED_AUTO)
    return "auto";
  return (unsigned)format < MS_TYPED_FORMATS ? readers[format]->name : NULL;
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

const ms_typed_reader *ms_typed_reader_of(ms_typed_format format)
{
  return readers[format];
}

/* ---- the format ------------------------------------------------------------ */

static bool has_columns(const ms_typed_options *o)
{
  return o->source_column || o->target_column || o->type_column || o->source_type_column ||
         o->target_type_column;
}

/* Columns are chosen of tables alone. */
static ms_status find_format(const char *path, ms_text *text, const ms_typed_options *o,
                             ms_typed_format *format, ms_error *err)
{
  ms_head head = {.path = path};
  *format = o->format;
  if (*format != MS_TYPED_AUTO)
    return MS_OK;
  if (has_columns(o)) {
    *format = MS_TYPED_TABLE;
    return MS_OK;
  }
  ms_status status = ms_text_head(text, MS_HEAD_BYTES, &head.bytes, &head.length, err);
  head.whole = text->ended;
  for (int f = MS_TYPED_AUTO + 1; f < MS_TYPED_FORMATS && status == MS_OK; f++)
    if (readers[f]->detect(&head)) {
      *format = (ms_typed_format)f;
      break;
    }
  return status;
}

/* An option that is not looked at would be lost without a word. */
static ms_status check_options(const char *label, const ms_typed_options *o, ms_typed_format format,
                               ms_error *err)
{
  if ((unsigned)o->format >= MS_TYPED_FORMATS)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: unknown format %d of typed graphs; use one of "
                   "ms_typed_format",
                   label, (int)o->format);
  if (has_columns(o) && format != MS_TYPED_TABLE)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: columns are chosen, but this is read as %s, which is no table with a "
                   "header; leave them out, or say that it is a table",
                   label, ms_typed_format_name(format));
  if (o->directed && format == MS_TYPED_HETIONET)
    return ms_fail(
        err, MS_ERR_USAGE,
        "%s: edges are said to have a direction, but Hetionet's abbreviations tell which "
        "ones have; leave that out, or give a table of relations",
        label);
  if ((o->node_name_column || o->node_type_column) && !o->nodes)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: columns of a table of nodes are chosen, but none is "
                   "given; give it, too",
                   label);
  return MS_OK;
}

/* ---- reading --------------------------------------------------------------- */

static ms_status input_open(const char *label, const ms_typed_options *options,
                            ms_typed_input **out, ms_error *err)
{
  ms_typed_input *input = *out = ms_calloc(1, sizeof *input);
  if (!input)
    return ms_fail_memory(err, "edges being read");
  input->options = options;
  input->label = label;
  input->last_word = input->last_vertex_type = MS_NO_ID;
  ms_status status = ms_names_new(&input->names, err);
  if (status == MS_OK)
    status = ms_names_new(&input->vertex_types, err);
  return status == MS_OK ? ms_relations_new(&input->relations, err) : status;
}

static void input_close(ms_typed_input *input)
{
  if (!input)
    return;
  ms_names_free(input->names);
  ms_names_free(input->vertex_types);
  ms_relations_free(&input->relations);
  ms_free(input->vertex_type);
  ms_free(input->edge);
  ms_free(input->word);
  ms_free(input);
}

static ms_status read_all(ms_text *text, ms_typed_format format, ms_typed_input *input,
                          ms_typed_info *info, ms_error *err)
{
  const ms_typed_options *o = input->options;
  ms_status status = MS_OK;
  if (o->relations)
    status = ms_relations_read(&input->relations, o->relations, &info->relations_crc32c, err);
  if (status == MS_OK && o->nodes)
    status = ms_typed_read_nodes(input, o->nodes, &info->nodes_crc32c, err);
  if (status == MS_OK)
    status = readers[format]->read(text, input, err);
  /* what a filter has left may be nothing, and has a header still */
  if (status == MS_OK && input->edges + input->alone == 0 && format != MS_TYPED_TABLE)
    status = ms_fail(err, MS_ERR_INPUT,
                     "%s: holds no edges; give a file with a source, a type and "
                     "a target a line",
                     text->label);
  return status;
}

/* ---- types ----------------------------------------------------------------- */

/* Of a vertex of which the files say none. */
static ms_status type_of_name(ms_typed_input *input, uint32_t v, ms_type *type, ms_error *err)
{
  const char *name = ms_names_get(input->names, v), *mark = strstr(name, "::");
  const char *word = input->prefixes && mark && mark != name ? name : "untyped";
  size_t length = word == name ? (size_t)(mark - name) : strlen(word);
  uint32_t id;
  ms_status status = ms_names_add(input->vertex_types, word, length, &id, err);
  if (status == MS_OK && id >= MS_MAX_TYPES)
    return ms_fail(err, MS_ERR_INPUT,
                   "%s: more than %u types of vertices; is this a file of "
                   "vertices 'Kind::id'?",
                   input->label, MS_MAX_TYPES);
  *type = (ms_type)id;
  return status;
}

static ms_status settle_vertices(ms_typed_input *input, ms_error *err)
{
  uint32_t n = ms_names_count(input->names);
  ms_status status = MS_OK;
  for (uint32_t v = 0; v < n && status == MS_OK; v++)
    if (input->vertex_type[v] == MS_NO_TYPE)
      status = type_of_name(input, v, &input->vertex_type[v], err);
  return status;
}

static ms_status settle_edges(ms_typed_input *input, ms_typed_parts *parts, ms_error *err)
{
  ms_type *type = NULL;
  ms_status status =
      ms_relations_settle(&input->relations, input->label, input->rule, parts, &type, err);
  for (uint64_t e = 0; e < input->edges && status == MS_OK; e++)
    input->word[e] = type[input->word[e]];
  ms_free(type);
  return status;
}

/* What was read goes over to the graph. */
static ms_status build(ms_typed_input *input, ms_typed **out, ms_error *err)
{
  ms_typed_parts parts = {.names = NULL};
  ms_status status = settle_vertices(input, err);
  if (status == MS_OK)
    status = settle_edges(input, &parts, err);
  if (status != MS_OK) {
    ms_typed_parts_free(&parts);
    return status;
  }
  parts.names = input->names;
  parts.vertex_types = input->vertex_types;
  parts.vertex_type = input->vertex_type;
  parts.edges = input->edges;
  parts.edge = input->edge;
  parts.edge_type = input->word;
  input->names = input->vertex_types = NULL;
  input->edge = NULL;
  input->word = NULL;
  input->vertex_type = NULL;
  status = ms_typed_build(&parts, input->options->threads, out, err);
  for (uint32_t v = 0; v < input->nodes && status == MS_OK; v++)
    (*out)->info.lone_nodes += (*out)->rows.offset[v] == (*out)->rows.offset[v + 1];
  return status;
}

/* ---- all of it ------------------------------------------------------------- */

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
  return MS_OK;
}

ms_status ms_typed_read_open(const char *path, ms_text *text, ms_typed_format format,
                             const ms_typed_options *options, ms_typed **out, ms_error *err)
{
  ms_typed_input *input = NULL;
  ms_typed_info info = {.format = format};
  ms_status status = input_open(text->label, options, &input, err);
  if (status == MS_OK)
    status = read_all(text, format, input, &info, err);
  if (status == MS_OK)
    status = build(input, out, err);
  input_close(input);
  info.lines = text->number;
  info.crc32c = text->crc32c;
  return status == MS_OK ? note_input(path, options, &info, *out, err) : status;
}

static ms_status read_plain(const char *path, ms_text *text, const ms_typed_options *options,
                            const ms_graph_options *plain, ms_graph **graph, ms_error *err)
{
  if (options->nodes || options->relations)
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: a table of %s is given, but nothing tells that the edges have types (no "
                   "header with source, type and target, no SIF); say its format, or do without",
                   text->label, options->nodes ? "nodes" : "relations");
  return ms_graph_read_text(path, text, plain, graph, err);
}

ms_status ms_typed_read_or_plain(const char *path, const ms_typed_options *options,
                                 const ms_graph_options *plain, ms_typed **out, ms_graph **graph,
                                 ms_error *err)
{
  static const ms_typed_options defaults = {0};
  ms_typed_format format = MS_TYPED_AUTO;
  ms_text *text = NULL;
  *out = NULL;
  *graph = NULL;
  options = options ? options : &defaults;
  ms_status status = ms_text_open(path, &text, err);
  if (status == MS_OK)
    status = find_format(path, text, options, &format, err);
  if (status == MS_OK)
    status = check_options(text->label, options, format, err);
  if (status == MS_OK)
    status = format == MS_TYPED_AUTO ? read_plain(path, text, options, plain, graph, err)
                                     : ms_typed_read_open(path, text, format, options, out, err);
  ms_text_close(text);
  if (status != MS_OK) {
    ms_typed_free(*out);
    *out = NULL;
  }
  return status;
}

ms_status ms_typed_read(const char *path, const ms_typed_options *options, ms_typed **out,
                        ms_error *err)
{
  ms_graph_options plain = {.directed = options && options->directed,
                            .threads = options ? options->threads : 0};
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_status status = ms_typed_read_or_plain(path, options, &plain, out, &graph, err);
  if (status != MS_OK || *out)
    return status;
  if (ms_graph_describe(graph).colored)
    status = ms_coloring_from_graph(graph, &coloring, err);
  if (status == MS_OK)
    status = ms_typed_from_graph(graph, coloring, plain.threads, out, err);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return status;
}
