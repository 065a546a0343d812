#include "cli/typed_inputs.h"

#include "base/status.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "graph/io/typed_read.h"
#include "result/header.h"

#include <inttypes.h>

bool ms_has_typed_options(const ms_cli_options *o)
{
  return ms_option_given_of(o, MS_OPTIONS_OF_TYPED_GRAPH) != NULL;
}

/* An option that a typed graph does not have would be lost without a word. */
static ms_status check_typed(const ms_cli_options *o, ms_error *err)
{
  const char *option = ms_option_given_of(o, MS_OPTIONS_OF_PLAIN_GRAPH);
  if (!option && o->graph.min_score > 0)
    option = "min-score";
  if (!option && o->coloring.format != MS_COLORS_AUTO)
    option = "color-format";
  if (!option)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "--%s is for plain graphs, but the edges of %s have types; leave it out (types of "
                 "vertices come from --nodes FILE), or name a plain format by --format",
                 option, o->operand[0]);
}

static ms_status check_plain(const ms_cli_options *o, ms_error *err)
{
  if (!ms_has_typed_options(o))
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "%s is to be read as %s, a plain format, and --nodes, --relations and options of "
                 "columns are for graphs whose edges have types; leave these out, or --format",
                 o->operand[0], ms_graph_format_describe(o->graph.format).name);
}

static ms_status from_plain(ms_job *job, ms_typed **graph, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_status status = ms_read_aliases(o, job->graph, err);
  if (status == MS_OK)
    status = ms_read_colors(o, job->graph, false, &job->coloring, err);
  if (status == MS_OK && o->verbose)
    ms_tell_inputs(job->graph, job->coloring);
  return status == MS_OK
             ? ms_typed_from_graph(job->graph, job->coloring, o->typed.threads, graph, err)
             : status;
}

ms_status ms_read_typed_job(ms_job *job, ms_typed **graph, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_typed_options typed = o->typed;
  ms_status status = MS_OK;
  *graph = NULL;
  /* of convert, whose formats are the plain ones */
  if (o->graph.format == MS_FORMAT_SIF)
    typed.format = MS_TYPED_SIF;
  if (o->graph.format == MS_FORMAT_TABLE)
    typed.format = MS_TYPED_TABLE;
  if (o->graph.format != MS_FORMAT_AUTO && typed.format == MS_TYPED_AUTO) {
    status = check_plain(o, err);
    if (status == MS_OK)
      status = ms_graph_read(o->operand[0], &o->graph, &job->graph, err);
  } else {
    status = ms_typed_read_or_plain(o->operand[0], &typed, &o->graph, graph, &job->graph, err);
  }
  if (status == MS_OK && *graph)
    status = check_typed(o, err);
  if (status == MS_OK && job->graph)
    status = from_plain(job, graph, err);
  if (status != MS_OK) {
    ms_typed_free(*graph);
    *graph = NULL;
  }
  return status;
}

ms_status ms_read_typed(const ms_cli_options *o, ms_typed **graph, ms_error *err)
{
  ms_job job = {.options = o};
  ms_status status = ms_read_typed_job(&job, graph, err);
  ms_coloring_free(job.coloring);
  ms_graph_free(job.graph);
  return status;
}

void ms_tell_typed(const ms_typed *graph)
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
