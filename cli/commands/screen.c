/* motifsieve screen: inputs -> ms_screen -> ms_screen_write, of a motif or a pattern. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/many_motifs.h"
#include "cli/commands/motif_significance.h"
#include "cli/commands/nearest.h"
#include "cli/commands/report.h"
#include "cli/division.h"
#include "cli/job.h"
#include "cli/options/option_table.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- of a pattern ---------------------------------------------------------------------------- */

/* The part of 'motifsieve screen' that is for patterns. */

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
  MS_TRY(ms_pattern_index_new(job->graph, job->coloring, options.screen.run.threads, &index, err));
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

static ms_status pattern_write_statistics(const ms_job *job, const ms_flags_result *r,
                                          const step_times *times, ms_error *err)
{
  char found[16];
  snprintf(found, sizeof found, "%" PRIu32, r->count);
  ms_result_status status = ms_status_of(r->run.stopped, ms_job_at_limit(job, r->count));
  const ms_screen_result *screen = r->screen;
  ms_statistics s = {.index = times->index,
                     .prune = screen ? screen->time_prune : 0,
                     .sieve = screen ? screen->time_sieve : 0,
                     .plan = r->time_plan - (screen ? screen->time_prune + screen->time_sieve : 0),
                     .search = r->time_search,
                     .output = times->write,
                     .engine = r->run.engine,
                     .engine_reason = r->run.engine_reason,
                     .backend = screen ? ms_backend_word((uint32_t)screen->backend) : NULL,
                     .backend_reason = screen ? screen->backend_reason : NULL,
                     .work = &r->run.work,
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

static int pattern_outcome(const ms_job *job, const ms_flags_result *r)
{
  const ms_cli_options *o = job->options;
  bool at_limit = r->run.stopped == MS_ERR_LIMIT && ms_job_at_limit(job, r->count);
  if (at_limit && !o->quiet)
    ms_cli_note("stopped by --limit after %" PRIu32 " flagged vertices; there may be more",
                r->count);
  if (r->run.stopped != MS_OK && !at_limit && !o->quiet)
    ms_cli_warn("%s after %" PRIu32 " flagged vertices; the result is incomplete",
                ms_job_reason(r->run.stopped), r->count);
  if (r->run.stopped != MS_OK && !at_limit)
    return MS_EXIT_LIMIT;
  return o->fail_if_none && r->count == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

/* Finds and writes the vertices that take part in a match of the job's pattern; returns an exit
 * code. */
static int screen_pattern(ms_job *job, ms_error *err)
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
    status = pattern_write_statistics(job, flags, &times, err);
  if (status == MS_OK && job->options->verbose)
    print_summary(job, flags, &times);
  int code = status == MS_OK ? pattern_outcome(job, flags) : ms_cli_error(err);
  ms_flags_result_free(flags);
  return code;
}

/* ---- of a motif ------------------------------------------------------------------------------ */

static int outcome(const ms_cli_options *o, const ms_screen_result *screen)
{
  if (screen->run.stopped != MS_OK) {
    if (!o->quiet && screen->missing)
      ms_cli_warn(
          "%s before all matches that are near enough were searched for; the rows are right, "
          "others may lack, and the result is marked incomplete",
          ms_job_reason(screen->run.stopped));
    else if (!o->quiet && screen->exact)
      ms_cli_warn("%s after %" PRIu32 " of %" PRIu32
                  " vertices were settled; the result is marked incomplete",
                  ms_job_reason(screen->run.stopped), screen->settled, screen->vertices_kept);
    else if (!o->quiet)
      ms_cli_warn(
          "%s after %" PRIu32 " of %" PRIu32 " repetitions; the result is marked incomplete",
          ms_job_reason(screen->run.stopped), screen->repetitions, screen->repetitions_planned);
    return MS_EXIT_LIMIT;
  }
  return o->fail_if_none && screen->flagged == 0 ? MS_EXIT_NONE : MS_EXIT_OK;
}

static ms_status write_statistics(const ms_job *job, const ms_screen_result *screen, double written,
                                  ms_error *err)
{
  char found[16];
  snprintf(found, sizeof found, "%" PRIu32, screen->flagged);
  ms_statistics s = {.prune = screen->time_prune,
                     .sieve = screen->time_sieve,
                     .output = written,
                     .backend = ms_backend_word((uint32_t)screen->backend),
                     .backend_reason = screen->backend_reason,
                     .work = &screen->run.work,
                     .status =
                         ms_result_word(MS_WORDS_STATUS, ms_status_of(screen->run.stopped, false)),
                     .found = found};
  return ms_report_statistics(job, s, err);
}

int ms_run_screen(const ms_cli_options *o)
{
  ms_job job;
  ms_report report;
  ms_error err;
  ms_screen_result *screen = NULL;
  ms_substitutes *substitutes = NULL;
  double written = 0;
  ms_screen_options options = o->list.screen;
  ms_division division;
  ms_status status = ms_job_open(o, &job, &err);
  if (status == MS_OK && (o->pattern.path || o->motifs)) {
    int code = o->motifs ? ms_run_motifs(&job, &err) : screen_pattern(&job, &err);
    ms_job_close(&job);
    return code;
  }
  if (status == MS_OK && ms_motif_significance_is_wanted(o)) {
    int code = ms_run_motif_significance(&job, &err);
    ms_job_close(&job);
    return code;
  }
  if (status == MS_OK) {
    options.vertex_scores = job.scores;
    options.division = ms_cli_division(o, &division);
    options.method = options.profile ? MS_METHOD_EXACT : ms_job_method(o);
    ms_nearest_settle(&job, &options);
    status = ms_nearest_read_substitutes(&job, &options, &substitutes, &err);
  }
  if (status == MS_OK) {
    options.run = ms_cli_limits(o, &job.progress);
    status = ms_screen(job.query, &options, &screen, &err);
    ms_progress_end(&job.progress);
  }
  if (status == MS_OK)
    ms_job_warn_of_devices(&job, screen);
  if (status == MS_OK) {
    double begin = ms_seconds();
    ms_report_open(&report, &job);
    status = ms_screen_write(job.query, &options, screen, &report.options, report.path, &err);
    written = ms_seconds() - begin;
  }
  if (status == MS_OK)
    ms_report_warn_of_drawing(&report, &job, true);
  if (status == MS_OK)
    ms_job_compare_screen(&job, screen);
  bool is_part = o->division.parts > 0;
  if (status == MS_OK && !o->quiet && screen->flagged == 0 && screen->run.stopped == MS_OK &&
      !screen->missing && !is_part)
    ms_nearest_announce(&job, screen->exact);
  if (status == MS_OK)
    status = write_statistics(&job, screen, written, &err);
  if (status == MS_OK && o->verbose && options.division)
    ms_cli_note("%" PRIu64 " units, of which a checkpoint had %" PRIu64
                "; %.3f s for saving the state",
                screen->run.units, screen->run.resumed, screen->run.time_checkpoint);
  if (status == MS_OK && o->verbose) {
    ms_cli_print_paranoid(&screen->run.paranoid);
    ms_job_print_screen(screen);
    if (!is_part) /* which flags none */
      ms_cli_note("%" PRIu32 " vertices take part in a match%s", screen->flagged,
                  screen->missing ? " that is near enough" : "");
    ms_cli_note("seconds: read %.3f, prune %.3f, %s %.3f, write %.3f", job.time_read,
                screen->time_prune, screen->exact ? "enumeration" : "sieve", screen->time_sieve,
                written);
    if (!screen->exact)
      ms_cli_note("the sieve took %.3f s of that to open its back ends", screen->time_open);
  }
  int code = status == MS_OK ? outcome(o, screen) : ms_cli_error(&err);
  ms_screen_result_free(screen);
  ms_substitutes_free(substitutes);
  ms_job_close(&job);
  return code;
}
