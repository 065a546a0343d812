/* motifsieve screen GRAPH PATTERN: inputs -> ms_pattern_flags or ms_typed_flags -> rows of
 * vertices. */
#include "cli/screen_pattern.h"

#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/option_table.h"
#include "cli/report.h"

#include <inttypes.h>
#include <stdio.h>

/* Seconds that the result does not hold. */
typedef struct step_times {
  double index, write;
} step_times;

static ms_status flag_plain(ms_job *job, const ms_report *report, step_times *times,
                            ms_flags_result **flags, ms_error *err)
{
  ms_pattern_index *index = NULL;
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  double begin = ms_seconds();
  ms_progress_report(&job->progress, "the index is built", 0, 0);
  MS_TRY(ms_pattern_index_new(job->graph, job->coloring, options.screen.threads, &index, err));
  times->index = ms_seconds() - begin;
  ms_status status = ms_pattern_flags(index, job->pattern, &options, flags, err);
  ms_progress_end(&job->progress);
  begin = ms_seconds();
  if (status == MS_OK)
    status = ms_pattern_flags_write(index, job->pattern, &options, *flags, &report->options,
                                    report->path, err);
  times->write = ms_seconds() - begin;
  ms_pattern_index_free(index);
  return status;
}

static ms_status flag_typed(ms_job *job, const ms_report *report, step_times *times,
                            ms_flags_result **flags, ms_error *err)
{
  ms_typed_match_options options;
  ms_typed_options_of(job, &options);
  ms_status status = ms_typed_flags(job->typed_query, &options, flags, err);
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  if (status == MS_OK)
    status = ms_typed_flags_write(job->typed_query, &options, *flags, &report->options,
                                  report->path, err);
  times->write = ms_seconds() - begin;
  return status;
}

static ms_status write_statistics(const ms_job *job, const ms_flags_result *r,
                                  const step_times *times, ms_error *err)
{
  char found[16];
  snprintf(found, sizeof found, "%" PRIu32, r->count);
  ms_result_status status = ms_status_of(r->stopped, ms_job_at_limit(job, r->count));
  const ms_screen_result *screen = r->screen;
  ms_statistics s = {.index = times->index,
                     .prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .plan = r->time_plan - (screen ? screen->time_prune + screen->time_sieve : 0),
                     .search = r->time_search,
                     .output = times->write,
                     .engine = r->engine,
                     .engine_reason = r->engine_reason,
                     .backend = screen ? ms_backend_word((uint32_t)screen->backend) : NULL,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .work = &r->work,
                     .screen_reason = r->screen_reason,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = found};
  return ms_report_statistics(job, s, err);
}

static void print_summary(const ms_job *job, const ms_flags_result *r, const step_times *times)
{
  if (r->screen_reason)
    ms_cli_note("screen: %s", r->screen_reason);
  if (r->screen)
    ms_job_print_screen(r->screen);
  ms_cli_note("%" PRIu32 " vertices take part in a match, each of which was verified; %" PRIu64
              " searches for one match",
              r->count, r->searches);
  ms_cli_note("seconds: read %.3f, index %.3f, plan %.3f, search %.3f, write %.3f", job->time_read,
              times->index, r->time_plan, r->time_search, times->write);
}

static int outcome(const ms_job *job, const ms_flags_result *r)
{
  const ms_cli_options *o = job->options;
  bool at_limit = r->stopped == MS_ERR_LIMIT && ms_job_at_limit(job, r->count);
  if (at_limit && !o->quiet)
    ms_cli_note("stopped by --limit after %" PRIu32 " flagged vertices; there may be more",
                r->count);
  if (r->stopped != MS_OK && !at_limit && !o->quiet)
    ms_cli_warn("%s after %" PRIu32 " flagged vertices; the result is incomplete",
                ms_job_reason(r->stopped), r->count);
  if (r->stopped != MS_OK && !at_limit)
    return MS_EXIT_LIMIT;
  return o->fail_if_none && r->count == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

int ms_screen_pattern(ms_job *job, ms_error *err)
{
  ms_report report;
  ms_flags_result *flags = NULL;
  step_times times = {0};
  ms_report_open(&report, job);
  ms_status status = job->typed_query ? flag_typed(job, &report, &times, &flags, err)
                                      : flag_plain(job, &report, &times, &flags, err);
  if (status == MS_OK)
    ms_job_warn_of_devices(job, flags->screen);
  if (status == MS_OK)
    status = write_statistics(job, flags, &times, err);
  if (status == MS_OK && job->options->verbose)
    print_summary(job, flags, &times);
  int code = status == MS_OK ? outcome(job, flags) : ms_cli_error(err);
  ms_flags_result_free(flags);
  return code;
}
