/* The network of a file, for gen: reading, new names and a new order. */
#include "base/alloc.h"
#include "base/status.h"
#include "cli/gen.h"
#include "cli/job.h"
#include "cli/option_table.h"

#include <string.h>

/* ---- reading ------------------------------------------------------------------- */

/* True if the vertices keep the colours that they have, or exchange them. */
static bool keeps_colors(const ms_cli_options *o)
{
  bool background = o->gen.plant && ms_option_given(o, "background");
  return !o->gen.uniform_colors && !background;
}

static ms_status read_all(ms_gen_work *w, const ms_cli_options *reading, ms_error *err)
{
  const ms_cli_options *o = w->options;
  MS_TRY(ms_read_graph(reading, &w->graph, err));
  if (!keeps_colors(o))
    return MS_OK;
  bool needed = o->gen.permute_colors || (o->gen.colors_out && !o->gen.plant);
  MS_TRY(ms_read_colors(reading, w->graph, needed, &w->coloring, err));
  if (w->coloring && !o->quiet)
    ms_warn_of_colors(w->coloring, NULL);
  return MS_OK;
}

ms_status ms_gen_read(ms_gen_work *w, ms_error *err)
{
  ms_cli_options reading = *w->options; /* whose first operand is the graph, as in other commands */
  reading.operand[0] = reading.operand[1];
  ms_status status = read_all(w, &reading, err);
  if (status == MS_OK && reading.verbose)
    ms_print_inputs(w->graph, w->coloring);
  return status;
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
  if (o->quiet || !w->writes || !o->gen.given || o->gen.edge_types)
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
