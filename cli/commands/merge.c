/* motifsieve merge: results of parts -> ms_merge. */
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/commands/report.h"
#include "cli/job.h"
#include "cli/options/option_table.h"
#include "cli/signals.h"

#include <inttypes.h>
#include <unistd.h>

int ms_run_merge(const ms_cli_options *o)
{
  ms_error err;
  ms_progress progress;
  ms_merge_report report;
  ms_merge_options options = MS_MERGE_OPTIONS_DEFAULT;
  double begin = ms_seconds();
  options.run = ms_cli_limits(o, &progress);
  options.below = o->below;
  ms_progress_start(&progress, STDERR_FILENO, !o->quiet);
  ms_catch_signals(o->stop, !o->quiet);
  ms_status status = MS_OK;
  for (uint32_t i = 0; i < o->n_parts && status == MS_OK; i++)
    status = ms_options_check_input(o, o->parts[i], &err);
  if (status == MS_OK)
    status = ms_merge((const char *const *)o->parts, o->n_parts, &options,
                      o->output ? o->output : "-", &report, &err);
  ms_progress_end(&progress);
  if (status != MS_OK)
    return ms_cli_error(&err);
  if (o->verbose)
    ms_cli_note("%" PRIu32 " parts, %" PRIu64 " rows; seconds: %.3f", report.parts, report.rows,
                ms_seconds() - begin);
  return MS_EXIT_OK;
}
