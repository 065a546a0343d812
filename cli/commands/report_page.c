/* motifsieve report: writes a result as a page for browsers. */
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/verify.h"
#include "cli/job.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <unistd.h>

static ms_status write_report(const ms_cli_options *o, const ms_points *positions,
                              ms_report_info *info, ms_error *err)
{
  ms_progress progress;
  ms_report_options options = {.size = sizeof(ms_report_options),
                               .no_verify = o->report.no_verify,
                               .rows = o->report.rows,
                               .edges = o->report.edges,
                               .positions = positions,
                               .counts = o->report.counts};
  options.verify = ms_verify_options_of(o);
  options.verify.run.progress = ms_progress_report;
  options.verify.run.progress_user = &progress;
  if (o->recount != MS_RECOUNT_FULL) {
    options.verify.flag_seconds = MS_FLAG_SECONDS;
    options.verify.recount_seconds = MS_BRIEF_RECOUNT;
  }
  ms_progress_start(&progress, STDERR_FILENO, !o->quiet);
  ms_catch_signals(o->stop, !o->quiet);
  ms_limit_memory(o->list.screen.run.memory);
  ms_status status =
      ms_report_write(o->operand[0], o->operand[1], o->colors, &options, o->output, info, err);
  ms_limit_memory(0);
  ms_progress_end(&progress);
  ms_catch_signals(NULL, false);
  return status;
}

/* Says what the report lacks. */
static void warn(const ms_cli_options *o, const ms_report_info *info)
{
  if (info->shown < info->rows)
    ms_cli_warn("the report has the first %" PRIu64 " of %" PRIu64
                " rows; --max-rows puts more into it",
                info->shown, info->rows);
  if (info->verified && info->verdict.outcome == MS_VERIFY_UNFINISHED)
    ms_cli_warn("%s: what was checked is right, but the check did not end: %s; --recount allows "
                "any time",
                o->operand[0], info->verdict.problem);
  if (info->unplaced > 0)
    ms_cli_warn("%s: %" PRIu32 " vert%s of the graph ha%s no position there, and %s not in the "
                "picture",
                o->positions, info->unplaced, info->unplaced == 1 ? "ex" : "ices",
                info->unplaced == 1 ? "s" : "ve", info->unplaced == 1 ? "is" : "are");
  if (info->edges > 0 && !info->draws && !o->positions)
    ms_cli_warn("the report draws no network, because cytoscape.js was not there when motifsieve "
                "was built; its table is complete");
}

int ms_run_report_page(const ms_cli_options *o)
{
  ms_error err;
  ms_report_info info = {0};
  double begin = ms_seconds();
  ms_points *positions = NULL;
  ms_status status = MS_OK;
  if (o->positions)
    status = ms_points_read(o->positions, &o->neighbors.points, &positions, &err);
  if (status == MS_OK)
    status = write_report(o, positions, &info, &err);
  ms_points_free(positions);
  if (status != MS_OK)
    return ms_cli_error(&err);
  if (!o->quiet)
    warn(o, &info);
  if (o->verbose) {
    ms_cli_note("%" PRIu64 " rows, %" PRIu64 " edges", info.shown, info.edges);
    ms_cli_note("seconds: %.3f", ms_seconds() - begin);
  }
  return MS_EXIT_OK;
}
