/* screen and list of many motifs: inputs -> ms_session_.._to_files -> a table, and rows. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/frame.h"
#include "cli/options/option_table.h"

#include <inttypes.h>

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

static ms_status answer_motifs(ms_job *job, const ms_report *report, ms_motifs_summary *summary,
                               ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_list_options options = o->list;
  options.screen.method = method_of(o);
  options.screen.run = ms_job_limits(job);
  options.screen.run.division = NULL;
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

static ms_status motifs_run(ms_job *job, ms_error *err)
{
  ms_report report;
  ms_motifs_summary *s = job->work;
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(answer_motifs(job, &report, s, err));
  job->answer = (ms_answer){.run = &s->run,
                            .lacks_rows = s->incomplete > 0,
                            .found = s->found,
                            .statistics = {.search = ms_seconds() - begin - s->run.time_write}};
  return MS_OK;
}

static void motifs_summarize(const ms_job *job)
{
  const ms_motifs_summary *s = job->work;
  ms_cli_note("%" PRIu32 " of %" PRIu32 " motifs have a match", s->found,
              ms_motif_set_size(job->motifs));
  ms_cli_note("seconds: read %.3f, motifs %.3f, write %.3f", job->time_read,
              job->answer.statistics.search, s->run.time_write);
}

static void motifs_warn(const ms_job *job)
{
  const ms_motifs_summary *s = job->work;
  if (s->run.stopped != MS_OK)
    ms_cli_warn(
        "%s; the table has %" PRIu32 " of %" PRIu32 " motifs, %" PRIu32 " of them incomplete",
        ms_job_reason(s->run.stopped), s->done, ms_motif_set_size(job->motifs), s->incomplete);
  else
    ms_cli_warn("%" PRIu32 " motif%s incomplete; the column status says why", s->incomplete,
                s->incomplete == 1 ? " is" : "s are");
}

const ms_way ms_way_motifs = {.bytes = sizeof(ms_motifs_summary),
                              .read = ms_read_motif_query,
                              .run = motifs_run,
                              .summarize = motifs_summarize,
                              .warn = motifs_warn};
