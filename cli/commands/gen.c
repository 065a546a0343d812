/* motifsieve gen: makes random graphs, or changes given ones: uniform, permuted or planted colours,
 * another order, patterns that are cut out. */
#include "cli/commands/gen.h"

#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/colors_out.h"
#include "cli/job.h"
#include "cli/options/option_table.h"
#include "cli/signals.h"
#include "graph/formats/edge_list.h"
#include "graph/names.h"
#include "graph/typed.h"
#include "query/query.h"

#include <inttypes.h>
#include <string.h>

/* ---- a graph that is given ------------------------------------------------------------------- */

/* The network of a file, for gen: reading, new names and a new order. */

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

/* True if the graph of a file is read with types of edges where it has some, so that its format is
 * known only then. */
static bool gen_reads_types(const ms_gen_work *w)
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
  MS_TRY(ms_typed_plain_graph(typed, !kept && o->graph.directed, o->typed.run.threads, &w->graph,
                              err));
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

/* Reads the graph of a file, with its types of edges if they are kept, and the colours that it
 * keeps. */
static ms_status gen_read(ms_gen_work *w, ms_error *err)
{
  ms_cli_options reading = *w->options; /* whose first operand is the graph, as in other commands */
  reading.operand[0] = reading.operand[1];
  return gen_reads_types(w) ? read_typed_or_plain(w, &reading, err) : read_plain(w, &reading, err);
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

/* Shuffles the graph, and gives it the names that its format asks for. */
static ms_status gen_rename(ms_gen_work *w, ms_error *err)
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
  plan.run.seed = o->list.screen.run.seed;
  plan.run.threads = o->list.screen.run.threads;
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

/* Warns of names and colours that no output keeps. */
static void gen_warn(const ms_gen_work *w)
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

/* ---- the command ----------------------------------------------------------------------------- */

/* Refuses a format that cannot hold the graph, before anything is generated or read. */
static ms_status check_target(const ms_gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_graph_format_info info = ms_graph_format_describe(w->to);
  bool colored = o->gen.plant || o->gen.uniform_colors || o->gen.permute_colors;
  if (!w->writes)
    return colored && !o->gen.colors_out
               ? ms_fail(
                     err, MS_ERR_USAGE,
                     "new colours are made, and no graph is written; give --colors-out FILE for "
                     "them, or --output FILE")
               : MS_OK;
  if (!info.writable)
    return ms_fail(err, MS_ERR_USAGE, "%s can only be read; choose another format", info.name);
  if (info.numbered && o->gen.graph.prefix)
    return ms_fail(err, MS_ERR_USAGE, "--prefix is for formats that hold names; %s holds numbers",
                   info.name);
  if (colored && !info.holds_colors && !o->gen.colors_out)
    return ms_fail(err, MS_ERR_USAGE, "%s holds no colours; give --colors-out FILE for them",
                   info.name);
  MS_TRY(ms_check_kept_scores(o, w->to, err));
  if (o->graph.directed && w->to != MS_FORMAT_EDGE_LIST)
    return ms_fail(err, MS_ERR_USAGE,
                   "--directed is given, but %s is written without directions; write an edge list",
                   info.name);
  return MS_OK;
}

/* The format for random types of edges; `found` is what the name of the output says. */
static ms_status find_typed_target(ms_gen_work *w, ms_status found, ms_error *err)
{
  if (w->to == MS_FORMAT_TYPED_BINARY)
    return MS_OK;
  /* tables have the ending of edge lists */
  if (found == MS_OK && w->to != MS_FORMAT_EDGE_LIST && w->to != MS_FORMAT_TABLE)
    return ms_fail(err, MS_ERR_USAGE,
                   "--edge-types is given, but %s holds no types of edges; give --to table or --to "
                   "typed-binary",
                   ms_graph_format_describe(w->to).name);
  w->to = MS_FORMAT_TABLE;
  return MS_OK;
}

/* Finds the format to write.  The patterns of a given graph may be all that is written. */
static ms_status find_target(ms_gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  bool asked = o->output || o->to != MS_FORMAT_AUTO || o->gen.edge_types;
  w->writes = asked || !o->gen.given || !o->gen.patterns_out || o->gen.shuffle;
  w->to = MS_FORMAT_EDGE_LIST;
  if (!w->writes)
    return check_target(w, err);
  ms_status found = ms_find_output_format(o, &w->to, err);
  if (o->gen.edge_types)
    return find_typed_target(w, found, err);
  MS_TRY(found);
  return gen_reads_types(w) ? MS_OK : check_target(w, err);
}

/* Reads the graph of a file.  Types of edges decide what may be written. */
static ms_status read_graph(ms_gen_work *w, ms_error *err)
{
  MS_TRY(gen_read(w, err));
  bool checked = w->given || w->options->gen.edge_types || !gen_reads_types(w);
  return checked ? MS_OK : check_target(w, err);
}

static ms_status make_graph(ms_gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  ms_graph_format_info info = ms_graph_format_describe(w->to);
  ms_generate_options plan = o->gen.graph;
  if (o->gen.given)
    return read_graph(w, err);
  plan.run = o->list.screen.run;
  /* the colour file must have the numbers that readers of the graph see */
  plan.first_number = info.numbered ? info.first_number : 0;
  return ms_generate_graph(&plan, &w->graph, err);
}

static void set_colors(ms_gen_work *w, ms_coloring *coloring)
{
  ms_coloring_free(w->coloring);
  w->coloring = coloring;
}

static ms_status plant_colors(ms_gen_work *w, ms_error *err)
{
  const ms_gen_options *gen = &w->options->gen;
  ms_planting plan = gen->planted;
  ms_coloring *coloring = NULL;
  ms_names *colors = NULL;
  uint32_t slot[MS_MAX_K];
  plan.seed = w->options->list.screen.run.seed;
  if (gen->plant_motif)
    MS_TRY(ms_motif_slots(gen->plant_motif, &colors, slot, &plan.slots, err));
  plan.colors = colors;
  plan.slot = slot;
  plan.keep = w->coloring;
  ms_status status = ms_plant_colors(w->graph, &plan, &coloring, &w->planted, err);
  if (status == MS_OK)
    set_colors(w, coloring);
  ms_names_free(colors);
  return status;
}

static ms_status permute_colors(ms_gen_work *w, ms_error *err)
{
  const ms_screen_options *screen = &w->options->list.screen;
  ms_coloring *coloring;
  MS_TRY(ms_coloring_permute(w->graph, w->coloring, screen->run.seed, screen->run.threads,
                             &coloring, err));
  set_colors(w, coloring);
  return MS_OK;
}

static ms_status make_colors(ms_gen_work *w, ms_error *err)
{
  const ms_gen_options *gen = &w->options->gen;
  if (gen->uniform_colors)
    return ms_generate_colors(w->graph, gen->uniform_colors, w->options->list.screen.run.seed,
                              &w->coloring, err);
  if (gen->permute_colors)
    MS_TRY(permute_colors(w, err));
  return gen->plant ? plant_colors(w, err) : MS_OK;
}

static ms_status make_types(ms_gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  const ms_type_options plan = {.relations = o->gen.edge_types,
                                .directed = o->gen.directed_types,
                                .seed = o->list.screen.run.seed,
                                .threads = o->list.screen.run.threads};
  if (w->given)
    return ms_typed_move(w->given, w->graph, w->from, w->coloring, plan.threads, &w->typed, err);
  return plan.relations ? ms_add_edge_types(w->graph, w->coloring, &plan, &w->typed, err) : MS_OK;
}

/* Writes PLANT<TAB>VERTEX<TAB>COLOUR lines; plants are numbered from 1. */
static void put_planted(const ms_gen_work *w, ms_outfile *out)
{
  for (uint64_t i = 0; i < (uint64_t)w->planted.plants * w->planted.k; i++) {
    uint32_t count, v = w->planted.vertices[i];
    const uint32_t *color = ms_coloring_of(w->coloring, v, &count);
    /* a slot of any colour may have met a vertex without one */
    ms_outfile_printf(out, "%" PRIu64 "\t%s\t%s\n", i / w->planted.k + 1,
                      ms_graph_name(w->graph, v),
                      count > 0 ? ms_coloring_name(w->coloring, color[0]) : "*");
  }
}

/* Writes an edge list whose lines are in random order, or have directions. */
static ms_status write_lines(const ms_gen_work *w, const char *path, ms_error *err)
{
  const ms_cli_options *o = w->options;
  uint32_t(*lines)[2] = NULL;
  uint64_t count;
  ms_outfile *out = NULL;
  ms_status status = o->gen.shuffle
                         ? ms_shuffle_lines(w->graph, o->list.screen.run.seed,
                                            o->list.screen.run.threads, &lines, &count, err)
                         : ms_list_lines(w->graph, &lines, &count, err);
  if (status == MS_OK)
    status = ms_outfile_open(path, &out, err);
  if (status == MS_OK) {
    ms_outfile_watch(out);
    status = ms_edge_list_write(w->graph, (const uint32_t(*)[2])lines, count, out, err);
  }
  if (status == MS_OK)
    status = ms_outfile_commit(out, err);
  else
    ms_outfile_abort(out);
  ms_free(lines);
  return status;
}

static ms_status write_graph(const ms_gen_work *w, ms_error *err)
{
  const ms_cli_options *o = w->options;
  const char *path = o->output ? o->output : "-";
  if (!w->writes)
    return MS_OK;
  if (w->typed)
    return w->to == MS_FORMAT_TYPED_BINARY ? ms_typed_write_binary(w->typed, path, err)
                                           : ms_typed_write(w->typed, path, err);
  if (w->to == MS_FORMAT_EDGE_LIST && (o->gen.shuffle || o->graph.directed))
    return write_lines(w, path, err);
  bool colored = ms_graph_format_describe(w->to).holds_colors;
  return ms_graph_write(w->graph, colored ? w->coloring : NULL, w->to, path, err);
}

/* ---- all outputs --------------------------------------------------------------------- */

/* The files beside the graph. */
enum { COLORS_OUT, PLANTED_OUT, MAP_OUT, BESIDE };

static ms_status open_beside(const ms_gen_work *w, ms_outfile *out[BESIDE], ms_error *err)
{
  const ms_cli_options *o = w->options;
  const char *const path[BESIDE] = {o->gen.colors_out, o->gen.planted_out, o->map};
  for (int i = 0; i < BESIDE; i++)
    if (path[i])
      MS_TRY(ms_outfile_open(path[i], &out[i], err));
  if (out[COLORS_OUT])
    MS_TRY(ms_put_colors(w->graph, w->coloring, out[COLORS_OUT], err));
  if (out[PLANTED_OUT])
    put_planted(w, out[PLANTED_OUT]);
  if (out[MAP_OUT]) { /* NEW<TAB>OLD */
    for (uint32_t v = 0; v < ms_graph_vertex_count(w->graph); v++)
      ms_outfile_printf(out[MAP_OUT], "%s\t%s\n", ms_graph_name(w->graph, v),
                        ms_graph_name(w->before, w->from[v]));
  }
  return MS_OK;
}

/* Writes the patterns, if any, and the graph.  The folder of the patterns appears after the graph:
 * a run that failed can be repeated. */
static ms_status write_patterns_and_graph(const ms_gen_work *w, ms_error *err)
{
  ms_folder *folder = NULL;
  if (w->options->gen.cut.patterns == 0)
    return write_graph(w, err);
  ms_catch_signals(w->options->stop, false); /* so that no temporary folder is left */
  ms_status status = ms_gen_patterns(w, &folder, err);
  if (status == MS_OK)
    status = write_graph(w, err);
  if (status == MS_OK)
    status = ms_folder_commit(folder, err);
  else
    ms_folder_abort(folder);
  ms_catch_signals(NULL, false);
  return status;
}

/* Writes the graph, and then the other files: none of them appears without the graph. */
static ms_status write_all(const ms_gen_work *w, ms_error *err)
{
  ms_outfile *out[BESIDE] = {NULL};
  ms_status status = open_beside(w, out, err);
  if (status == MS_OK)
    status = write_patterns_and_graph(w, err);
  for (int i = 0; i < BESIDE; i++)
    if (status == MS_OK && out[i])
      status = ms_outfile_commit(out[i], err);
    else
      ms_outfile_abort(out[i]);
  return status;
}

static ms_status make_all(ms_gen_work *w, ms_error *err)
{
  MS_TRY(make_graph(w, err));
  MS_TRY(gen_rename(w, err));
  MS_TRY(make_colors(w, err));
  gen_warn(w);
  return make_types(w, err);
}

static void report(const ms_gen_work *w, double making, double writing)
{
  const ms_cli_options *o = w->options;
  ms_graph_info g = ms_graph_describe(w->graph);
  ms_cli_note("%s: %" PRIu32 " vertices, %" PRIu64 " edges, highest degree %" PRIu32
              ", seed %" PRIu64,
              o->gen.given ? o->operand[1] : ms_family_describe(o->gen.graph.family).name,
              g.vertices, g.edges, g.max_degree, o->list.screen.run.seed);
  ms_cli_note("seconds: make %.3f, write %.3f", making, writing);
}

int ms_run_gen(const ms_cli_options *o)
{
  ms_error err;
  ms_gen_work work = {.options = o};
  double begin = ms_seconds();
  if (o->gen.given) /* random graphs have their own limit */
    ms_limit_memory(o->list.screen.run.memory);
  ms_status status = find_target(&work, &err);
  if (status == MS_OK)
    status = make_all(&work, &err);
  double made = ms_seconds();
  if (status == MS_OK)
    status = write_all(&work, &err);
  ms_limit_memory(0);
  if (status == MS_OK && o->verbose)
    report(&work, made - begin, ms_seconds() - made);
  ms_free(work.planted.vertices);
  ms_typed_free(work.typed);
  ms_typed_free(work.given);
  ms_coloring_free(work.coloring);
  ms_graph_free(work.graph);
  ms_graph_free(work.before);
  ms_free(work.from);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
