/* What the commands that write result files share. */
#ifndef MS_CLI_REPORT_H
#define MS_CLI_REPORT_H

#include "cli/job.h"
#include "result/statistics.h"
#include "result/writer.h"

/* How the library writes the result of a job. */
typedef struct ms_report {
  ms_write_options options;
  const char *path;
  uint32_t drawn;    /* vertices of a drawing; options.drawn points here */
  uint32_t unplaced; /* vertices that a picture lacks; options.unplaced points here */
} ms_report;

/* Fills the writer's options from the options of the command line, and warns if the ending of the
 * file's name seems to ask for another form. */
void ms_report_open(ms_report *report, const ms_job *job);
/* Warns of a drawing that is too large for Graphviz, and of a picture that lacks vertices. */
void ms_report_warn_of_drawing(const ms_report *report, const ms_job *job, bool is_screen);
/* True if the result is drawn, and so must be stored first. */
bool ms_report_draws(const ms_cli_options *options);

/* Writes the statistics of a run, if the options ask for them.  The caller sets the times after
 * reading, the reasons and what was found. */
ms_status ms_report_statistics(const ms_job *job, ms_statistics statistics, ms_error *err);

#endif
