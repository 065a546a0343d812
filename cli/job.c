#include "cli/job.h"

#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/commands.h"
#include "cli/numbers.h"
#include "cli/option_table.h"
#include "cli/signals.h"
#include "graph/colors.h"
#include "query/query.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* ---- inputs -------------------------------------------------------------- */

void ms_tell_inputs(const ms_graph *graph, const ms_coloring *coloring)
{
  ms_graph_info g = ms_graph_describe(graph);
  ms_cli_note("graph: %s: %s: %" PRIu32 " vertices, %" PRIu64 " edges; dropped %" PRIu64
              " self-loops, %" PRIu64 " duplicates, %" PRIu64 " below the score, %" PRIu64
              " of another taxon or system; highest degree %" PRIu32,
              g.path, ms_graph_format_describe(g.format).name, g.vertices, g.edges, g.self_loops,
              g.duplicates, g.below_score, g.filtered, g.max_degree);
  if (!coloring)
    return;
  ms_coloring_info c = ms_coloring_describe(coloring);
  ms_cli_note("colors: %s: %s: %" PRIu32 " colours, %" PRIu64 " assignments; dropped %" PRIu64
              " duplicates; %" PRIu64 " lines name a vertex that is not in the graph",
              c.path, ms_color_format_name(c.format), c.colors, c.assignments, c.duplicates,
              c.unknown_vertices);
  if (c.format == MS_COLORS_GAF)
    ms_cli_note("colors: %" PRIu64 " lines say NOT, %" PRIu64
                " have a term that the ontology lacks, %" PRIu64 " one outside the slim",
                c.negated, c.unmapped, c.outside_slim);
}

bool ms_color_is_there(const ms_coloring *coloring, uint32_t color)
{
  uint64_t assignments = coloring->offset[coloring->n];
  for (uint64_t at = 0; at < assignments; at++)
    if (coloring->color[at] == color)
      return true;
  return false;
}

/* A colour file that does not belong to the graph shows as unknown names. */
static void warn_of_lost_colors(const ms_job *job)
{
  for (uint32_t i = 0; i < job->motif->n_classes; i++) {
    uint32_t color = job->motif->class_[i].color;
    if (color != MS_WILDCARD && !ms_color_is_there(job->coloring, color))
      ms_cli_warn("no vertex of %s has the colour '%s'; are the names of colour file and graph of "
                  "the same kind?",
                  ms_graph_describe(job->graph).path, ms_coloring_name(job->coloring, color));
  }
}

static void warn_of_mismatch(const ms_job *job)
{
  ms_coloring_info c = ms_coloring_describe(job->coloring);
  if (c.unknown_vertices > c.lines / 2)
    ms_cli_warn("%s: %" PRIu64 " of %" PRIu64
                " lines name a vertex that is not in the graph; do both files use "
                "the same kind of names?",
                c.path, c.unknown_vertices, c.lines);
  if (c.extra_columns > 0)
    ms_cli_warn("%s: %" PRIu64 " lines have more than two columns; only the second is taken for a "
                "colour; a vertex of several colours has a line for each",
                c.path, c.extra_columns);
}

/* Does it look like the title of a column of names? */
static bool is_title(const char *name)
{
  static const char *const words[] = {"interactor", "source", "target", "protein", "gene",
                                      "node",       "symbol", "entrez", "vertex",  "participant"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strncasecmp(name, words[i], strlen(words[i])) == 0)
      return true;
  return false;
}

/* What reads well and may still mean something else. */
static void warn_of_reading(const ms_cli_options *o, const ms_graph *graph)
{
  ms_graph_info info = ms_graph_describe(graph);
  uint32_t first = 0, second = 0;
  if (o->graph.min_score > 0 && o->graph.min_score < 1)
    ms_cli_warn("%s: STRING's scores go up to 1000; --min-score %g keeps nearly all", info.path,
                o->graph.min_score);
  if (info.format != MS_FORMAT_EDGE_LIST || o->graph.header || info.vertices < 2)
    return;
  ms_graph_neighbors(graph, 0, &first);
  ms_graph_neighbors(graph, 1, &second);
  if (first == 1 && second == 1 && is_title(ms_graph_name(graph, 0)) &&
      is_title(ms_graph_name(graph, 1)))
    ms_cli_warn("%s: its first line, '%s' and '%s', is read as an edge; if it is a header, give "
                "--header",
                info.path, ms_graph_name(graph, 0), ms_graph_name(graph, 1));
}

ms_status ms_read_graph(const ms_cli_options *o, ms_graph **graph, ms_error *err)
{
  ms_status status = ms_graph_read(o->operand[0], &o->graph, graph, err);
  return status == MS_OK ? ms_read_aliases(o, *graph, err) : status;
}

ms_status ms_read_aliases(const ms_cli_options *o, ms_graph *graph, ms_error *err)
{
  if (!o->quiet)
    warn_of_reading(o, graph);
  if (!o->aliases)
    return MS_OK;
  ms_alias_info aliases;
  ms_status status = ms_graph_read_aliases(graph, o->aliases, &aliases, err);
  if (status == MS_OK && o->verbose)
    ms_cli_note("aliases: %s: %" PRIu64 " names beside the vertices' own; left out %" PRIu64
                " that stand for several vertices; %" PRIu64 " lines name no vertex",
                o->aliases, aliases.aliases, aliases.ambiguous, aliases.unknown);
  return status;
}

ms_status ms_read_colors(const ms_cli_options *o, const ms_graph *graph, bool needed,
                         ms_coloring **coloring, ms_error *err)
{
  *coloring = NULL;
  if (o->colors)
    return ms_coloring_read(o->colors, graph, &o->coloring, coloring, err);
  if (ms_option_given_of(o, MS_OPTIONS_OF_COLOR_FILE))
    return ms_fail(err, MS_ERR_USAGE,
                   "there are options for reading a colour file, but none is given; give --colors "
                   "FILE, or leave them out");
  if (ms_graph_describe(graph).colored || o->coloring.format == MS_COLORS_GRAPH)
    return ms_coloring_from_graph(graph, coloring, err);
  return needed
             ? ms_fail(err, MS_ERR_USAGE,
                       "no colours: give --colors FILE (%s holds none); see 'motifsieve %s --help'",
                       o->operand[0], ms_command_name(o->command))
             : MS_OK;
}

static ms_status read_motif(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_status status = o->motif ? ms_motif_parse(o->motif, job->coloring, &job->motif, err)
                              : ms_motif_read(o->motif_file, job->coloring, &job->motif, err);
  if (status == MS_OK)
    status = ms_query_new(job->graph, job->coloring, job->motif, o->n_required, o->required,
                          &job->query, err);
  return status;
}

/* The pattern comes first: it is read at once, and the graph may take a while. */
static ms_status read_inputs(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  bool patterned = o->pattern.path != NULL;
  ms_status status = patterned ? ms_read_pattern(o, &job->pattern, err) : MS_OK;
  if (status == MS_OK)
    status = ms_read_graph(o, &job->graph, err);
  if (status == MS_OK)
    status = ms_read_colors(o, job->graph, !patterned, &job->coloring, err);
  if (status != MS_OK || patterned)
    return status == MS_OK ? ms_check_pattern_colors(job, err) : status;
  return read_motif(job, err);
}

static void warn_of_inputs(const ms_job *job)
{
  if (job->coloring)
    warn_of_mismatch(job);
  if (job->pattern)
    ms_warn_of_pattern_colors(job);
  else
    warn_of_lost_colors(job);
}

static void tell_job(const ms_job *job)
{
  ms_tell_inputs(job->graph, job->coloring);
  if (job->pattern)
    ms_tell_pattern(job->pattern);
  else
    ms_cli_note("motif: k = %" PRIu32 ": %s", ms_motif_size(job->motif), ms_motif_text(job->motif));
}

/* Rows that are written while they are found and the progress line would get in
 * each other's way on a terminal. */
static bool writes_to_terminal(const ms_cli_options *o)
{
  bool standard = !o->output || strcmp(o->output, "-") == 0;
  return o->pattern.path && !o->list.count_only && standard && isatty(STDOUT_FILENO);
}

ms_status ms_job_begin(const ms_cli_options *options, ms_job *job, ms_error *err)
{
  memset(job, 0, sizeof *job);
  job->options = options;
  ms_progress_start(&job->progress, stderr, !options->quiet && !writes_to_terminal(options));
  MS_TRY(ms_stop_new(&job->stop, err));
  ms_signals_to(job->stop, !options->quiet);
  if (options->timeout > 0)
    ms_stop_after(job->stop, options->timeout);
  return MS_OK;
}

ms_status ms_job_open(const ms_cli_options *options, ms_job *job, ms_error *err)
{
  double begin = ms_seconds();
  ms_status status = ms_job_begin(options, job, err);
  if (status == MS_OK)
    status = read_inputs(job, err);
  job->time_read = ms_seconds() - begin;
  if (status == MS_OK && !options->quiet)
    warn_of_inputs(job);
  if (status == MS_OK && options->verbose)
    tell_job(job);
  return status;
}

void ms_job_close(ms_job *job)
{
  ms_progress_end(&job->progress);
  ms_signals_to(NULL, false);
  ms_query_free(job->query);
  ms_motif_free(job->motif);
  ms_pattern_free(job->pattern);
  ms_coloring_free(job->coloring);
  ms_graph_free(job->graph);
  ms_stop_free(job->stop);
}

void ms_job_attach(ms_job *job, ms_screen_options *run)
{
  run->stop = job->stop;
  run->progress = ms_progress_report;
  run->progress_user = &job->progress;
}

void ms_job_warn_of_devices(const ms_job *job, const ms_screen_result *r)
{
  if (r && r->devices_lost > 0 && !job->options->quiet)
    ms_cli_warn("%" PRIu32
                " GPU%s failed, and what %s to do was done elsewhere; the result is whole: %s",
                r->devices_lost, r->devices_lost == 1 ? "" : "s",
                r->devices_lost == 1 ? "it had" : "they had", r->backend_reason);
}

void ms_job_tell_screen(const ms_job *job, const ms_screen_result *r)
{
  char memory[32];
  ms_format_size(memory, sizeof memory, r->memory_estimate);
  ms_cli_note("pruning left %" PRIu32 " of %" PRIu32 " vertices, %" PRIu64 " edges, in %" PRIu32
              " components",
              r->vertices_kept, ms_graph_vertex_count(job->graph), r->edges_kept, r->components);
  ms_cli_note("sieve: kernel %s, %d threads, memory estimate %s, %" PRIu32 " of %" PRIu32
              " repetitions%s, %" PRIu64 " points",
              r->kernel ? r->kernel : "none", r->threads, memory, r->repetitions,
              r->repetitions_planned, r->early_stop ? " (all flagged)" : "", r->points);
  ms_cli_note("back end: %s: %s", ms_backend_word((uint32_t)r->backend), r->backend_reason);
  ms_cli_note("miss bound per vertex: %.3g%s%s; over all vertices: %.3g", r->miss_bound,
              r->miss_bound_text ? " = " : "", r->miss_bound_text ? r->miss_bound_text : "",
              r->miss_bound_union);
}
