/* The network of a file, for gen: reading, new names and a new order. */
#include "base/alloc.h"
#include "base/status.h"
#include "cli/gen.h"
#include "cli/job.h"
#include "cli/option_table.h"
#include "graph/typed.h"

#include <inttypes.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------- */

/* True if the vertices keep the colours that they have, or exchange them. */
static bool keeps_colors(const ms_cli_options *o)
{
  bool background = o->gen.plant && ms_option_given(o, "background");
  return !o->gen.uniform_colors && !background;
}

/* Is this an output that holds types of edges?  An edge list that only its ending names becomes a
 * table, which has the same ending. */
static bool may_hold_types(const ms_gen_work *w)
{
  return !w->writes || w->to == MS_FORMAT_TABLE || w->to == MS_FORMAT_TYPED_BINARY ||
         (w->to == MS_FORMAT_EDGE_LIST && w->options->to == MS_FORMAT_AUTO);
}

bool ms_gen_reads_types(const ms_gen_work *w)
{
  const ms_cli_options *o = w->options;
  if (!o->gen.given || ms_has_typed_options(o))
    return o->gen.given;
  /* a graph that is read with these options is plain; it is refused below if types would be lost */
  return may_hold_types(w) && !o->gen.edge_types &&
         !ms_option_given_of(o, MS_OPTIONS_OF_PLAIN_GRAPH);
}

/* Refuses to lose types of edges. */
static ms_status refuse_types(const ms_gen_work *w, const char *path, ms_error *err)
{
  const char *option = ms_option_given_of(w->options, MS_OPTIONS_OF_PLAIN_GRAPH);
  if (may_hold_types(w) && option)
    return ms_fail(
        err, MS_ERR_USAGE,
        "--%s is for plain graphs, but the edges of %s have types; leave it out, or do "
        "without types of edges: change what 'motifsieve convert %s -o plain.tsv' writes",
        option, path, path);
  return ms_fail(err, MS_ERR_USAGE,
                 "the edges of %s have types, and %s holds none; give --to table or --to "
                 "typed-binary, or do without types of edges: change what 'motifsieve convert %s "
                 "-o plain.tsv' writes",
                 path, ms_graph_format_describe(w->to).name, path);
}

static ms_status check_plain(const ms_gen_work *w, ms_error *err)
{
  ms_graph_info info = ms_graph_describe(w->graph);
  if (info.edge_labels <= 1)
    return MS_OK;
  if (!w->options->gen.edge_types)
    return refuse_types(w, info.path, err);
  if (!w->options->quiet)
    ms_cli_warn("%s: its edges have %" PRIu32 " different labels or types, which --edge-types "
                "replaces",
                info.path, info.edge_labels);
  return MS_OK;
}

/* Takes over a graph with types of edges.  Vertices and colours are changed in its plain graph. */
static ms_status take_typed(ms_gen_work *w, ms_typed *typed, ms_error *err)
{
  const ms_cli_options *o = w->options;
  bool kept = may_hold_types(w) && !o->gen.edge_types, labels = ms_typed_has_labels(typed);
  w->given = typed;
  if (!kept && labels && !o->gen.edge_types)
    return refuse_types(w, ms_typed_describe(typed).path, err);
  if (!kept && labels && !o->quiet)
    ms_cli_warn("%s: its edges have types, which --edge-types replaces",
                ms_typed_describe(typed).path);
  MS_TRY(ms_typed_plain_graph(typed, !kept && o->graph.directed, o->typed.threads, &w->graph, err));
  if (keeps_colors(o))
    MS_TRY(ms_typed_plain_colors(typed, &w->coloring, err));
  if (kept && w->to != MS_FORMAT_TYPED_BINARY)
    w->to = MS_FORMAT_TABLE;
  if (o->verbose)
    ms_print_typed(typed);
  if (!kept) {
    ms_typed_free(typed);
    w->given = NULL;
  }
  return MS_OK;
}

static ms_status read_colors(ms_gen_work *w, const ms_cli_options *reading, ms_error *err)
{
  const ms_cli_options *o = w->options;
  if (!keeps_colors(o))
    return MS_OK;
  bool needed = o->gen.permute_colors || (o->gen.colors_out && !o->gen.plant);
  MS_TRY(ms_read_colors(reading, w->graph, needed, &w->coloring, err));
  if (w->coloring && !o->quiet)
    ms_warn_of_colors(w->coloring, NULL);
  return MS_OK;
}

/* Reads a plain graph, or what a plain graph in w->graph still lacks. */
static ms_status read_plain(ms_gen_work *w, const ms_cli_options *reading, ms_error *err)
{
  if (w->graph)
    MS_TRY(ms_read_aliases(reading, w->graph, err));
  else
    MS_TRY(ms_read_graph(reading, &w->graph, err));
  MS_TRY(check_plain(w, err));
  MS_TRY(read_colors(w, reading, err));
  if (w->options->verbose)
    ms_print_inputs(w->graph, w->coloring);
  return MS_OK;
}

static ms_status read_typed_or_plain(ms_gen_work *w, const ms_cli_options *reading, ms_error *err)
{
  ms_job job = {.options = reading};
  ms_status status = ms_read_typed_or_plain(&job, err);
  w->graph = job.graph;
  if (status == MS_OK && job.typed)
    return take_typed(w, job.typed, err);
  ms_typed_free(job.typed);
  return status == MS_OK ? read_plain(w, reading, err) : status;
}

ms_status ms_gen_read(ms_gen_work *w, ms_error *err)
{
  ms_cli_options reading = *w->options; /* whose first operand is the graph, as in other commands */
  reading.operand[0] = reading.operand[1];
  return ms_gen_reads_types(w) ? read_typed_or_plain(w, &reading, err)
                               : read_plain(w, &reading, err);
}

/* ---- names and order -------------------------------------------------------------- */

/* Moves the colours, if there are any, to the vertices of the renamed graph. */
static ms_status move_colors(ms_gen_work *w, ms_error *err)
{
  ms_coloring *moved;
  if (!w->coloring)
    return MS_OK;
  MS_TRY(ms_coloring_move(w->coloring, w->graph, w->from, &moved, err));
  ms_coloring_free(w->coloring);
  w->coloring = moved;
  return MS_OK;
}

ms_status ms_gen_rename(ms_gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_graph_format_info info = ms_graph_format_describe(w->to);
  bool numbered = w->writes && !o->gen.edge_types && info.numbered;
  ms_shuffle_options plan = MS_SHUFFLE_OPTIONS_DEFAULT;
  if (o->map && !o->gen.shuffle && !numbered)
    return ms_fail(err, MS_ERR_USAGE,
                   "--map is for names that change; also give --shuffle, or write a format that "
                   "holds numbers");
  /* the other files must have the numbers that readers of the graph see */
  if (!o->gen.shuffle && !(o->gen.given && numbered))
    return MS_OK;
  plan.names = numbered ? MS_NAMES_NUMBERS : o->gen.new_names;
  plan.prefix = o->gen.graph.prefix;
  plan.first_number = numbered ? info.first_number : 0;
  plan.same_order = !o->gen.shuffle;
  plan.seed = o->list.screen.seed;
  plan.threads = o->list.screen.threads;
  w->before = w->graph;
  w->graph = NULL;
  w->from = ms_alloc(ms_graph_vertex_count(w->before), sizeof *w->from);
  if (!w->from)
    return ms_fail_memory(err, "the order of a shuffled graph");
  MS_TRY(ms_graph_shuffle(w->before, &plan, &w->graph, w->from, err));
  return move_colors(w, err);
}

/* ---- what is lost --------------------------------------------------------------------- */

/* True if any vertex has another name than it had. */
static bool names_change(const ms_gen_work *w)
{
  for (uint32_t v = 0; w->before && v < ms_graph_vertex_count(w->graph); v++)
    if (strcmp(ms_graph_name(w->graph, v), ms_graph_name(w->before, w->from[v])) != 0)
      return true;
  return false;
}

void ms_gen_warn(const ms_gen_work *w)
{
  const ms_cli_options *o = w->options;
  ms_graph_format_info info = ms_graph_format_describe(w->to);
  if (o->quiet || !w->writes || !o->gen.given || w->given || o->gen.edge_types)
    return;
  bool new_names = names_change(w);
  if (!o->gen.shuffle && new_names && !o->map)
    ms_cli_warn("%s holds numbers; the names of the vertices are left out (--map FILE keeps them)",
                info.name);
  /* the file of the colours still fits where the names are the same */
  if (w->coloring && !info.holds_colors && !o->gen.colors_out && (new_names || !o->colors))
    ms_cli_warn("%s holds no colours; they are left out (--colors-out FILE keeps them)", info.name);
}

void ms_gen_put_map(const ms_gen_work *w, ms_outfile *out)
{
  for (uint32_t v = 0; v < ms_graph_vertex_count(w->graph); v++)
    ms_outfile_printf(out, "%s\t%s\n", ms_graph_name(w->graph, v),
                      ms_graph_name(w->before, w->from[v]));
}
