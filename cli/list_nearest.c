/* motifsieve list --nearest: inputs -> ms_list_nearest -> rows, or their number. */
#include "base/status.h"
#include "base/stop.h"
#include "cli/cli.h"
#include "cli/nearest.h"
#include "cli/report.h"

#include <inttypes.h>

static ms_nearest_options options_of(const ms_job *job, ms_screen_options near)
{
  const ms_cli_options *o = job->options;
  return (ms_nearest_options){.size = sizeof(ms_nearest_options),
                              .max_missing = near.max_missing,
                              .max_extra = near.max_extra,
                              .nearest_only = near.nearest_only,
                              .count_only = o->list.count_only,
                              .limit = o->list.limit,
                              .threads = near.threads,
                              .memory = near.memory,
                              .stop = near.stop,
                              .progress = near.progress,
                              .progress_user = near.progress_user,
                              .substitutes = near.substitutes,
                              .max_cost = near.max_cost};
}

static ms_status write_statistics(const ms_job *job, const ms_nearest_result *r, double written,
                                  ms_error *err)
{
  ms_result_status status = ms_status_of(r->stopped, ms_job_at_limit(job, r->matches));
  ms_statistics s = {.search = r->time_list,
                     .output = written,
                     .engine = "cpu",
                     .engine_reason = "motifs are listed on processors",
                     .work = &r->work,
                     .status = ms_result_word(MS_WORDS_STATUS, status),
                     .found = r->count_text};
  return ms_report_statistics(job, s, err);
}

static void print_summary(const ms_job *job, const ms_nearest_result *r, double written)
{
  uint64_t rows = r->begin ? r->matches : 0;
  if (rows > 0)
    ms_cli_note("%s matches, which cost %" PRIu32 " to %" PRIu32 ", each verified", r->count_text,
                r->cost[0], r->cost[rows - 1]);
  else
    ms_cli_note("%s matches", r->count_text);
  ms_cli_note("seconds: read %.3f, list %.3f, write %.3f", job->time_read, r->time_list, written);
}

int ms_nearest_list(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_report report;
  ms_nearest_result *r = NULL;
  ms_substitutes *substitutes;
  double written = 0;
  ms_screen_options near = o->list.screen;
  ms_job_attach(job, &near);
  ms_nearest_settle(job, &near);
  ms_status status = ms_nearest_read_substitutes(job, &near, &substitutes, err);
  ms_nearest_options options = options_of(job, near);
  if (status == MS_OK)
    status = ms_list_nearest(job->query, &options, &r, err);
  ms_progress_end(&job->progress);
  if (status == MS_OK) {
    double begin = ms_seconds();
    ms_report_open(&report, job);
    status = ms_nearest_write(job->query, &options, r, &report.options, report.path, err);
    written = ms_seconds() - begin;
  }
  if (status == MS_OK)
    status = write_statistics(job, r, written, err);
  if (status == MS_OK && o->verbose)
    print_summary(job, r, written);
  int code = status == MS_OK ? ms_job_outcome(job, r->stopped, r->matches, r->count_text,
                                              "; matches that cost less than the last one are "
                                              "complete")
                             : ms_cli_error(err);
  ms_nearest_result_free(r);
  ms_substitutes_free(substitutes);
  return code;
}
