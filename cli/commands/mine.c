/* motifsieve mine: graph and colours -> ms_session_mine_to_file. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static ms_status read_inputs(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  MS_TRY(ms_read_graph(o, &job->graph, err));
  MS_TRY(ms_read_colors(o, job->graph, true, &job->coloring, err));
  return ms_session_new(job->graph, job->coloring, &job->session, err);
}

static ms_status mine(ms_job *job, ms_mine_summary *summary, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const ms_mine_options options = {.size = sizeof(ms_mine_options),
                                   .slots = o->mine.slots,
                                   .least = o->mine.least,
                                   .support = o->mine.support,
                                   .run = ms_cli_limits(o, &job->progress)};
  ms_report report;
  ms_report_open(&report, job);
  ms_status status =
      ms_session_mine_to_file(job->session, &options, &report.options, report.path, summary, err);
  ms_progress_end(&job->progress);
  return status;
}

static ms_status write_statistics(const ms_job *job, const ms_mine_summary *s, double seconds,
                                  ms_error *err)
{
  char found[24];
  snprintf(found, sizeof found, "%" PRIu64, s->motifs);
  ms_statistics statistics = {
      .search = seconds - s->run.time_write,
      .output = s->run.time_write,
      .status = ms_result_word(MS_WORDS_STATUS, ms_status_of(s->run.stopped, false)),
      .found = found};
  return ms_report_statistics(job, statistics, err);
}

static int outcome(const ms_cli_options *o, const ms_mine_summary *s)
{
  if (s->run.stopped != MS_OK) {
    if (!o->quiet)
      ms_cli_warn("%s after %" PRIu64 " candidates; motifs may be missing, and the result is "
                  "marked incomplete",
                  ms_job_reason(s->run.stopped), s->candidates);
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && s->motifs == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

static int finish(ms_job *job, const ms_mine_summary *s, double seconds)
{
  ms_error err;
  if (write_statistics(job, s, seconds, &err) != MS_OK)
    return ms_cli_error(&err);
  if (job->options->verbose) {
    ms_cli_note("%" PRIu64 " motifs of %" PRIu64 " candidates", s->motifs, s->candidates);
    ms_cli_note("seconds: read %.3f, mine %.3f, write %.3f", job->time_read,
                seconds - s->run.time_write, s->run.time_write);
  }
  return outcome(job->options, s);
}

int ms_run_mine(const ms_cli_options *o)
{
  ms_error err;
  ms_mine_summary summary = {0};
  ms_job job = {.options = o, .begun = ms_seconds()};
  ms_progress_start(&job.progress, STDERR_FILENO, !o->quiet);
  ms_catch_signals(o->stop, !o->quiet);
  ms_limit_memory(o->list.screen.run.memory);
  ms_status status = read_inputs(&job, &err);
  ms_limit_memory(0);
  job.time_read = ms_seconds() - job.begun;
  ms_progress_report(&job.progress, "the search is prepared", 0, 0);
  if (status == MS_OK && !o->quiet)
    ms_warn_of_colors(job.coloring, NULL);
  if (status == MS_OK && o->verbose)
    ms_print_inputs(job.graph, job.coloring);
  double begin = ms_seconds();
  if (status == MS_OK)
    status = mine(&job, &summary, &err);
  int code = status == MS_OK ? finish(&job, &summary, ms_seconds() - begin) : ms_cli_error(&err);
  ms_job_close(&job);
  return code;
}
