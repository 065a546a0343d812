#include "verify/memory.h"

#include "base/text/format.h"

#include <stdarg.h>
#include <string.h>

void ms_memory_begin(ms_verify_report *report)
{
  memset(report, 0, sizeof *report);
  report->outcome = MS_VERIFY_ACCEPTED;
}

void ms_memory_refuse(ms_verify_report *report, const char *format, ...)
{
  va_list args;
  if (report->outcome == MS_VERIFY_REFUSED)
    return;
  report->outcome = MS_VERIFY_REFUSED;
  va_start(args, format);
  ms_format_list(report->problem, sizeof report->problem, format, args);
  va_end(args);
}

ms_status ms_memory_end(ms_verify_report *report, ms_status status, bool complete)
{
  bool ended = status == MS_ERR_LIMIT || status == MS_ERR_INTERRUPTED;
  if (ended && report->outcome == MS_VERIFY_ACCEPTED) {
    report->outcome = MS_VERIFY_UNFINISHED;
    ms_format(report->problem, sizeof report->problem,
              "%llu rows were checked before %s; nothing was refuted",
              (unsigned long long)report->rows,
              status == MS_ERR_LIMIT ? "time ran out" : "it was interrupted");
  }
  report->run.stopped = ended ? status : MS_OK;
  report->accepted = report->outcome == MS_VERIFY_ACCEPTED;
  report->recounted = report->accepted;
  report->completeness =
      report->accepted && complete ? MS_COMPLETENESS_PROVED : MS_COMPLETENESS_NOT_STATED;
  return ended ? MS_OK : status;
}
