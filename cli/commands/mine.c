/* motifsieve mine: graph and colours -> ms_session_mine_to_file. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/frame.h"

#include <inttypes.h>

static ms_status mine_read(ms_job *job, ms_error *err)
{
  MS_TRY(ms_read_colored_graph(job, err));
  return ms_session_new(job->graph, job->coloring, &job->session, err);
}

static ms_status mine_run(ms_job *job, ms_error *err)
{
  const ms_cli_options *o = job->options;
  const ms_mine_options options = {.size = sizeof(ms_mine_options),
                                   .slots = o->mine.slots,
                                   .least = o->mine.least,
                                   .support = o->mine.support,
                                   .run = ms_cli_limits(o, &job->progress)};
  ms_mine_summary *s = job->work;
  ms_report report;
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(ms_session_mine_to_file(job->session, &options, &report.options, report.path, s, err));
  job->answer = (ms_answer){.run = &s->run,
                            .found = s->motifs,
                            .statistics = {.search = ms_seconds() - begin - s->run.time_write}};
  return MS_OK;
}

static void mine_summarize(const ms_job *job)
{
  const ms_mine_summary *s = job->work;
  ms_cli_note("%" PRIu64 " motifs of %" PRIu64 " candidates", s->motifs, s->candidates);
  ms_cli_note("seconds: read %.3f, mine %.3f, write %.3f", job->time_read,
              job->answer.statistics.search, s->run.time_write);
}

static void mine_warn(const ms_job *job)
{
  const ms_mine_summary *s = job->work;
  ms_cli_warn("%s after %" PRIu64 " candidates; motifs may be missing, and the result is marked "
              "incomplete",
              ms_job_reason(s->run.stopped), s->candidates);
}

const ms_way ms_way_mine = {.bytes = sizeof(ms_mine_summary),
                            .read = mine_read,
                            .run = mine_run,
                            .summarize = mine_summarize,
                            .warn = mine_warn};
