#include "cli/job.h"

#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/division.h"
#include "cli/numbers.h"
#include "cli/options/option_table.h"
#include "cli/signals.h"
#include "query/labels.h"
#include "query/pattern_notation.h"
#include "query/query.h"
#include "query/typed_query.h"
#include "result/writer.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- inputs of match and plan ---------------------------------------------------------------- */

/* Reads the pattern and the graph of match and plan.  What they hold decides which search it is:
 *
 *   pattern                          graph with types of edges   plain graph
 *   name, or a plain graph file      plain                       plain
 *   file of edges with types         typed                       typed, refused unless any edge
 * fits Cypher's notation                typed                       plain; typed if it says what a
 * plain pattern cannot
 */

/* ---- options ------------------------------------------------------------------ */

static ms_status check_for_typed(const ms_job *job, ms_error *err)
{
  const char *option = ms_option_given_of(job->options, MS_OPTIONS_OF_PLAIN_PATTERN);
  if (!option)
    return MS_OK;
  return ms_fail(err, MS_ERR_USAGE,
                 "--%s is for plain patterns, and this search has types of edges; leave it out",
                 option);
}

static ms_status check_for_plain(const ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const char *option = ms_option_given_of(o, MS_OPTIONS_OF_TYPED_PATTERN);
  if (option)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for typed patterns, and %s is a plain one; leave it out, or write the "
                   "pattern as in (a:Type)--(b)",
                   option, o->pattern.path);
  option = ms_option_given_of(o, MS_OPTIONS_OF_TYPED_GRAPH);
  if (option)
    return ms_fail(err, MS_ERR_USAGE,
                   "--%s is for graphs whose edges have types, and the plain pattern %s ignores "
                   "these; leave it out, or write the pattern as in (a:Type)--(b)",
                   option, o->pattern.path);
  if (o->typed.format == MS_TYPED_HETIONET)
    return ms_fail(err, MS_ERR_USAGE,
                   "--format hetionet is for typed patterns, and %s is a plain one; give --format "
                   "sif, or write the pattern as in (a:Type)--(b)",
                   o->pattern.path);
  return MS_OK;
}

/* ---- plain searches -------------------------------------------------------------- */

static ms_status read_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  MS_TRY(check_for_plain(job, err));
  MS_TRY(ms_read_graph(o, &job->graph, err));
  MS_TRY(ms_read_colors(o, job->graph, false, &job->coloring, err));
  return ms_check_pattern(job, err);
}

/* ---- searches that may be typed --------------------------------------------------- */

static ms_status make_typed(ms_job *job, ms_error *err)
{
  MS_TRY(check_for_typed(job, err));
  MS_TRY(ms_typed_query_new(job->typed, job->typed_pattern, &job->typed_query, err));
  return ms_typed_query_check_labels(job->typed_query, err);
}

/* True if a vertex asks for the type that vertices without a colour have in a typed graph. */
static bool asks_for_untyped(const ms_job *job)
{
  const ms_names *names = job->typed_pattern->type_names;
  return ms_names_find(names, "untyped", strlen("untyped")) != MS_NO_ID;
}

/* Uses the notation in a plain graph. */
static ms_status use_notation(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  bool directed = ms_graph_directed(job->graph);
  if (!directed && ms_notation_has_arrows(job->typed_pattern))
    return ms_fail(err, MS_ERR_USAGE,
                   "the pattern has arrows, and the edges of %s have no direction; give "
                   "--directed, or write '--' in place of '-->'",
                   o->operand[0]);
  if (ms_option_given_of(o, MS_OPTIONS_OF_TYPED_PATTERN) || asks_for_untyped(job) ||
      ms_notation_not_plain(job->typed_pattern, directed)) {
    MS_TRY(ms_type_plain(job, err));
    return make_typed(job, err);
  }
  if (o->pattern.colors)
    return ms_fail(err, MS_ERR_USAGE,
                   "--pattern-colors is for built-in patterns and files of edges; write the "
                   "colours into the pattern, as in (a:red)--(b:blue|green)");
  MS_TRY(ms_pattern_of_notation(job->typed_pattern, directed, o->pattern.path,
                                job->pattern_is_text ? MS_PATTERN_TEXT : MS_PATTERN_FILE,
                                &job->pattern, err));
  return ms_check_pattern(job, err);
}

/* Reads the graph; then the search is typed if the graph is.  In a plain graph, notation becomes a
 * plain pattern. */
static ms_status read_either(ms_job *job, bool is_notation, ms_error *err)
{
  MS_TRY(ms_read_typed_or_plain(job, err));
  if (job->typed)
    return make_typed(job, err);
  MS_TRY(ms_complete_plain(job, err));
  if (is_notation)
    return use_notation(job, err);
  MS_TRY(ms_type_plain(job, err));
  return make_typed(job, err);
}

/* Reads the pattern first, because that is done at once, and the graph may take a while. */
static ms_status read_file(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  /* the rest of o->graph applies to GRAPH, and may not fit the pattern's format */
  const ms_graph_options plain = {.size = sizeof(ms_graph_options),
                                  .format = o->pattern.format,
                                  .directed = o->graph.directed,
                                  .run = o->graph.run};
  const ms_typed_options typed = ms_typed_pattern_reading(o);
  ms_any_pattern pattern;
  MS_TRY(ms_any_pattern_read(o->pattern.path, &plain, &typed, o->pattern.colors, &pattern, err));
  job->pattern = pattern.plain;
  job->typed_pattern = pattern.typed;
  return pattern.plain ? read_plain(job, err) : read_either(job, pattern.is_notation, err);
}

/* Reads the pattern and the graph of match and plan, decides whether the search is typed, and makes
 * the typed query if it is. */
static ms_status read_match(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const char *given = o->pattern.path;
  if (strcmp(given, "-") == 0 || access(given, F_OK) == 0)
    return read_file(job, err);
  if (!ms_is_notation(given)) {
    MS_TRY(ms_read_built_in(o, &job->pattern, err));
    return read_plain(job, err);
  }
  job->pattern_is_text = true;
  MS_TRY(ms_typed_pattern_parse(given, &job->typed_pattern, err));
  return read_either(job, true, err);
}

bool ms_wants_clique_sizes(const ms_cli_options *o)
{
  const char *pattern = o->pattern.path;
  return pattern && strncmp(pattern, MS_CLIQUES, strlen(MS_CLIQUES)) == 0 && strchr(pattern, '-') &&
         access(pattern, F_OK) != 0;
}

ms_status ms_read_pattern_query(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (ms_wants_clique_sizes(o))
    return ms_fail(err, MS_ERR_USAGE,
                   "%s: cliques of several sizes are only counted, by 'motifsieve match GRAPH %s "
                   "--count'; give that command, or one size",
                   o->pattern.path, o->pattern.path);
  if (o->census.per_vertex)
    return ms_fail(err, MS_ERR_USAGE,
                   "--per-vertex counts cliques of several sizes; give a range of sizes such as "
                   "clique:3-8 in place of '%s', or clique:5-5 for one size",
                   o->pattern.path ? o->pattern.path : "");
  MS_TRY(read_match(job, err));
  job->n_required = ms_own_names(job->graph, job->typed, o->n_required, o->required, job->required);
  return MS_OK;
}

/* ---- other inputs ---------------------------------------------------------------------------- */

ms_status ms_read_motif_query(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  if (o->typed.format == MS_TYPED_HETIONET)
    return ms_fail(err, MS_ERR_USAGE,
                   "--format hetionet is for patterns with types of edges, and a motif has none; "
                   "give a pattern such as (a:Gene)--(b:Gene), or --format sif");
  MS_TRY(ms_read_graph(o, &job->graph, err));
  if (!o->motifs)
    MS_TRY(ms_check_motif_given(o, job->graph, err));
  MS_TRY(ms_read_colors(o, job->graph, true, &job->coloring, err));
  if (o->motifs)
    return ms_read_motifs(job, err);
  MS_TRY(ms_read_motif(o, job->graph, job->coloring, &job->motif, err));
  return ms_query_new(job->graph, job->coloring, job->motif, o->n_required, o->required,
                      &job->query, err);
}

ms_status ms_read_colored_graph(ms_job *job, ms_error *err)
{
  MS_TRY(ms_read_graph(job->options, &job->graph, err));
  return ms_read_colors(job->options, job->graph, true, &job->coloring, err);
}

/* Refuses a pattern with colours or types that nothing has, as a motif is.  What an inexact search
 * finds may lack them. */
static ms_status check_names(const ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  unsigned commands = MS_COMMAND_MATCH | MS_COMMAND_PLAN | MS_COMMAND_SCREEN;
  if (o->coloring.ignore_unknown || o->typed_match.inexact || !(o->command->bit & commands))
    return MS_OK;
  if (job->typed_query)
    return ms_check_typed_names(job, err);
  return job->pattern && job->coloring ? ms_check_pattern_colors(job, err) : MS_OK;
}

static void warn_of_inputs(const ms_job *job)
{
  if (job->typed_query) {
    ms_warn_of_typed(job);
    return;
  }
  if (job->coloring)
    ms_warn_of_colors(job->coloring, job->options->census.strata);
  if (job->pattern && job->coloring)
    ms_warn_of_pattern_colors(job);
  else if (job->motif)
    ms_warn_of_motif_colors(job);
}

void ms_job_note_degrees(const ms_job *job, const ms_census_options *census)
{
  double share;
  ms_error err;
  if (ms_degrees_by_color(job->graph, job->coloring, census, &share, &err) == MS_OK && share > 0)
    ms_cli_note(
        "colours explain %.0f %% of the variance of the ranks of degrees, so that motifs of "
        "colours with high degrees have more sets than the null hypothesis 'labels' "
        "expects; compare with --permutations N --null degree",
        100 * share);
}

static void describe_inputs(const ms_job *job)
{
  if (job->typed || !job->graph)
    return; /* the reader of a typed graph describes it */
  ms_print_inputs(job->graph, job->coloring);
  if (job->pattern)
    ms_print_pattern(job->pattern);
  if (job->motifs)
    ms_cli_note("motifs: %" PRIu32, ms_motif_set_size(job->motifs));
  if (job->motif)
    ms_cli_note("motif: k = %" PRIu32 ": %s", ms_motif_size(job->motif), ms_motif_text(job->motif));
}

/* True if rows and the progress line would get in each other's way, because rows are written to a
 * terminal while they are found. */
static bool writes_to_terminal(const ms_cli_options *o)
{
  bool standard = !o->output || strcmp(o->output, "-") == 0;
  return o->pattern.path && !o->list.count_only && standard && isatty(STDOUT_FILENO);
}

/* Reads what options name besides the inputs of the command. */
static ms_status read_additions(ms_job *job, ms_error *err)
{
  MS_TRY(ms_read_labels(job, err));
  MS_TRY(ms_read_positions(job, err));
  return ms_read_vertex_scores(job, err);
}

ms_status ms_job_open(ms_job *job, ms_job_reader *read, ms_job_habits habits, ms_error *err)
{
  const ms_cli_options *o = job->options;
  bool notes = (habits & MS_JOB_NO_PROGRESS) || (habits & MS_JOB_NOTES_OR_PROGRESS && o->verbose);
  job->begun = ms_seconds();
  ms_progress_start(&job->progress, STDERR_FILENO, !o->quiet && !notes && !writes_to_terminal(o));
  ms_catch_signals(habits & MS_JOB_AT_ONCE ? NULL : o->stop,
                   !o->quiet && !(habits & MS_JOB_SILENT));
  ms_limit_memory(o->list.screen.run.memory);
  ms_status status = read(job, err);
  if (status == MS_OK)
    status = read_additions(job, err);
  ms_limit_memory(0);
  job->time_read = ms_seconds() - job->begun;
  ms_progress_report(&job->progress, "the search is prepared", 0, 0);
  if (status == MS_OK)
    status = check_names(job, err);
  if (status == MS_OK && !o->quiet)
    warn_of_inputs(job);
  if (status == MS_OK && o->verbose)
    describe_inputs(job);
  return status;
}

/* Says whether the result is the one that the graph's file states for its motif. */
static void report_target(const ms_job *job, const ms_motif_target *target, bool fits, bool sieved)
{
  const char *path = ms_graph_describe(job->graph).path;
  if (fits && job->options->verbose)
    ms_cli_note("target: the result is the one that %s states", path);
  if (fits || job->options->quiet)
    return;
  if (target->kind == MS_TARGET_UNIQUE)
    ms_cli_warn("%s states that one match exists, and of which vertices; this result differs%s",
                path,
                sieved ? ", perhaps because the sieve missed vertices (--seed, --error)" : "");
  else
    ms_cli_warn("%s states that %" PRIu64 " matches exist; this result differs%s", path,
                target->count,
                sieved ? ", perhaps because the sieve missed vertices (--seed, --error)" : "");
}

/* True if the search was for the motif of the graph's file, and may be compared with its target. */
static bool has_target(const ms_job *job, ms_motif_target *target)
{
  const ms_cli_options *o = job->options;
  *target = ms_graph_motif_target(job->graph);
  return target->kind != MS_TARGET_NONE && !ms_motif_is_given(o) && !o->colors &&
         o->n_required == 0 && o->list.screen.match_size == 0 && o->list.screen.max_missing == 0 &&
         o->list.screen.max_extra == 0 && !o->list.screen.nearest_only && !o->substitutes;
}

void ms_job_compare_screen(const ms_job *job, const ms_screen_result *screen)
{
  ms_motif_target target;
  if (has_target(job, &target) && screen->run.stopped == MS_OK)
    report_target(job, &target, ms_target_fits_screen(&target, screen), screen->miss_bound > 0);
}

void ms_job_compare_list(const ms_job *job, const ms_list_result *list)
{
  ms_motif_target target;
  bool whole = list->run.stopped == MS_OK && !job->options->list.diverse;
  if (whole && has_target(job, &target))
    report_target(job, &target, ms_target_fits_list(&target, list),
                  list->screen && list->screen->miss_bound > 0);
}

void ms_job_close(ms_job *job)
{
  ms_progress_end(&job->progress);
  ms_catch_signals(NULL, false);
  ms_typed_result_free(job->typed_matches);
  ms_pattern_result_free(job->matches);
  ms_flags_result_free(job->flags);
  ms_pattern_index_free(job->index);
  ms_nearest_result_free(job->nearest);
  ms_list_result_free(job->list);
  ms_screen_result_free(job->screen);
  ms_substitutes_free(job->substitutes);
  ms_typed_query_free(job->typed_query);
  ms_typed_pattern_free(job->typed_pattern);
  ms_typed_free(job->typed);
  ms_pattern_free(job->pattern);
  ms_query_free(job->query);
  ms_motif_free(job->motif);
  ms_session_free(job->session);
  ms_motif_set_free(job->motifs);
  ms_labels_free(job->labels);
  ms_points_free(job->positions);
  ms_vertex_scores_free(job->scores);
  ms_coloring_free(job->coloring);
  ms_graph_free(job->graph);
}

/* ---- searching ----------------------------------------------------------- */

bool ms_job_at_limit(const ms_job *job, uint64_t matches)
{
  return job->options->list.limit > 0 && matches >= job->options->list.limit;
}

const char *ms_job_reason(ms_status stopped)
{
  return stopped == MS_ERR_LIMIT    ? "out of time"
         : stopped == MS_ERR_MEMORY ? "out of memory (see --memory)"
         : stopped == MS_ERR_OUTPUT ? "no room for more rows (a full disk, a quota, or a limit of "
                                      "the size of files)"
                                    : "interrupted";
}

const char *ms_job_order_remark(const ms_job *job, bool ordered)
{
  return ordered || job->options->list.count_only ? "" : ", and another run may find others";
}

ms_run_limits ms_cli_limits(const ms_cli_options *o, ms_progress *progress)
{
  ms_run_limits run = o->list.screen.run;
  run.stop = o->stop;
  run.progress = ms_progress_report;
  run.progress_user = progress;
  run.engine = NULL;
  run.seed = 0;
  return run;
}

ms_run_limits ms_job_limits(ms_job *job)
{
  const ms_cli_options *o = job->options;
  ms_run_limits run = ms_cli_limits(o, &job->progress);
  run.engine = o->list.screen.run.engine;
  run.seed = o->list.screen.run.seed;
  run.division = ms_cli_division(o, &job->division);
  return run;
}

static ms_screen_mode screen_mode_of(const ms_cli_options *o)
{
  return o->list.exact ? MS_SCREEN_NEVER : o->pattern.screen;
}

ms_screen_method ms_job_method(const ms_cli_options *o)
{
  /* options that only the sieve has */
  static const char *const of_sieve[] = {"repetitions", "recurrence", "backend",
                                         "devices",     "seed",       "no-prune"};
  ms_screen_mode mode = screen_mode_of(o);
  bool counts = o->list.screen.run.engine != NULL; /* on these devices */
  if (mode != MS_SCREEN_AUTO)
    return mode == MS_SCREEN_NEVER ? MS_METHOD_EXACT : MS_METHOD_SIEVE;
  for (size_t i = 0; i < sizeof of_sieve / sizeof *of_sieve; i++)
    if (ms_option_given(o, of_sieve[i]) && !(counts && strcmp(of_sieve[i], "devices") == 0))
      return MS_METHOD_SIEVE;
  return MS_METHOD_AUTO;
}

ms_status ms_job_index(ms_job *job, ms_error *err)
{
  ms_progress_report(&job->progress, "the index is built", 0, 0);
  return ms_pattern_index_new(job->graph, job->coloring, job->options->list.screen.run.threads,
                              &job->index, err);
}

void ms_pattern_options_of(ms_job *job, ms_pattern_options *options)
{
  const ms_cli_options *o = job->options;
  *options = (ms_pattern_options){.size = sizeof(ms_pattern_options),
                                  .induced = o->pattern.induced,
                                  .embeddings = o->pattern.embeddings,
                                  .order = o->pattern.order,
                                  .screen_mode = screen_mode_of(o),
                                  .screen = o->list.screen,
                                  .count_only = o->list.count_only || o->list.participation,
                                  .limit = o->list.limit,
                                  .participation = o->list.participation,
                                  .by_position = o->list.participation && o->roles,
                                  .sample = o->list.sample,
                                  .sort = o->list.sort,
                                  .top = o->list.top,
                                  .vertex_scores = job->scores,
                                  .required = job->required,
                                  .n_required = job->n_required};
  options->screen.run = ms_job_limits(job);
}

void ms_typed_options_of(ms_job *job, ms_typed_match_options *options)
{
  const ms_cli_options *o = job->options;
  *options = (ms_typed_match_options){.size = sizeof(ms_typed_match_options),
                                      .embeddings = o->pattern.embeddings,
                                      .induced = o->pattern.induced,
                                      .count_only = o->list.count_only || o->list.participation,
                                      .limit = o->list.limit,
                                      .participation = o->list.participation,
                                      .by_position = o->list.participation && o->roles,
                                      .sample = o->list.sample,
                                      .best = o->typed_match.best,
                                      .walk = o->typed_match.walk,
                                      .walk_length = o->typed_match.walk_length,
                                      .run = ms_job_limits(job),
                                      .required = job->required,
                                      .n_required = job->n_required,
                                      .screen_mode = screen_mode_of(o),
                                      .recurrence = o->list.screen.recurrence,
                                      .error = o->list.screen.error,
                                      .repetitions = o->list.screen.repetitions,
                                      .backend = o->list.screen.backend};
}

void ms_job_warn_of_devices(const ms_job *job, const ms_screen_result *r)
{
  if (r && r->devices_lost > 0 && !job->options->quiet)
    ms_cli_warn("%" PRIu32
                " GPU%s failed, and other workers finished the work; the result is complete: %s",
                r->devices_lost, r->devices_lost == 1 ? "" : "s", r->backend_reason);
}

double ms_job_screen_seconds(const ms_screen_result *screen)
{
  return screen ? screen->time_prune + screen->time_sieve : 0;
}

void ms_job_print_units(const ms_run_outcome *run)
{
  ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
              "; %.3f s for saving the state",
              run->units, run->resumed, run->time_checkpoint);
}

void ms_job_print_screen(const ms_screen_result *r)
{
  char memory[32];
  if (!r)
    return;
  ms_format_size(memory, sizeof memory, r->memory_estimate);
  ms_cli_note("pruning left %" PRIu32 " of %" PRIu32 " vertices, %" PRIu64 " edges, in %" PRIu32
              " components",
              r->vertices_kept, r->n, r->edges_kept, r->components);
  if (r->exact) {
    ms_cli_note("enumeration, %d threads: for %" PRIu32 " of %" PRIu32
                " vertices it is known whether a match holds them",
                r->threads, r->settled, r->vertices_kept);
    return;
  }
  ms_cli_note("sieve: kernel %s, %d threads, memory estimate %s, %" PRIu32 " of %" PRIu32
              " repetitions%s, %" PRIu64 " points",
              r->kernel ? r->kernel : "none", r->threads, memory, r->repetitions,
              r->repetitions_planned, r->early_stop ? " (all flagged)" : "", r->points);
  ms_cli_note("back end: %s: %s", ms_backend_word((uint32_t)r->backend), r->backend_reason);
  char one[MS_BOUND_BYTES], all[MS_BOUND_BYTES];
  ms_cli_note("miss bound per vertex: %s%s%s; over all vertices: %s",
              ms_bound_text(r->miss_bound, one), r->miss_bound_text ? " = " : "",
              r->miss_bound_text ? r->miss_bound_text : "",
              ms_bound_text(r->miss_bound_union, all));
}
