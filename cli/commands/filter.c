/* motifsieve filter: keeps the edges that a typed pattern could use. */
#include "base/threads/stop.h"
#include "cli/cli.h"
#include "cli/job.h"
#include "graph/formats/typed/typed_read.h"

#include <inttypes.h>

static void print_summary(const ms_job *job, const ms_typed *graph, const ms_typed *left,
                          double filtered, double written)
{
  ms_typed_info before = ms_typed_describe(graph), after = ms_typed_describe(left);
  ms_cli_note("the compound type filter left %" PRIu64 " of %" PRIu64 " edges and %" PRIu32
              " of %" PRIu32 " vertices",
              after.edges, before.edges, after.vertices, before.vertices);
  ms_cli_note("seconds: read %.3f, filter %.3f, write %.3f", job->time_read, filtered, written);
}

int ms_run_filter(const ms_cli_options *o)
{
  ms_job job;
  ms_error err;
  ms_typed *left = NULL;
  double begin = 0, filtered = 0;
  ms_status status = ms_job_open(o, &job, &err);
  if (status == MS_OK) {
    begin = ms_seconds();
    status = ms_typed_filter(job.typed_query, o->typed.run.threads, &left, &err);
    filtered = ms_seconds() - begin;
  }
  if (status == MS_OK)
    status = ms_typed_write_table(left, o->output ? o->output : "-", false, &err);
  if (status == MS_OK && o->verbose)
    print_summary(&job, job.typed, left, filtered, ms_seconds() - begin - filtered);
  int code = status == MS_OK ? MS_EXIT_OK : ms_cli_error(&err);
  ms_typed_free(left);
  ms_job_close(&job);
  return code;
}
