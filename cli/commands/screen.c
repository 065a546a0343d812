/* motifsieve screen: inputs -> ms_screen -> ms_screen_write, of a motif or a pattern. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/nearest.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/frame.h"
#include "cli/options/option_table.h"

#include <inttypes.h>

/* ---- of a pattern ---------------------------------------------------------------------------- */

/* Says what was found; index and output: seconds that the result does not hold. */
static void flags_answer(ms_job *job, double index, double output)
{
  const ms_flags_result *r = job->flags;
  job->answer = (ms_answer){.run = &r->run,
                            .found = r->count,
                            .screen = r->screen,
                            .statistics = {.index = index,
                                           .plan = r->time_plan - ms_job_screen_seconds(r->screen),
                                           .search = r->time_search,
                                           .output = output,
                                           .screen_reason = r->screen_reason}};
}

static ms_status plain_flags_run(ms_job *job, ms_error *err)
{
  ms_report report;
  ms_pattern_options options;
  ms_pattern_options_of(job, &options);
  ms_report_open(&report, job);
  double begin = ms_seconds();
  MS_TRY(ms_job_index(job, err));
  double indexed = ms_seconds() - begin;
  MS_TRY(ms_pattern_flags(job->index, job->pattern, &options, &job->flags, err));
  ms_progress_end(&job->progress);
  begin = ms_seconds();
  MS_TRY(ms_pattern_flags_write(job->index, job->pattern, &options, job->flags, &report.options,
                                report.path, err));
  flags_answer(job, indexed, ms_seconds() - begin);
  return MS_OK;
}

static ms_status typed_flags_run(ms_job *job, ms_error *err)
{
  ms_report report;
  ms_typed_match_options options;
  ms_typed_options_of(job, &options);
  ms_report_open(&report, job);
  MS_TRY(ms_typed_flags(job->typed_query, &options, &job->flags, err));
  ms_progress_end(&job->progress);
  double begin = ms_seconds();
  MS_TRY(ms_typed_flags_write(job->typed_query, &options, job->flags, &report.options, report.path,
                              err));
  flags_answer(job, 0, ms_seconds() - begin);
  return MS_OK;
}

static void flags_summarize(const ms_job *job)
{
  const ms_flags_result *r = job->flags;
  const ms_statistics *s = &job->answer.statistics;
  if (r->screen_reason)
    ms_cli_note("screen: %s", r->screen_reason);
  ms_job_print_screen(r->screen);
  ms_cli_note("%" PRIu32 " vertices take part in a match, each of which was verified; %" PRIu64
              " searches for one match",
              r->count, r->searches);
  ms_cli_note("seconds: read %.3f, index %.3f, plan %.3f, search %.3f, write %.3f", job->time_read,
              s->index, r->time_plan, r->time_search, s->output);
}

const ms_way ms_way_flags = {.read = ms_read_pattern_query,
                             .run = plain_flags_run,
                             .summarize = flags_summarize,
                             .rows = "flagged vertices"};

const ms_way ms_way_typed_flags = {.read = ms_read_pattern_query,
                                   .run = typed_flags_run,
                                   .summarize = flags_summarize,
                                   .rows = "flagged vertices"};

/* ---- of a motif ------------------------------------------------------------------------------ */

static ms_status screen_run(ms_job *job, ms_error *err)
{
  ms_report report;
  ms_screen_options options = job->options->list.screen;
  options.vertex_scores = job->scores;
  options.method = options.profile ? MS_METHOD_EXACT : ms_job_method(job->options);
  MS_TRY(ms_nearest_settle(job, &options, err));
  options.run = ms_job_limits(job);
  MS_TRY(ms_screen(job->query, &options, &job->screen, err));
  ms_progress_end(&job->progress);
  const ms_screen_result *screen = job->screen;
  double begin = ms_seconds();
  ms_report_open(&report, job);
  MS_TRY(ms_screen_write(job->query, &options, screen, &report.options, report.path, err));
  job->answer = (ms_answer){.run = &screen->run,
                            .found = screen->flagged,
                            .screen = screen,
                            .statistics = {.output = ms_seconds() - begin}};
  ms_report_warn_of_drawing(&report, job, true);
  return MS_OK;
}

/* Compares the flags with what the graph's file states, or says how near matches are. */
static void screen_compare(const ms_job *job)
{
  const ms_screen_result *screen = job->screen;
  ms_job_compare_screen(job, screen);
  if (!job->options->quiet && screen->flagged == 0 && screen->run.stopped == MS_OK &&
      !screen->missing && job->options->division.parts == 0)
    ms_nearest_announce(job, screen->exact);
}

static void screen_summarize(const ms_job *job)
{
  const ms_screen_result *screen = job->screen;
  const ms_cli_options *o = job->options;
  ms_division division;
  if (ms_cli_division(o, &division))
    ms_job_print_units(&screen->run);
  ms_cli_print_paranoid(&screen->run.paranoid);
  ms_job_print_screen(screen);
  if (o->division.parts == 0) /* a part flags none */
    ms_cli_note("%" PRIu32 " vertices take part in a match%s", screen->flagged,
                screen->missing ? " that is near enough" : "");
  ms_cli_note("seconds: read %.3f, prune %.3f, %s %.3f, write %.3f", job->time_read,
              screen->time_prune, screen->exact ? "enumeration" : "sieve", screen->time_sieve,
              job->answer.statistics.output);
  if (!screen->exact)
    ms_cli_note("the sieve took %.3f s of that to open its back ends", screen->time_open);
}

static void screen_warn(const ms_job *job)
{
  const ms_screen_result *screen = job->screen;
  const char *reason = ms_job_reason(screen->run.stopped);
  if (screen->missing)
    ms_cli_warn("%s before all matches that are near enough were searched for; the rows are right, "
                "others may lack, and the result is marked incomplete",
                reason);
  else if (screen->exact)
    ms_cli_warn("%s after %" PRIu32 " of %" PRIu32
                " vertices were settled; the result is marked incomplete",
                reason, screen->settled, screen->vertices_kept);
  else
    ms_cli_warn("%s after %" PRIu32 " of %" PRIu32 " repetitions; the result is marked incomplete",
                reason, screen->repetitions, screen->repetitions_planned);
}

const ms_way ms_way_screen = {.read = ms_read_motif_query,
                              .run = screen_run,
                              .compare = screen_compare,
                              .summarize = screen_summarize,
                              .warn = screen_warn};
