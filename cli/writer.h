/* Result files, docs/RESULT.md: one frame, two ways to write it. */
#ifndef MS_CLI_WRITER_H
#define MS_CLI_WRITER_H

#include "base/outfile.h"
#include "cli/job.h"

/* What the frame says, beside the rows. */
typedef struct ms_report {
  const ms_job *job;
  const ms_screen_result *screen; /* NULL: no sieve (list --exact) */
  ms_status stopped;              /* MS_OK, MS_ERR_LIMIT or MS_ERR_INTERRUPTED */
  bool at_limit;                  /* the limit that stopped is one of matches, not of time */
  uint64_t found;                 /* flagged vertices, or matches */
} ms_report;

/* begin, then vertex or match for each row, then end with their number. */
typedef struct ms_writer {
  ms_status (*begin)(ms_outfile *out, const ms_report *report, ms_error *err);
  ms_status (*vertex)(ms_outfile *out, const ms_report *report, uint32_t v, ms_error *err);
  ms_status (*match)(ms_outfile *out, const ms_report *report, uint64_t number, const uint32_t *set,
                     ms_error *err);
  ms_status (*end)(ms_outfile *out, uint64_t rows, ms_error *err);
} ms_writer;

extern const ms_writer ms_writer_tsv, ms_writer_json;

/* The words of the frame that both writers share. */
const char *ms_report_command(const ms_report *report);
const char *ms_report_status(const ms_report *report);
const char *ms_recurrence_text(ms_recurrence recurrence);
/* A bound with four digits, rounded up: text[room] reads as >= bound. */
void ms_format_bound(char *text, size_t room, double bound);

#endif
