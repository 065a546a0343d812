/* screen and list of many motifs: inputs -> ms_session_.._to_files -> a table, and rows. */
#include "cli/commands/many_motifs.h"

#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/options/option_table.h"

#include <inttypes.h>
#include <stdio.h>

/* Returns how motifs are screened.  With --backend cuda, and no option that only the sieve has, the
 * session chooses: small motifs are searched exactly on a GPU, all others by the sieve. */
static ms_screen_method method_of(const ms_cli_options *o)
{
  static const char *const of_sieve[] = {"repetitions", "recurrence", "seed", "no-prune"};
  ms_screen_method method = ms_job_method(o);
  if (o->command->bit != MS_COMMAND_SCREEN || method != MS_METHOD_SIEVE ||
      o->pattern.screen != MS_SCREEN_AUTO || o->list.screen.backend != MS_BACKEND_CUDA ||
      o->list.screen.run.n_devices > 1 || o->list.screen.match_size)
    return method;
  for (size_t i = 0; i < sizeof of_sieve / sizeof *of_sieve; i++)
    if (ms_option_given(o, of_sieve[i]))
      return method;
  return MS_METHOD_AUTO;
}

static ms_status run(ms_job *job, const ms_report *report, ms_motifs_summary *summary,
                     ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_list_options options = o->list;
  options.screen.method = method_of(o);
  options.screen.run = ms_cli_limits(job->options, &job->progress);
  if (o->command->bit == MS_COMMAND_SCREEN)
    return ms_session_screen_to_files(job->session, job->motifs, &options.screen, o->motif_timeout,
                                      &report->options, report->path, o->rows_file, summary, err);
  options.exact = options.screen.method == MS_METHOD_EXACT;
  if (options.exact)
    options.screen.method = MS_METHOD_SIEVE; /* there is no screen */
  options.count_only = !o->rows_file;
  return ms_session_list_to_files(job->session, job->motifs, &options, o->motif_timeout,
                                  &report->options, report->path, o->rows_file, summary, err);
}

static ms_status write_statistics(const ms_job *job, const ms_motifs_summary *s, double seconds,
                                  ms_error *err)
{
  char found[16];
  const ms_work work = {0};
  snprintf(found, sizeof found, "%" PRIu32, s->found);
  ms_statistics statistics = {
      .search = seconds - s->run.time_write,
      .output = s->run.time_write,
      .work = &work,
      .status = ms_result_word(MS_WORDS_STATUS, ms_status_of(s->run.stopped, false)),
      .found = found};
  return ms_report_statistics(job, statistics, err);
}

static int outcome(const ms_job *job, const ms_motifs_summary *s)
{
  const ms_cli_options *o = job->options;
  uint32_t all = ms_motif_set_size(job->motifs);
  if (s->run.stopped != MS_OK && !o->quiet)
    ms_cli_warn("%s; the table has %" PRIu32 " of %" PRIu32 " motifs, %" PRIu32
                " of them incomplete",
                ms_job_reason(s->run.stopped), s->done, all, s->incomplete);
  else if (s->incomplete > 0 && !o->quiet)
    ms_cli_warn("%" PRIu32 " motif%s incomplete; the column status says why", s->incomplete,
                s->incomplete == 1 ? " is" : "s are");
  if (s->run.stopped != MS_OK || s->incomplete > 0)
    return MS_EXIT_LIMIT;
  return o->fail_if_none && s->found == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

int ms_run_motifs(ms_job *job, ms_error *err)
{
  ms_report report;
  ms_motifs_summary summary = {0};
  double begin = ms_seconds();
  ms_report_open(&report, job);
  ms_status status = run(job, &report, &summary, err);
  double seconds = ms_seconds() - begin;
  ms_progress_end(&job->progress);
  if (status == MS_OK)
    status = write_statistics(job, &summary, seconds, err);
  if (status != MS_OK)
    return ms_cli_error(err);
  if (job->options->verbose) {
    ms_cli_note("%" PRIu32 " of %" PRIu32 " motifs have a match", summary.found,
                ms_motif_set_size(job->motifs));
    ms_cli_note("seconds: read %.3f, motifs %.3f, write %.3f", job->time_read,
                seconds - summary.run.time_write, summary.run.time_write);
  }
  return outcome(job, &summary);
}
