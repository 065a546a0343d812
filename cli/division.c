#include "cli/division.h"

#include "cli/cli.h"

#include <inttypes.h>

struct ms_crew *ms_cli_crew;

/* Says that the state could not be saved. */
static void warn(void *user, const char *message)
{
  const ms_cli_options *o = user;
  if (!o->quiet)
    ms_cli_warn("%s", message);
}

const ms_division *ms_cli_division(const ms_cli_options *o, ms_division *division)
{
  *division = o->division;
  division->warn = warn;
  division->warn_user = (void *)o;
  division->crew = ms_cli_crew;
  return division->parts > 0 || division->checkpoint || division->crew || division->paranoid > 0
             ? division
             : NULL;
}

void ms_cli_print_paranoid(const ms_paranoid_report *r)
{
  if (r->fraction > 0)
    ms_cli_note("%" PRIu64 " of %" PRIu64 " blocks of units were computed twice; %" PRIu64
                " differed, and %" PRIu64 " copies or contributions were damaged and made again",
                r->checked, r->blocks, r->differences, r->damaged);
}
