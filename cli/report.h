/* What the commands that write result files share. */
#ifndef MS_CLI_REPORT_H
#define MS_CLI_REPORT_H

#include "cli/job.h"
#include "result/statistics.h"
#include "result/writer.h"

/* Opens the output that the options name, in the encoding that they ask for; warns if the ending of
 * the name seems to ask for another.  ms_writer_close must follow in any case. */
ms_status ms_report_open(ms_writer *writer, const ms_cli_options *options, ms_error *err);

/* Describes the inputs of the job, and its motif or pattern. */
void ms_report_describe(ms_result_header *header, const ms_job *job);

/* Gives the writer of such a job what its rows need: labels, and the query that knows the slots. */
void ms_report_attach(ms_writer *writer, const ms_job *job);

/* Writes the statistics of a run, if the options ask for them.  The caller sets the times after
 * reading, the reasons and what was found. */
ms_status ms_report_statistics(const ms_job *job, ms_statistics statistics, ms_error *err);

/* ---- rows that are written while they are found --------------------------- */

typedef struct ms_output {
  ms_writer writer;
  const ms_names *names; /* names of the graph's vertices; the caller sets them */
  bool begun;
  ms_status status; /* status of the first failure to write */
  ms_error err;
} ms_output;

/* Writes the header, which must be complete; returns false if writing failed, so that the search
 * can stop. */
bool ms_output_begin(ms_output *output);
/* Receives rows from the library; `user` is an ms_output. */
bool ms_output_rows(void *user, const uint32_t *rows, uint64_t count);
/* Ends the output after the search, once the header has begun: `found` matches should have been
 * written. */
ms_status ms_output_end(ms_output *output, uint64_t found, ms_status stopped, bool at_limit,
                        ms_error *err);

/* ---- results that are written once the search is over ---------------------- */

/* Draws what was found, in the form that the options name: header.found matches rows[..][header.k],
 * or a screen.  The header must be complete. */
ms_status ms_report_draw(ms_writer *writer, const ms_job *job, const ms_screen_result *screen,
                         const uint32_t *rows, ms_error *err);
/* Writes a screen, or with `list` the matches of a motif, as a table or a drawing.  at_limit: as
 * for ms_status_of. */
ms_status ms_report_save(const ms_job *job, const ms_screen_result *screen,
                         const ms_list_result *list, bool at_limit, ms_error *err);

#endif
