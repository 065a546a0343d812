#include "cli/writer.h"

#include <stdio.h>
#include <stdlib.h>

const char *ms_report_command(const ms_report *report)
{
  return report->job->options->command == MS_COMMAND_LIST ? "list" : "screen";
}

const char *ms_report_status(const ms_report *report)
{
  switch (report->stopped) {
  case MS_OK:
    return "complete";
  case MS_ERR_LIMIT:
    return report->at_limit ? "incomplete: limit" : "incomplete: time";
  default:
    return "incomplete: interrupted";
  }
}

const char *ms_recurrence_text(ms_recurrence recurrence)
{
  return recurrence == MS_CLASSIC ? "classic" : "sibling";
}

void ms_format_bound(char *text, size_t room, double bound)
{
  /* one unit in the fourth digit is at most 1e-3 of the value */
  snprintf(text, room, "%.3e", bound);
  if (strtod(text, NULL) < bound)
    snprintf(text, room, "%.3e", bound * (1 + 0.5e-3));
  if (strtod(text, NULL) < bound)
    snprintf(text, room, "%.3e", bound * (1 + 1e-3));
}
