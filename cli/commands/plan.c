/* motifsieve plan: explains how match would search for a pattern. */
#include "base/file/outfile.h"
#include "base/status.h"
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/job.h"

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

static ms_status explain_plain(ms_job *job, char **text, ms_error *err)
{
  const ms_cli_options *o = job->options;
  ms_pattern_options options;
  ms_pattern_index *index = NULL;
  ms_pattern_options_of(job, &options);
  ms_progress_report(&job->progress, "the index is built", 0, 0);
  MS_TRY(ms_pattern_index_new(job->graph, job->coloring, o->list.screen.run.threads, &index, err));
  ms_status status = ms_pattern_explain(index, job->pattern, &options, o->json, text, err);
  ms_pattern_index_free(index);
  return status;
}

static ms_status explain_typed(ms_job *job, char **text, ms_error *err)
{
  ms_typed_match_options options;
  ms_typed_options_of(job, &options);
  return ms_typed_explain(job->typed_query, &options, job->options->json, text, err);
}

int ms_run_plan(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  char *text = NULL;
  ms_status status = ms_job_open(o, &job, &err);
  double begin = ms_seconds();
  if (status == MS_OK) {
    status = job.typed_query ? explain_typed(&job, &text, &err) : explain_plain(&job, &text, &err);
    ms_progress_end(&job.progress);
  }
  if (status == MS_OK)
    status = write_text(o, text, &err);
  if (status == MS_OK && o->verbose)
    ms_cli_note("seconds: read %.3f, index and plan %.3f", job.time_read, ms_seconds() - begin);
  ms_text_free(text);
  ms_job_close(&job);
  return status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
}
