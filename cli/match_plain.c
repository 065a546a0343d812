/* Matches of a plain pattern: inputs -> ms_pattern_list_to_file -> rows, or their number. */
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/division.h"
#include "cli/match.h"
#include "cli/option_table.h"
#include "cli/report.h"

#include <inttypes.h>

/* Finds all matches, and then counts or draws them. */
static ms_status find_then_write(ms_job *job, const ms_pattern_index *index, ms_report *report,
                                 const ms_pattern_options *options, ms_pattern_result **result,
                                 ms_error *err)
{
  MS_TRY(ms_pattern_list(index, job->pattern, options, result, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  MS_TRY(
      ms_pattern_write(index, job->pattern, options, *result, &report->options, report->path, err));
  (*result)->time_write = ms_seconds() - begin;
  ms_report_warn_of_drawing(report, job, false);
  return MS_OK;
}

static ms_status run(ms_job *job, const ms_pattern_index *index, ms_pattern_result **result,
                     ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  ms_report_open(&report, job);
  ms_status status = o->list.count_only || ms_report_draws(o)
                         ? find_then_write(job, index, &report, &options, result, err)
                         : ms_pattern_list_to_file(index, job->pattern, &options, &report.options,
                                                   report.path, result, err);
  ms_progress_end(&job->progress);
  return status;
}

static void print_pattern_summary(const ms_job *job, const ms_pattern_result *r, double indexed)
{
  ms_cli_note("screen: %s", r->screen_reason);
  if (r->screen)
    ms_job_print_screen(r->screen);
  if (r->units > 0)
    ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
                "; %.3f s for saving the state",
                r->units, r->resumed, r->time_checkpoint);
  ms_cli_print_paranoid(&r->paranoid);
  ms_cli_note("engine: %s: %s", r->engine, r->engine_reason);
  ms_cli_note("%" PRIu32 " vertices searched", r->region_vertices);
  ms_cli_note("%s subgraphs, %s embeddings (the pattern has %s automorphisms)%s", r->subgraphs_text,
              r->embeddings_text, r->automorphisms_text,
              job->options->list.count_only ? "" : ", each listed match verified");
  ms_cli_note("seconds: read %.3f, index %.3f, plan %.3f (with %.3f of pruning and %.3f of the "
              "sieve), list %.3f, write %.3f",
              job->time_read, indexed, r->time_plan, r->screen ? r->screen->time_prune : 0.0,
              r->screen ? r->screen->time_sieve : 0.0, r->time_list, r->time_write);
}

static ms_status write_pattern_statistics(const ms_job *job, const ms_pattern_result *r,
                                          double indexed, ms_error *err)
{
  const ms_screen_result *screen = r->screen;
  ms_result_status status = ms_status_of(r->stopped, ms_job_at_limit(job, r->matches));
  ms_statistics s = {.index = indexed,
                     .prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .plan = r->time_plan - (screen ? screen->time_prune + screen->time_sieve : 0),
                     .search = r->time_list,
                     .output = r->time_write,
                     .engine = r->engine,
                     .engine_reason = r->engine_reason,
                     .backend = screen ? ms_backend_word((uint32_t)screen->backend) : NULL,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .work = &r->work,
                     .screen_reason = r->screen_reason,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(job, s, err);
}

int ms_match_plain(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_pattern_index *index = NULL;
  ms_pattern_result *result = NULL;
  double begun = ms_seconds();
  ms_progress_report(&job->progress, "the index is built", 0, 0);
  ms_status status =
      ms_pattern_index_new(job->graph, job->coloring, o->list.screen.threads, &index, err);
  double indexed = ms_seconds() - begun;
  if (status == MS_OK)
    status = run(job, index, &result, err);
  if (status == MS_OK)
    ms_job_warn_of_devices(job, result->screen);
  if (status == MS_OK)
    status = write_pattern_statistics(job, result, indexed, err);
  if (status == MS_OK && o->verbose)
    print_pattern_summary(job, result, indexed);
  int code = status == MS_OK
                 ? ms_job_outcome(job, result->stopped, result->matches, result->count_text,
                                  ms_job_order_remark(job, result->ordered))
                 : ms_cli_error(err);
  ms_pattern_result_free(result);
  ms_pattern_index_free(index);
  return code;
}
