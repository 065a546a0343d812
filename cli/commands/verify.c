/* motifsieve verify: checks a result file again from the inputs alone. */
#include "cli/commands/verify.h"
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/nearest.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static const char *recount_text(const ms_verify_report *report)
{
  if (report->recounted)
    return "complete";
  return report->run.stopped == MS_OK || report->outcome == MS_VERIFY_UNFINISHED ? "not done"
                                                                                 : "not finished";
}

static const char *completeness_text(const ms_verify_report *report)
{
  static const char *const texts[] = {[MS_COMPLETENESS_NOT_STATED] = "not stated",
                                      [MS_COMPLETENESS_BOUNDED] = "bounded",
                                      [MS_COMPLETENESS_BELIEVED] = "believed",
                                      [MS_COMPLETENESS_PROVED] = "proved"};
  return report->outcome == MS_VERIFY_ACCEPTED ? texts[report->completeness] : "not checked";
}

static void write_json(ms_outfile *out, const ms_verify_report *report, const char *what,
                       const char *missing)
{
  static const char *const truth[2] = {"false", "true"};
  ms_outfile_printf(out,
                    "{\"type\":\"verdict\",\"accepted\":%s,\"command\":\"%s\",\"rows\":%" PRIu64,
                    report->accepted ? "true" : "null", what, report->rows);
  if (report->parts > 0)
    ms_outfile_printf(out, ",\"part\":%" PRIu32 ",\"parts\":%" PRIu32, report->part, report->parts);
  if (report->is_screen)
    ms_outfile_printf(out, ",\"flags\":%" PRIu64 ",\"supported\":%" PRIu64, report->flags,
                      report->supported);
  if (report->is_permuted)
    ms_outfile_printf(out, ",\"permutations_repeated\":%" PRIu64, report->permutations);
  if (report->is_sampled)
    ms_outfile_printf(out, ",\"samples_repeated\":%" PRIu64, report->samples);
  ms_outfile_printf(
      out, ",\"recount\":\"%s\",\"missing\":%s,\"completeness\":\"%s\",\"probabilistic\":%s}\n",
      recount_text(report), missing, completeness_text(report), truth[report->probabilistic]);
}

static void write_table(ms_outfile *out, const ms_verify_report *report, const char *what,
                        const char *missing)
{
  static const char *const words[2] = {"no", "yes"};
  ms_outfile_printf(out, "accepted\t%s\ncommand\t%s\nrows\t%" PRIu64 "\n",
                    report->accepted ? "yes" : "unknown", what, report->rows);
  if (report->parts > 0)
    ms_outfile_printf(out, "part\t%" PRIu32 " of %" PRIu32 "\n", report->part, report->parts);
  if (report->is_screen)
    ms_outfile_printf(out, "flags\t%" PRIu64 "\nsupported\t%" PRIu64 "\n", report->flags,
                      report->supported);
  if (report->is_permuted)
    ms_outfile_printf(out, "permutations_repeated\t%" PRIu64 "\n", report->permutations);
  if (report->is_sampled)
    ms_outfile_printf(out, "samples_repeated\t%" PRIu64 "\n", report->samples);
  ms_outfile_printf(out, "recount\t%s\nmissing\t%s\ncompleteness\t%s\nprobabilistic\t%s\n",
                    recount_text(report), missing, completeness_text(report),
                    words[report->probabilistic]);
}

static ms_status write_verdict(const ms_cli_options *o, const ms_verify_report *report,
                               ms_error *err)
{
  ms_outfile *out;
  MS_TRY(ms_outfile_open(o->output, &out, err));
  const char *what = report->command;
  char missing[24];
  /* a recount also checks the numbers of results that may lack rows, and does not look for these */
  if (report->recounted && report->completeness != MS_COMPLETENESS_NOT_STATED)
    snprintf(missing, sizeof missing, "%" PRIu64, report->missing);
  else
    snprintf(missing, sizeof missing, "%s", o->json ? "null" : "unknown");
  if (o->json)
    write_json(out, report, what, missing);
  else
    write_table(out, report, what, missing);
  return ms_outfile_commit(out, err);
}

/* Says that not every row was checked. */
static int report_unfinished(const ms_cli_options *o, const ms_verify_report *report)
{
  if (!o->quiet)
    ms_cli_warn("%s: rows not finished: %s%s", o->operand[0], report->problem,
                report->run.stopped == MS_ERR_INTERRUPTED ? ""
                                                          : "; give it more time with --timeout");
  return MS_EXIT_ROWS_NOT_FINISHED;
}

/* Prints on standard error what the user asked for and did not get; returns the exit code. */
static int outcome(const ms_cli_options *o, const ms_verify_report *report)
{
  if (report->outcome == MS_VERIFY_UNFINISHED)
    return report_unfinished(o, report);
  bool may_lack = report->completeness == MS_COMPLETENESS_NOT_STATED && !report->is_sample &&
                  !(report->is_census && report->recounted);
  if ((report->recounted && !may_lack && report->run.stopped == MS_OK) ||
      o->recount == MS_RECOUNT_NONE)
    return MS_EXIT_OK;
  if (report->run.stopped == MS_OK) {
    if (!o->quiet)
      ms_cli_note(report->parts > 0
                      ? "the result is a part of a run, so that it lacks the rows of other parts"
                      : "the result says that it is incomplete, so that it may lack rows");
    return MS_EXIT_OK;
  }
  bool interrupted = report->run.stopped == MS_ERR_INTERRUPTED;
  bool asked = o->recount == MS_RECOUNT_FULL || o->timeout > 0 || interrupted;
  if (!o->quiet)
    ms_cli_warn("every row is right, but the recount, which would %s, was %s; %s",
                report->recounted   ? "repeat all permutations and samples"
                : report->is_sample ? "check the number of matches"
                                    : "show missing rows",
                interrupted ? "interrupted" : "ended by the time limit",
                o->recount == MS_RECOUNT_FULL || o->timeout > 0
                    ? "give it more time with --timeout"
                    : "--recount gives it all the time it needs");
  return asked ? MS_EXIT_LIMIT : MS_EXIT_OK;
}

ms_verify_options ms_verify_options_of(const ms_cli_options *o)
{
  return (ms_verify_options){.size = sizeof(ms_verify_options),
                             .no_recount = o->recount == MS_RECOUNT_NONE,
                             .graph = o->graph,
                             .colors = o->coloring,
                             .aliases = o->aliases,
                             .below = o->below,
                             .pattern = o->pattern.path,
                             .pattern_colors = o->pattern.colors,
                             .typed = o->typed,
                             .labels = o->labels,
                             .vertex_scores = o->vertex_scores,
                             .metadata = o->compare.metadata,
                             .pairs = o->path.pairs,
                             .substitutes = ms_nearest_substitutes_path(o),
                             .run.stop = o->stop};
}

static ms_status check(const ms_cli_options *o, ms_verify_report *report, ms_error *err)
{
  ms_progress progress;
  ms_verify_options options = ms_verify_options_of(o);
  options.run.progress = ms_progress_report;
  options.run.progress_user = &progress;
  ms_progress_start(&progress, STDERR_FILENO, !o->quiet);
  if (o->timeout == 0 && o->recount != MS_RECOUNT_FULL) {
    options.flag_seconds = MS_FLAG_SECONDS;
    options.recount_seconds = MS_BRIEF_RECOUNT;
  }
  ms_catch_signals(o->stop, false);
  ms_limit_memory(o->list.screen.run.memory);
  ms_status status = ms_verify_file(o->operand[0], o->operand[1], o->colors, &options, report, err);
  ms_limit_memory(0);
  ms_progress_end(&progress);
  ms_catch_signals(NULL, false);
  if (status == MS_OK && report->outcome == MS_VERIFY_REFUSED)
    status = ms_fail(err, MS_ERR_INPUT, "%s: refused: %s", o->operand[0], report->problem);
  return status;
}

int ms_run_verify(const ms_cli_options *o)
{
  ms_error err;
  ms_verify_report report = {0};
  double begin = ms_seconds();
  ms_status status = check(o, &report, &err);
  if (status == MS_OK)
    status = write_verdict(o, &report, &err);
  if (status == MS_OK && o->verbose)
    ms_cli_note("seconds: %.3f", ms_seconds() - begin);
  return status == MS_OK ? outcome(o, &report) : ms_cli_error(&err);
}
