/* motifsieve match: the matches of a pattern of any kind. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/frame.h"
#include "cli/options/option_table.h"

#include <inttypes.h>

/* ---- a typed pattern ------------------------------------------------------------------------- */

/* Matches of a typed pattern: inputs -> ms_typed_match_to_file -> rows, or their number; or
 * ms_typed_match_inexact -> the best maps. */

/* Finds all matches, and then counts, draws or writes them. */
static ms_status typed_find_then_write(ms_job *job, const ms_typed_match_options *options,
                                       ms_report *report, ms_error *err)
{
  const ms_typed_query *query = job->typed_query;
  ms_typed_result **result = &job->typed_matches;
  MS_TRY(job->options->typed_match.inexact ? ms_typed_match_inexact(query, options, result, err)
                                           : ms_typed_match(query, options, result, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  MS_TRY(ms_typed_result_write(query, options, *result, &report->options, report->path, err));
  (*result)->run.time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(report, job, false);
  return MS_OK;
}

/* Refuses what only matches of plain patterns have. */
static ms_status check_typed(const ms_cli_options *o, ms_error *err)
{
  static const char *const of_plain[] = {"sort", "top", "density", "scores", "vertex-scores"};
  for (size_t i = 0; i < sizeof of_plain / sizeof *of_plain; i++)
    if (ms_option_given(o, of_plain[i]))
      return ms_fail(
          err, MS_ERR_USAGE,
          "--%s is for plain patterns: in a typed graph, several edges of different types "
          "may join two vertices; leave it out",
          of_plain[i]);
  return MS_OK;
}

static ms_status typed_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_typed_match_options options;
  bool inexact = o->typed_match.inexact;
  MS_TRY(check_typed(o, err));
  ms_typed_options_of(job, &options);
  ms_report_open(&report, job);
  MS_TRY(options.count_only || inexact || ms_report_draws(o)
             ? typed_find_then_write(job, &options, &report, err)
             : ms_typed_match_to_file(job->typed_query, &options, &report.options, report.path,
                                      &job->typed_matches, err));
  const ms_typed_result *r = job->typed_matches;
  job->answer =
      (ms_answer){.run = &r->run,
                  .found = r->matches,
                  .remark = ms_job_order_remark(job, inexact || r->ordered),
                  .screen = r->screen,
                  .statistics = {.plan = r->time_filter + r->time_walk,
                                 .search = r->time_search - ms_job_screen_seconds(r->screen),
                                 .engine = r->inexact ? "cpu" : NULL,
                                 .engine_reason = "inexact searches run on processors",
                                 .screen_reason = r->screen_reason,
                                 .found = r->count_text}};
  return MS_OK;
}

static void typed_summarize(const ms_job *job)
{
  const ms_typed_result *r = job->typed_matches;
  const ms_cli_options *o = job->options;
  ms_typed_info info = ms_typed_describe(job->typed);
  ms_cli_note("the compound type filter left %" PRIu64 " of %" PRIu64 " edges, between %" PRIu32
              " of %" PRIu32 " vertices",
              r->edges_kept, info.edges, r->vertices_kept, info.vertices);
  ms_cli_note("a walk of %" PRIu32 " steps left %" PRIu32 " active vertices", r->walk_length,
              r->vertices_active);
  for (uint32_t i = 0; r->domain && i < r->p; i++)
    ms_cli_note("  %s: %" PRIu32, ms_typed_pattern_vertex_name(job->typed_pattern, i),
                r->domain[i]);
  ms_cli_note("%s %s (the pattern has %s automorphisms)%s", r->count_text,
              r->score                ? "maps"
              : o->pattern.embeddings ? "embeddings"
                                      : "subgraphs",
              r->automorphisms_text,
              o->list.count_only || o->list.participation || r->score
                  ? ""
                  : ", each listed match verified");
  if (r->screen_reason)
    ms_cli_note("screen: %s", r->screen_reason);
  ms_job_print_screen(r->screen);
  if (r->run.units > 0)
    ms_job_print_units(&r->run);
  if (!r->score)
    ms_cli_note("engine: %s: %s", r->run.engine, r->run.engine_reason);
  if (r->plain) /* without this, the count would have taken long */
    ms_cli_note("counted as a plain pattern, whose colours are the candidates of each vertex");
  ms_cli_note("seconds: read %.3f, filter %.3f, walk %.3f, search and write %.3f", job->time_read,
              r->time_filter, r->time_walk, r->time_search);
}

static void typed_note(const ms_job *job)
{
  const ms_typed_result *r = job->typed_matches;
  if (job->options->typed_match.inexact && r->matches == 0 && r->run.stopped == MS_OK)
    ms_cli_warn(
        "no walk through the graph has the types that the pattern's walk asks for, so there "
        "is nothing to score; allow further types with '|', or leave out edges that may be "
        "missing");
}

const ms_way ms_way_typed_match = {.read = ms_read_pattern_query,
                                   .run = typed_run,
                                   .summarize = typed_summarize,
                                   .note = typed_note};

/* ---- a plain pattern ------------------------------------------------------------------------- */

/* Matches of a plain pattern: inputs -> ms_pattern_list_to_file -> rows, or their number. */

/* Finds all matches, and then counts or draws them. */
static ms_status find_then_write(ms_job *job, const ms_pattern_options *options, ms_report *report,
                                 ms_error *err)
{
  MS_TRY(ms_pattern_list(job->index, job->pattern, options, &job->matches, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  MS_TRY(ms_pattern_write(job->index, job->pattern, options, job->matches, &report->options,
                          report->path, err));
  job->matches->run.time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(report, job, false);
  return MS_OK;
}

static ms_status match_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_pattern_options options;
  double begin = ms_seconds();
  MS_TRY(ms_job_index(job, err));
  double indexed = ms_seconds() - begin;
  ms_pattern_options_of(job, &options);
  ms_report_open(&report, job);
  MS_TRY(options.count_only || ms_report_draws(o)
             ? find_then_write(job, &options, &report, err)
             : ms_pattern_list_to_file(job->index, job->pattern, &options, &report.options,
                                       report.path, &job->matches, err));
  const ms_pattern_result *r = job->matches;
  job->answer = (ms_answer){.run = &r->run,
                            .found = r->matches,
                            .remark = ms_job_order_remark(job, r->ordered),
                            .screen = r->screen,
                            .statistics = {.index = indexed,
                                           .plan = r->time_plan - ms_job_screen_seconds(r->screen),
                                           .search = r->time_list,
                                           .screen_reason = r->screen_reason,
                                           .found = r->count_text}};
  return MS_OK;
}

static void match_summarize(const ms_job *job)
{
  const ms_pattern_result *r = job->matches;
  ms_cli_note("screen: %s", r->screen_reason);
  ms_job_print_screen(r->screen);
  if (r->run.units > 0)
    ms_job_print_units(&r->run);
  ms_cli_print_paranoid(&r->run.paranoid);
  ms_cli_note("engine: %s: %s", r->run.engine, r->run.engine_reason);
  ms_cli_note("%" PRIu32 " vertices searched", r->region_vertices);
  ms_cli_note("%s subgraphs, %s embeddings (the pattern has %s automorphisms)%s", r->subgraphs_text,
              r->embeddings_text, r->automorphisms_text,
              job->options->list.count_only || job->options->list.participation
                  ? ""
                  : ", each listed match verified");
  ms_cli_note("seconds: read %.3f, index %.3f, plan %.3f (with %.3f of pruning and %.3f of the "
              "sieve), list %.3f, write %.3f",
              job->time_read, job->answer.statistics.index, r->time_plan,
              r->screen ? r->screen->time_prune : 0.0, r->screen ? r->screen->time_sieve : 0.0,
              r->time_list, r->run.time_write);
}

const ms_way ms_way_match = {
    .read = ms_read_pattern_query, .run = match_run, .summarize = match_summarize};
