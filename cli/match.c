/* motifsieve match: the matches of a pattern of any kind. */
#include "cli/match.h"

#include "cli/cli.h"

int ms_run_match(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  ms_status status = ms_job_open(o, &job, &err);
  int code = status != MS_OK   ? ms_cli_error(&err)
             : job.typed_query ? ms_match_typed(&job, &err)
                               : ms_match_plain(&job, &err);
  ms_job_close(&job);
  return code;
}
