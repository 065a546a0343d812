/* motifsieve plan: explains how match would search for a pattern. */
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/frame.h"

#include <string.h>

static ms_status write_text(const ms_cli_options *o, const char *text, ms_error *err)
{
  ms_outfile *out;
  size_t length = strlen(text);
  MS_TRY(ms_outfile_open(o->output, &out, err));
  ms_outfile_write(out, text, length);
  if (length == 0 || text[length - 1] != '\n')
    ms_outfile_puts(out, "\n");
  return ms_outfile_commit(out, err);
}

static ms_status explain(ms_job *job, char **text, ms_error *err)
{
  ms_pattern_options plain;
  ms_typed_match_options typed;
  if (job->typed_query) {
    ms_typed_options_of(job, &typed);
    return ms_typed_explain(job->typed_query, &typed, job->options->json, text, err);
  }
  MS_TRY(ms_job_index(job, err));
  ms_pattern_options_of(job, &plain);
  return ms_pattern_explain(job->index, job->pattern, &plain, job->options->json, text, err);
}

static ms_status plan_run(ms_job *job, ms_error *err)
{
  char *text = NULL;
  double begin = ms_seconds();
  ms_status status = explain(job, &text, err);
  ms_progress_end(&job->progress);
  if (status == MS_OK)
    status = write_text(job->options, text, err);
  if (status == MS_OK && job->options->verbose)
    ms_cli_note("seconds: read %.3f, index and plan %.3f", job->time_read, ms_seconds() - begin);
  ms_text_free(text);
  return status;
}

const ms_way ms_way_plan = {.read = ms_read_pattern_query, .run = plan_run};
