/* Reads typed graphs and patterns, with warnings, and describes them. */
#include "base/status.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "cli/options/option_table.h"
#include "graph/formats/detect.h"
#include "graph/formats/typed/typed_read.h"
#include "graph/suggest.h"
#include "query/labels.h"
#include "query/pattern_notation.h"
#include "query/typed_query.h"
#include "result/header.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool ms_has_typed_options(const ms_cli_options *o)
{
  return ms_option_given_of(o, MS_OPTIONS_OF_TYPED_GRAPH) != NULL;
}

/* Refuses an option that is not for typed graphs, since it would be ignored silently. */
static ms_status check_typed(const ms_cli_options *o, ms_typed_format format, ms_error *err)
{
  const char *option = ms_option_given_of(o, MS_OPTIONS_OF_PLAIN_GRAPH);
  if (!option && o->coloring.format != MS_COLORS_AUTO)
    option = "color-format";
  if (!option)
    return MS_OK;
  bool columns = format == MS_TYPED_EDGE_LIST || format == MS_TYPED_TABLE ||
                 format == MS_TYPED_GRAPHML || format == MS_TYPED_CX2;
  return ms_fail(err, MS_ERR_USAGE,
                 "--%s is for plain graphs, but the edges of %s have types; leave it out (--nodes "
                 "FILE gives each vertex a type), or do without types of edges: %s%s%s",
                 option, o->operand[0],
                 columns ? "give --type-column none" : "search in what 'motifsieve convert ",
                 columns ? "" : o->operand[0], columns ? "" : " -o plain.tsv' writes");
}

static ms_status check_plain(const ms_cli_options *o, ms_error *err)
{
  if (!ms_has_typed_options(o))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "%s is read as %s, a plain format, and --nodes, --relations and options of "
                 "columns are for graphs whose edges have types; leave these out, or --format",
                 o->operand[0], ms_graph_format_describe(o->graph.format).name);
}

ms_status ms_complete_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  MS_TRY(ms_read_aliases(o, job->graph, err));
  return ms_read_colors(o, job->graph, false, &job->coloring, err);
}

ms_status ms_type_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (o->verbose)
    ms_print_inputs(job->graph, job->coloring);
  return ms_typed_from_graph(job->graph, job->coloring, o->typed.run.threads, &job->typed, err);
}

ms_status ms_read_typed_or_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_typed_options typed = o->typed;
  /* the option --format of convert names plain formats, some of which are typed formats, too */
  if (typed.format == MS_TYPED_AUTO)
    typed.format = ms_typed_format_of(o->graph.format);
  if (o->graph.format != MS_FORMAT_AUTO && typed.format == MS_TYPED_AUTO) {
    MS_TRY(check_plain(o, err));
    return ms_graph_read(o->operand[0], &o->graph, &job->graph, err);
  }
  MS_TRY(ms_typed_read_or_plain(o->operand[0], &typed, &o->graph, &job->typed, &job->graph, err));
  if (!job->typed)
    return MS_OK;
  ms_typed_info info = ms_typed_describe(job->typed);
  if (!o->quiet) {
    ms_note_layout(o, info.path, &info.layout);
    ms_warn_of_spellings(info.path, job->typed->names, "vertices");
  }
  return check_typed(o, info.format, err);
}

static ms_status read_graph(ms_job *job, ms_error *err)
{
  MS_TRY(ms_read_typed_or_plain(job, err));
  if (job->typed)
    return MS_OK;
  MS_TRY(ms_complete_plain(job, err));
  return ms_type_plain(job, err);
}

ms_status ms_read_typed(const ms_cli_options *o, ms_typed **graph, ms_error *err)
{
  ms_job job = {.options = o};
  ms_status status = read_graph(&job, err);
  if (status != MS_OK) {
    ms_typed_free(job.typed);
    job.typed = NULL;
  }
  *graph = job.typed;
  ms_coloring_free(job.coloring);
  ms_graph_free(job.graph);
  return status;
}

void ms_print_typed(const ms_typed *graph)
{
  ms_typed_info info = ms_typed_describe(graph);
  ms_cli_note("graph: %s: %s: %" PRIu32 " vertices of %" PRIu32 " types, %" PRIu64
              " edges of %" PRIu32 " types (inverses included); %" PRIu64 " self-loops, %" PRIu64
              " repeats; most edges of a vertex %" PRIu32,
              info.path, ms_result_word(MS_WORDS_PATH_FORMAT, info.format), info.vertices,
              info.vertex_types, info.edges, info.arc_types, info.self_loops, info.repeats,
              info.max_degree);
  if (info.nodes_path)
    ms_cli_note("nodes: %s: %" PRIu32 " vertices have no edge; %" PRIu32 " have no type",
                info.nodes_path, info.lone_nodes, info.untyped);
}

/* ---- patterns ------------------------------------------------------------- */

/* A file of edges is read like the graph, but with its own columns and tables. */
ms_typed_options ms_typed_pattern_reading(const ms_cli_options *o)
{
  return (ms_typed_options){.size = sizeof(ms_typed_options),
                            .directed = o->typed.directed,
                            .relations = o->typed.relations,
                            .run.threads = o->typed.run.threads};
}

ms_status ms_read_typed_query(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const ms_typed_options reading = ms_typed_pattern_reading(o);
  job->pattern_is_text = ms_is_notation(o->pattern.path) && access(o->pattern.path, F_OK) != 0;
  if (job->pattern_is_text)
    MS_TRY(ms_typed_pattern_parse(o->pattern.path, &job->typed_pattern, err));
  else
    MS_TRY(ms_typed_pattern_read(o->pattern.path, &reading, &job->typed_pattern, err));
  MS_TRY(read_graph(job, err));
  MS_TRY(ms_typed_query_new(job->typed, job->typed_pattern, &job->typed_query, err));
  return ms_typed_query_check_labels(job->typed_query, err);
}

/* Writes the type of the graph that is nearest, or a list of its types. */
static void suggest_type(const ms_typed *graph, const char *name, char text[MS_SUGGEST_BYTES])
{
  ms_typed_info info = ms_typed_describe(graph);
  ms_name_list list = {.used = 0};
  const char *nearest = NULL;
  unsigned best = MS_NAME_FAR;
  for (uint32_t i = 0; i < info.vertex_types + info.arc_types; i++) {
    const char *known = i < info.vertex_types
                            ? ms_typed_vertex_type_name(graph, i)
                            : ms_typed_arc_type_name(graph, i - info.vertex_types);
    unsigned distance = ms_name_distance(name, strlen(name), known, strlen(known));
    ms_name_list_add(&list, known, strlen(known));
    nearest = distance < best ? known : nearest;
    best = distance < best ? distance : best;
  }
  if (nearest)
    snprintf(text, MS_SUGGEST_BYTES, "did you mean '%s'?", nearest);
  else
    snprintf(text, MS_SUGGEST_BYTES, "it has %.*s", MS_SUGGEST_BYTES - 8, ms_name_list_text(&list));
}

/* Warns of what a plain graph cannot have: edges that the pattern joins twice or to one vertex, or
 * types, if the file is read as an edge list, which ignores columns after the two ends of an edge.
 */
static void warn_of_plain(const ms_job *job)
{
  if (!job->graph)
    return;
  const char *lacking = ms_notation_edges_lacking(job->typed_pattern);
  if (lacking)
    ms_cli_warn("%s; no two edges of the pattern share an edge of the graph", lacking);
  else if (ms_graph_describe(job->graph).format == MS_FORMAT_EDGE_LIST)
    ms_cli_warn("%s is read as an edge list, whose edges have one type, 'edge'; a table of edges "
                "with types has a header that names columns such as source, type and target",
                job->options->operand[0]);
}

void ms_warn_of_typed(const ms_job *job)
{
  warn_of_plain(job);
  for (uint32_t i = 0; ms_typed_query_unknown(job->typed_query, i); i++) {
    char hint[MS_SUGGEST_BYTES];
    suggest_type(job->typed, ms_typed_query_unknown(job->typed_query, i), hint);
    ms_cli_warn("the graph has no type '%s', which the pattern names; %s",
                ms_typed_query_unknown(job->typed_query, i), hint);
  }
}

/* Returns the first of these types if the graph has none of them, else NULL. */
static const char *lacks_all(const ms_job *job, const uint32_t *types, uint32_t count)
{
  for (uint32_t t = 0; t < count; t++) {
    const char *name = ms_names_get(job->typed_pattern->type_names, types[t]), *unknown;
    bool known = true;
    for (uint32_t i = 0; (unknown = ms_typed_query_unknown(job->typed_query, i)); i++)
      known = known && strcmp(unknown, name) != 0;
    if (known)
      return NULL;
  }
  return count > 0 ? ms_names_get(job->typed_pattern->type_names, types[0]) : NULL;
}

ms_status ms_check_typed_names(const ms_job *job, ms_error *err)
{
  const ms_typed_pattern *p = job->typed_pattern;
  char hint[MS_SUGGEST_BYTES];
  const char *name = NULL;
  if (ms_typed_describe(job->typed).edges == 0)
    return MS_OK; /* such as filter leaves where nothing fits */
  for (uint32_t v = 0; v < p->n && !name; v++)
    name = lacks_all(job, p->type[v], p->types[v]);
  for (uint32_t e = 0; e < p->edges && !name; e++)
    name = lacks_all(job, p->edge[e].type, p->edge[e].types);
  if (!name)
    return MS_OK;
  suggest_type(job->typed, name, hint);
  return ms_fail(err, MS_ERR_USAGE,
                 "the graph has no type '%s', which the pattern asks for; %s (--ignore-unknown "
                 "searches all the same)",
                 name, hint);
}
