/* motifsieve convert: writes a graph and its colours in another format. */
#include "base/alloc.h"
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "graph/colors.h"
#include "graph/formats/format.h"
#include "graph/graph.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes the graph, and then the map: no map appears without its graph. */
static ms_status write_both(const ms_cli_options *o, const ms_graph *graph,
                            const ms_coloring *coloring, ms_graph_format to, ms_error *err)
{
  ms_outfile *map = NULL;
  ms_status status = o->map ? ms_outfile_open(o->map, &map, err) : MS_OK;
  if (status == MS_OK && map) {
    /* NUMBER<TAB>NAME, with the number that the format gives the vertex */
    uint32_t first = ms_graph_format_describe(to).first_number;
    for (uint32_t v = 0; v < ms_graph_vertex_count(graph); v++)
      ms_outfile_printf(map, "%" PRIu64 "\t%s\n", (uint64_t)first + v, ms_graph_name(graph, v));
  }
  if (status == MS_OK)
    status = ms_graph_write(graph, coloring, to, o->output ? o->output : "-", err);
  if (status == MS_OK && map)
    return ms_outfile_commit(map, err);
  ms_outfile_abort(map);
  return status;
}

/* True if some vertex has a name other than the number that the format gives it. */
static bool loses_names(const ms_graph *graph, ms_graph_format_info info)
{
  char number[16];
  for (uint32_t v = 0; info.numbered && v < ms_graph_vertex_count(graph); v++) {
    snprintf(number, sizeof number, "%" PRIu64, (uint64_t)info.first_number + v);
    if (strcmp(number, ms_graph_name(graph, v)) != 0)
      return true;
  }
  return false;
}

/* Finds the format before anything is read, so that a wrong option costs no time. */
static ms_status find_format(const ms_cli_options *o, ms_graph_format *to, ms_error *err)
{
  MS_TRY(ms_find_output_format(o, to, err));
  ms_graph_format_info info = ms_graph_format_describe(*to);
  if (o->map && !info.numbered)
    return ms_fail(err, MS_ERR_USAGE, "--map is for formats that hold numbers; %s holds names",
                   info.name);
  return ms_check_kept_scores(o, *to, err);
}

static ms_status convert(const ms_cli_options *o, ms_graph *graph, ms_coloring *coloring,
                         ms_graph_format to, ms_error *err)
{
  ms_graph_format_info info = ms_graph_format_describe(to);
  if (!o->quiet && ms_graph_scored(graph) && !info.holds_scores)
    ms_cli_warn("%s holds no scores of edges; they are left out", info.name);
  if (graph->direction && !ms_format_of(to)->writes_directions) {
    if (!o->quiet)
      ms_cli_warn("%s is written without directions of edges; they are left out", info.name);
    ms_graph_undirect(graph);
  }
  if (!o->quiet && coloring && !info.holds_colors)
    ms_cli_warn("%s holds no colours; they are left out", info.name);
  if (!o->quiet && coloring && info.holds_colors && coloring->aliases &&
      ms_names_count(coloring->aliases) > 0)
    ms_cli_warn("%s holds one name a colour; the others (GO ids) are left out", info.name);
  if (!o->quiet && !o->map && loses_names(graph, info))
    ms_cli_warn("%s holds numbers; the names of the vertices are left out (--map FILE keeps them)",
                info.name);
  return write_both(o, graph, coloring, to, err);
}

/* Reads a typed graph as a plain one: edges lose their types, and the types of vertices become
 * colours. */
static ms_status read_typed(const ms_cli_options *o, ms_graph **graph, ms_coloring **coloring,
                            ms_error *err)
{
  ms_typed *typed = NULL;
  ms_status status = ms_read_typed(o, &typed, err);
  if (status == MS_OK && o->verbose)
    ms_print_typed(typed);
  if (status == MS_OK)
    status = ms_typed_plain(typed, o->typed.run.threads, graph, coloring, err);
  ms_typed_free(typed);
  return status;
}

/* Shows that the output is written, unless it goes to the terminal. */
static void begin_output(const ms_cli_options *o, ms_progress *progress)
{
  bool standard = !o->output || strcmp(o->output, "-") == 0;
  if (standard && isatty(STDOUT_FILENO))
    ms_progress_end(progress);
  else
    ms_progress_report(progress, "the graph is written", 0, 0);
}

/* From a typed graph, or a plain one as a typed one, to a file that holds types of edges. */
static ms_status convert_typed(const ms_cli_options *o, ms_graph_format to, double begin,
                               ms_progress *progress, ms_error *err)
{
  ms_typed *graph = NULL;
  const char *path = o->output ? o->output : "-";
  ms_status status = ms_read_typed(o, &graph, err);
  ms_limit_memory(0);
  double read = ms_seconds();
  if (status == MS_OK && o->verbose)
    ms_print_typed(graph);
  begin_output(o, progress);
  if (status == MS_OK)
    status = to == MS_FORMAT_TABLE ? ms_typed_write(graph, path, err)
                                   : ms_typed_write_binary(graph, path, err);
  if (status == MS_OK && o->verbose)
    ms_cli_note("seconds: read %.3f, write %.3f", read - begin, ms_seconds() - read);
  ms_typed_free(graph);
  return status;
}

/* Chooses the folder for edges that do not fit into memory: the one of the output. */
static void find_scratch(const ms_cli_options *o, char *folder, size_t bytes)
{
  const char *slash = o->output ? strrchr(o->output, '/') : NULL, *temporary = getenv("TMPDIR");
  struct stat facts;
  bool file = o->output && strcmp(o->output, "-") != 0 &&
              (stat(o->output, &facts) != 0 || S_ISREG(facts.st_mode));
  if (o->graph.scratch)
    snprintf(folder, bytes, "%s", o->graph.scratch);
  else if (!file)
    snprintf(folder, bytes, "%s", temporary && *temporary ? temporary : "/tmp");
  else if (!slash)
    snprintf(folder, bytes, ".");
  else
    snprintf(folder, bytes, "%.*s", (int)(slash - o->output) + 1, o->output);
}

/* Says that the graph was sorted in a file. */
static void note_runs(const ms_graph *graph, const char *folder)
{
  if (graph->runs == 0)
    return;
  ms_cli_note("%s: the edges exceeded --memory; %" PRIu64 " sorted runs (%" PRIu64
              " MiB) were merged in temporary files in %s",
              graph->info.path, graph->runs, graph->run_bytes >> 20, folder);
}

static ms_status read_plain(const ms_cli_options *o, ms_progress *progress, ms_graph **graph,
                            ms_error *err)
{
  char folder[PATH_MAX];
  ms_graph_options options = o->graph;
  find_scratch(o, folder, sizeof folder);
  options.scratch = folder;
  options.run.progress = ms_progress_report;
  options.run.progress_user = progress;
  ms_status status = ms_graph_read(o->operand[0], &options, graph, err);
  if (status == MS_OK && !o->quiet)
    note_runs(*graph, folder);
  return status;
}

static ms_status read_graph(const ms_cli_options *o, ms_progress *progress, ms_graph **graph,
                            ms_coloring **coloring, ms_error *err)
{
  if (ms_has_typed_options(o))
    return read_typed(o, graph, coloring, err);
  MS_TRY(read_plain(o, progress, graph, err));
  ms_progress_report(progress, "colours are read", 0, 0);
  MS_TRY(ms_read_aliases(o, *graph, err));
  MS_TRY(ms_read_colors(o, *graph, false, coloring, err));
  if (*coloring && !o->quiet)
    ms_warn_of_colors(*coloring, NULL);
  return MS_OK;
}

int ms_run_convert(const ms_cli_options *o)
{
  ms_error err;
  ms_graph *graph = NULL;
  ms_coloring *coloring = NULL;
  ms_progress progress;
  double begin = ms_seconds();
  ms_graph_format to;
  ms_status status = find_format(o, &to, &err);
  if (o->list.screen.run.memory > 0)
    ms_return_large_blocks();
  ms_limit_memory(o->list.screen.run.memory);
  ms_progress_start(&progress, STDERR_FILENO, !o->quiet);
  if (status == MS_OK && (to == MS_FORMAT_TABLE || to == MS_FORMAT_TYPED_BINARY)) {
    status = convert_typed(o, to, begin, &progress, &err);
    ms_progress_end(&progress);
    return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
  }
  if (status == MS_OK)
    status = read_graph(o, &progress, &graph, &coloring, &err);
  ms_limit_memory(0);
  double read = ms_seconds();
  if (status == MS_OK && o->verbose && !ms_has_typed_options(o))
    ms_print_inputs(graph, coloring);
  begin_output(o, &progress);
  if (status == MS_OK)
    status = convert(o, graph, coloring, to, &err);
  ms_progress_end(&progress);
  if (status == MS_OK && o->verbose)
    ms_cli_note("seconds: read %.3f, write %.3f", read - begin, ms_seconds() - read);
  ms_coloring_free(coloring);
  ms_graph_free(graph);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
